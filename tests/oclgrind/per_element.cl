// Step 3 in OpenCL, for comparing speeds with Oclgrind. Its input is not filled: only time counts.
kernel void transpose_per_element(global float *out, global const float *in)
{
    const uint n = 1024;
    uint col = get_global_id(0), row = get_global_id(1);
    if (col < n)
        out[col * n + row] = in[row * n + col];
}
