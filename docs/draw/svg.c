#include "svg.h"

#include <stdarg.h>

void svg_open(FILE *file, int width, int height, const char *title)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\"\n"
            "     font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
            "<title>%s</title>\n"
            "<rect width=\"%d\" height=\"%d\" rx=\"10\" fill=\"" PAPER "\"/>\n",
            width, height, width, height, title, width, height);
}

void svg_close(FILE *file)
{
    fprintf(file, "</svg>\n");
}

void svg_rect(FILE *file, double x, double y, double width, double height, const char *fill)
{
    fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x,
            y, width, height, fill);
}

void svg_line(FILE *file, double x1, double y1, double x2, double y2, const char *color,
              double width)
{
    fprintf(file,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"%.1f\"/>\n",
            x1, y1, x2, y2, color, width);
}

void svg_dashed(FILE *file, double x1, double y1, double x2, double y2, const char *color)
{
    fprintf(file,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"2\" stroke-dasharray=\"7 5\"/>\n",
            x1, y1, x2, y2, color);
}

void svg_dot(FILE *file, double x, double y, double radius, const char *fill)
{
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", x, y, radius, fill);
}

void svg_text(FILE *file, double x, double y, enum anchor anchor, int size, const char *color,
              const char *format, ...)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">", x,
            y, anchors[anchor], size, color);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fprintf(file, "</text>\n");
}
