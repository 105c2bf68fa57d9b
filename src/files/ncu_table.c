#include "files/ncu_table.h"

#include "base/untrusted_text.h"
#include "files/local_number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ncu_refuse(struct ncu_table *table, int line, int column, const char *format, ...)
{
    if (*table->why)
        return false;
    char text[NCU_WHY_SIZE] = "";
    int used = line ? snprintf(text, sizeof text, "line %d", line) : 0;
    used += column ? snprintf(text + used, sizeof text - (size_t)used, ", column %d", column) : 0;
    used += line ? snprintf(text + used, sizeof text - (size_t)used, ": ") : 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    foreign_copy(table->why, sizeof table->why, text);
    return false;
}

const struct csv_field *ncu_cell(const struct ncu_table *table, int row, int column)
{
    return &table->cells[(size_t)row * (size_t)table->columns + (size_t)column];
}

int ncu_column(const struct ncu_table *table, const char *name)
{
    for (int i = 0; i < table->columns; i++)
        if (strcmp(table->names[i].text, name) == 0)
            return i;
    return -1;
}

static bool read_names(struct ncu_table *table, struct csv_reader *reader)
{
    static const char command[] = "type `ncu --csv --page raw`";
    while (!csv_next_begins(reader, "\"ID\",") && !csv_next_begins(reader, "ID,"))
        if (!csv_skip_line(reader))
            return ncu_refuse(
                table, 0, 0, "no line of it begins with \"ID\", as the names of the columns do: %s",
                command);
    int columns = csv_next(reader, table->names, NCU_MAX_COLUMNS), line = reader->line;
    if (columns > NCU_MAX_COLUMNS)
        return ncu_refuse(table, line, 0, "it has more than %d columns", NCU_MAX_COLUMNS);
    table->columns = columns;
    table->name_line = line;
    if (ncu_column(table, "Metric Name") >= 0)
        return ncu_refuse(table, line, 0, "it is a row a metric, of another page: %s", command);
    return ncu_column(table, "Kernel Name") >= 0 ||
           ncu_refuse(table, line, 0, "no column is called \"Kernel Name\": %s", command);
}

// A whole record, or what is wrong with it; at the end of the text, `at_end`.
static bool read_record(struct ncu_table *table, struct csv_reader *reader,
                        struct csv_field *fields, bool *at_end)
{
    while (csv_next_begins(reader, "==") || csv_next_begins(reader, "\n") ||
           csv_next_begins(reader, "\r\n")) // ncu's own notes, and nothing
        csv_skip_line(reader);
    int count = csv_next(reader, fields, table->columns);
    *at_end = count == 0;
    if (count == 0 || (count == table->columns && !reader->unclosed))
        return true;
    int column = fields[(count < table->columns ? count : table->columns) - 1].column;
    if (reader->unclosed)
        return ncu_refuse(table, reader->line, column,
                          "the text ends within quotes: the file is cut off");
    return ncu_refuse(table, reader->line, column, "it has %d fields, and line %d names %d%s",
                      count, table->name_line, table->columns,
                      *reader->rest ? "" : ": the file may be cut off");
}

static bool read_rows(struct ncu_table *table, struct csv_reader *reader)
{
    bool at_end;
    if (!read_record(table, reader, table->units, &at_end))
        return false;
    if (at_end || *table->units[0].text)
        return ncu_refuse(table, at_end ? table->name_line : reader->line, 0,
                          "the row of units is missing, which has nothing under \"ID\"");
    for (;;) {
        size_t used = (size_t)table->rows * (size_t)table->columns;
        struct csv_field *grown =
            realloc(table->cells, (used + (size_t)table->columns) * sizeof *table->cells);
        if (!grown)
            return ncu_refuse(table, 0, 0, "the host has no memory for it");
        table->cells = grown;
        if (!read_record(table, reader, grown + used, &at_end))
            return false;
        if (at_end)
            break;
        if (table->rows == NCU_MAX_LAUNCHES)
            return ncu_refuse(table, reader->line, 0, "it has more than %d launches",
                              NCU_MAX_LAUNCHES);
        table->lines[table->rows++] = reader->line;
    }
    return table->rows > 0 ||
           ncu_refuse(table, reader->line, 0, "there is no launch below it: what was profiled?");
}

// What all numbers agree on. Before the metrics' columns there are none.
static bool find_point(struct ncu_table *table)
{
    for (int row = 0; row < table->rows; row++)
        for (int i = ncu_column(table, "CC") + 1; i < table->columns; i++) {
            const struct csv_field *field = ncu_cell(table, row, i);
            char point = point_of(field->text);
            if (point && table->point && point != table->point)
                return ncu_refuse(table, table->lines[row], field->column,
                                  "'%.40s' has another decimal point than the numbers before it",
                                  field->text);
            table->point = point ? point : table->point;
        }
    table->point = table->point ? table->point : '.';
    return true;
}

bool ncu_table_read(struct ncu_table *table, char *text)
{
    static const char mark[] = "\xef\xbb\xbf"; // of UTF-8, as spreadsheets put it before a text
    struct csv_reader reader = csv_reader_of(text + (strncmp(text, mark, 3) == 0 ? 3 : 0));
    return read_names(table, &reader) && read_rows(table, &reader) && find_point(table);
}
