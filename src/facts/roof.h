// The roofs: how fast the device's memory is for kernels that do nothing else, beside its own copy (run->copy), which is
// the one that steps are held against.
#ifndef ROOF_H
#define ROOF_H

enum roof {
    COPY_KERNEL, // 16 bytes an access, in and out
    PURE_READ,   // in, and nothing out
    PURE_WRITE,  // out, and nothing in
    ROOFS
};

struct roof_row {
    const char *key;   // in the JSON: "copy_kernel"
    const char *label; // for people
    int passes;        // over a matrix: read, written or both
};

extern const struct roof_row roof_rows[ROOFS];

#endif
