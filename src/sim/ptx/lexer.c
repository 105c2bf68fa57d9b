#include "sim/ptx/lexer.h"

#include <ctype.h>
#include <string.h>

void lexer_open(struct lexer *lexer, const char *text, size_t size)
{
    lexer->next = text;
    lexer->end = text + size;
    lexer->line = 1;
}

static int starts_name(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static int in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static size_t left(const struct lexer *lexer)
{
    return (size_t)(lexer->end - lexer->next);
}

static int at(const struct lexer *lexer, const char *text)
{
    size_t length = strlen(text);
    return left(lexer) >= length && memcmp(lexer->next, text, length) == 0;
}

static void skip_block_comment(struct lexer *lexer)
{
    lexer->next += 2;
    while (lexer->next < lexer->end && !at(lexer, "*/"))
        if (*lexer->next++ == '\n')
            lexer->line++;
    lexer->next += at(lexer, "*/") ? 2 : 0;
}

static void skip_space(struct lexer *lexer)
{
    while (lexer->next < lexer->end) {
        if (at(lexer, "//")) {
            while (lexer->next < lexer->end && *lexer->next != '\n')
                lexer->next++;
        } else if (at(lexer, "/*")) {
            skip_block_comment(lexer);
        } else if (isspace((unsigned char)*lexer->next)) {
            lexer->line += *lexer->next == '\n';
            lexer->next++;
        } else {
            return;
        }
    }
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

// Digits in a base; returns how many there were.
static int read_digits(struct lexer *lexer, unsigned base, uint64_t *number)
{
    int count = 0;
    *number = 0;
    for (; lexer->next < lexer->end && digit_value(*lexer->next) < (int)base; lexer->next++) {
        *number = *number * base + (unsigned)digit_value(*lexer->next);
        count++;
    }
    return count;
}

static void lex_number(struct lexer *lexer, struct token *token)
{
    token->kind = TOKEN_NUMBER;
    int digits, wanted = 0; // 0: any number of digits but none
    if (at(lexer, "0f") || at(lexer, "0F") || at(lexer, "0d") || at(lexer, "0D")) {
        token->float_width = tolower((unsigned char)lexer->next[1]) == 'f' ? 4 : 8;
        wanted = 2 * token->float_width;
        lexer->next += 2;
        digits = read_digits(lexer, 16, &token->number);
    } else if (at(lexer, "0x") || at(lexer, "0X")) {
        lexer->next += 2;
        digits = read_digits(lexer, 16, &token->number);
    } else if (at(lexer, "0b") || at(lexer, "0B")) {
        lexer->next += 2;
        digits = read_digits(lexer, 2, &token->number);
    } else {
        digits = read_digits(lexer, *lexer->next == '0' ? 8 : 10, &token->number);
    }
    if (lexer->next < lexer->end && *lexer->next == 'U')
        lexer->next++;
    if (digits == 0 || (wanted && digits != wanted) ||
        (lexer->next < lexer->end && in_name(*lexer->next)))
        token->kind = TOKEN_BAD;
}

// A dotted name may have parts after "::", as in .L2::128B.
static void lex_name(struct lexer *lexer, int dotted)
{
    while (lexer->next < lexer->end) {
        if (in_name(*lexer->next))
            lexer->next++;
        else if (dotted && at(lexer, "::"))
            lexer->next += 2;
        else
            return;
    }
}

static void lex_string(struct lexer *lexer, struct token *token)
{
    token->text = ++lexer->next;
    while (lexer->next < lexer->end && *lexer->next != '"' && *lexer->next != '\n')
        lexer->next++;
    token->length = (size_t)(lexer->next - token->text);
    token->kind = TOKEN_BAD;
    if (lexer->next < lexer->end && *lexer->next == '"') {
        token->kind = TOKEN_STRING;
        lexer->next++;
    }
}

struct token lexer_next(struct lexer *lexer)
{
    skip_space(lexer);
    struct token token = {.kind = TOKEN_END, .text = lexer->next, .line = lexer->line};
    if (lexer->next == lexer->end)
        return token;
    char c = *lexer->next;
    if (starts_name(c)) {
        token.kind = TOKEN_NAME;
        lexer->next++;
        lex_name(lexer, 0);
    } else if (c == '.' && left(lexer) > 1 && in_name(lexer->next[1])) {
        token.kind = TOKEN_DOT;
        token.text = ++lexer->next;
        lex_name(lexer, 1);
    } else if (isdigit((unsigned char)c)) {
        lex_number(lexer, &token);
    } else if (c == '"') {
        lex_string(lexer, &token);
        return token;
    } else {
        token.kind = strchr(",;:{}()[]<>+-|!@=*.", c) && c ? TOKEN_MARK : TOKEN_BAD;
        lexer->next++;
    }
    token.length = (size_t)(lexer->next - token.text);
    return token;
}

int token_is(const struct token *token, enum token_kind kind, const char *text)
{
    return token->kind == kind && strlen(text) == token->length &&
           memcmp(token->text, text, token->length) == 0;
}
