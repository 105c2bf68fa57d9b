# after the barrier each thread writes one quad, and no second one.
s/for (int row = threadIdx.y; row < SIDE; row += QUADS)/int row = threadIdx.y;/
