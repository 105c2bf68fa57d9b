// Pictures as SVG: text, rectangles and lines on a light sheet of their own, so that they look the same on
// a light and on a dark page. Lengths are in the picture's pixels, from the top left corner.
#ifndef SVG_H
#define SVG_H

#include <stdio.h>

// Okabe and Ito's colours for all kinds of colour vision (Color Universal Design, 2008), as in docs/plots/.
#define BLUE "#0072B2"
#define VERMILION "#D55E00"
#define GREEN "#009E73"
#define ORANGE "#E69F00"
#define SKY "#56B4E9"
#define INK "#1B1B1B"
#define GREY "#808080"
#define FAINT "#D8D8D8"
#define PALE "#EFEFEF"
#define PAPER "#FFFFFF"

enum anchor { AT_START, AT_MIDDLE, AT_END };

// `title` is what a screen reader says of the picture. Text is plain: no '&' and no '<'.
void svg_open(FILE *file, int width, int height, const char *title);
void svg_close(FILE *file);

void svg_rect(FILE *file, double x, double y, double width, double height, const char *fill);
void svg_line(FILE *file, double x1, double y1, double x2, double y2, const char *color,
              double width);
void svg_dashed(FILE *file, double x1, double y1, double x2, double y2, const char *color);
void svg_dot(FILE *file, double x, double y, double radius, const char *fill);

// One line of text whose baseline is at y; `size` is the font's.
__attribute__((format(printf, 7, 8))) void svg_text(FILE *file, double x, double y,
                                                    enum anchor anchor, int size, const char *color,
                                                    const char *format, ...);

#endif
