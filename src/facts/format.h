// Numbers as text, for the report. Every function writes at most FORMAT_SIZE bytes.
#ifndef FORMAT_H
#define FORMAT_H

#include "base/style.h"
#include "facts/profile.h"

#include <stddef.h>

enum { FORMAT_SIZE = 64 };

// "16.590 ms", "198.3 us" (a micro sign in UTF-8), "2.5 s".
void format_duration(char text[FORMAT_SIZE], double ms, const struct style *style);

// "87.9%", "100%", "0%"; "<0.1%" for what would round to 0.
void format_percent(char text[FORMAT_SIZE], double percent);

// "0 bytes", "4.125 KiB", "60 MiB".
void format_bytes(char text[FORMAT_SIZE], size_t bytes);

// Four significant digits or all digits of the whole part: "3974", "99.73", "0.5".
void format_number(char text[FORMAT_SIZE], double number);

// "7.7x" with three significant digits; the sign is a multiplication sign in UTF-8.
void format_ratio(char text[FORMAT_SIZE], double ratio, const struct style *style);

// "[8,8192,1]".
void format_dimensions(char text[FORMAT_SIZE], const unsigned size[3]);

#endif
