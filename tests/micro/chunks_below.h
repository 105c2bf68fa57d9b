// Where the bytes of an array lie, as where tiles go down the columns of a matrix.
#ifndef CHUNKS_BELOW_H
#define CHUNKS_BELOW_H

// Chunks of a matrix one below the other, column by column: all are powers of two. The matrices that fill an array follow
// each other.
struct order {
    int log_chunk, log_rows, log_row_bytes;
};

static __device__ inline unsigned place(struct order o, unsigned byte)
{
    const unsigned number = byte >> o.log_chunk, row = number & ((1u << o.log_rows) - 1),
                   rest = number >> o.log_rows, log_columns = o.log_row_bytes - o.log_chunk,
                   column = rest & ((1u << log_columns) - 1),
                   rows_before = rest >> log_columns << o.log_rows;
    return ((rows_before + row) << o.log_row_bytes) + (column << o.log_chunk) +
           (byte & ((1u << o.log_chunk) - 1));
}

#endif
