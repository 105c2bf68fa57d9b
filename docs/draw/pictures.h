// The documents' pictures, one a file. Each function writes one as SVG to `file` and returns 0 after a
// message on standard error when what it draws cannot be had.
#ifndef PICTURES_H
#define PICTURES_H

#include <stdio.h>

typedef int picture(FILE *file);

picture draw_coalescing;     // which sectors a warp's accesses touch, without and with a tile
picture draw_bank_conflicts; // which bank each lane's word is in, without and with padding
picture draw_swizzle;     // which banks a warp's 16-byte stores meet, without and with the swizzle
picture draw_block_order; // the tiles that the first blocks touch, in both orders
picture draw_block_size;  // the warps that wait at one barrier, by the size of a block
picture draw_littles_law; // the bandwidth that so many warps with loads in flight can have
picture draw_ladder;      // the bandwidth of every step under the device's own copy
picture draw_occupancy;   // the blocks that each of an SM's limits would allow, for every step

#endif
