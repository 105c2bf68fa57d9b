// The table that `ncu --csv --page raw` prints: a row a launch, a column a metric, and a row of units below the names.
#ifndef NCU_TABLE_H
#define NCU_TABLE_H

#include "files/csv_read.h"

enum { NCU_WHY_SIZE = 320, NCU_MAX_COLUMNS = 8192, NCU_MAX_LAUNCHES = 4096 };

// A zeroed one is empty.
struct ncu_table {
    char why[NCU_WHY_SIZE]; // what is wrong with it; "" for nothing
    int columns, rows;
    int name_line;
    struct csv_field names[NCU_MAX_COLUMNS], units[NCU_MAX_COLUMNS]; // of each column
    int lines[NCU_MAX_LAUNCHES];                                     // of each row
    struct csv_field *cells;                                         // rows x columns
    char point; // of the numbers: '.' or ',', which is found out from all of them
};

// Reads the text, which is written over and must outlive the table. False when something is wrong with it. The caller
// frees the cells.
bool ncu_table_read(struct ncu_table *table, char *text);

// Says in `why` what is wrong, on which line and in which column of it (0: none), unless something is already. Returns
// false.
__attribute__((format(printf, 4, 5))) bool ncu_refuse(struct ncu_table *table, int line, int column,
                                                      const char *format, ...);

// The column of that name, or -1.
int ncu_column(const struct ncu_table *table, const char *name);

const struct csv_field *ncu_cell(const struct ncu_table *table, int row, int column);

#endif
