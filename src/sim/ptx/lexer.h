// PTX text to tokens.
#ifndef SIM_LEXER_H
#define SIM_LEXER_H

#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,   // ld, %r1, $L__BB0_2, _Z1kPf
    TOKEN_DOT,    // .global: the text is without the dot
    TOKEN_NUMBER, // 12, 0x1F, 0f3F800000, 0d...: `number` holds its bits
    TOKEN_STRING, // the text is without the quotes
    TOKEN_MARK,   // one character of punctuation
    TOKEN_BAD,    // a character or a number that PTX does not have
};

struct token {
    enum token_kind kind;
    const char *text; // into the source, not terminated
    size_t length;
    uint64_t number; // of a number: an integer's value, a float's bits
    int float_width; // of a number: 4 for 0f, 8 for 0d, 0 for an integer
    int line;        // in the PTX text, from 1
};

struct lexer {
    const char *next, *end;
    int line;
};

// Reads `size` bytes of text, which must outlive the tokens.
void lexer_open(struct lexer *lexer, const char *text, size_t size);

// The next token; TOKEN_END for ever at the end.
struct token lexer_next(struct lexer *lexer);

// Whether a token is this name, dotted name or punctuation.
int token_is(const struct token *token, enum token_kind kind, const char *text);

#endif
