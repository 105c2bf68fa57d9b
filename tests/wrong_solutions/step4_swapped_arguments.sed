# the launch swaps its arguments, so that the output is transposed over the input.
s/>>>(out, in, n)/>>>(const_cast<float *>(in), out, n)/
