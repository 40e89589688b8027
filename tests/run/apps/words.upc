// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2
/* Strings in shared memory: a text dealt out in blocks, words that cross block borders, a
 * histogram of letters in a cyclic array, a dictionary of structs that hold char arrays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <upc_relaxed.h>

#define LINE "the quick brown fox jumps over the lazy dog and the cat; "
#define LENGTH (sizeof(LINE) - 1)
#define REPEAT 7
#define BLOCK 16
#define BYTES (((REPEAT * LENGTH + BLOCK - 1) / BLOCK) * BLOCK)
#define MAX_WORDS 32

struct entry {
    char word[12];
    unsigned count;
};

shared [BLOCK] char text[BYTES * THREADS];
shared int letters[THREADS][26];
shared [] struct entry dictionary[MAX_WORDS];
shared int n_words;
upc_lock_t *lock;

static int is_letter(size_t i) { return i < BYTES * THREADS && isalpha((unsigned char)text[i]); }

static int same(shared [] const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static void copy(shared [] char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}

static void count_word(const char *word)
{
    int i;
    upc_lock(lock);
    for (i = 0; i < n_words; i++)
        if (same(dictionary[i].word, word))
            break;
    if (i == n_words) {
        copy(dictionary[n_words++].word, word);
        dictionary[i].count = 0;
    }
    dictionary[i].count += 1;
    upc_unlock(lock);
}

static unsigned lookup(const char *word)
{
    for (int i = 0; i < n_words; i++) {
        char name[12];
        upc_memget(name, dictionary[i].word, sizeof name);
        if (!strcmp(name, word))
            return dictionary[i].count;
    }
    return 0;
}

static void expect(const char *what, long got, long expected)
{
    if (got != expected) {
        printf("%s: %ld, expected %ld\n", what, got, expected);
        upc_global_exit(1);
    }
}

int main(void)
{
    size_t i;
    lock = upc_all_lock_alloc();
    upc_forall (i = 0; i < BYTES * THREADS; i++; &text[i])
        text[i] = i < REPEAT * LENGTH ? LINE[i % LENGTH] : ' ';
    upc_barrier;

    upc_forall (i = 0; i < BYTES * THREADS; i++; &text[i]) {
        if (is_letter(i))
            letters[MYTHREAD][text[i] - 'a']++;
        if (is_letter(i) && (i == 0 || !is_letter(i - 1))) {
            char word[12];
            size_t n = 0;
            while (is_letter(i + n))
                word[n] = text[i + n], n++;
            word[n] = '\0';
            count_word(word);
        }
    }
    upc_barrier;

    if (MYTHREAD == THREADS - 1) {
        int sum[26] = {0};
        for (int t = 0; t < THREADS; t++)
            for (int l = 0; l < 26; l++)
                sum[l] += letters[t][l];
        expect("the", lookup("the"), 3 * REPEAT);
        expect("dog", lookup("dog"), REPEAT);
        expect("bird", lookup("bird"), 0);
        expect("words", n_words, 10);
        expect("letter e", sum['e' - 'a'], 4 * REPEAT);
        expect("letter z", sum['z' - 'a'], REPEAT);
        puts("ok");
    }
    return 0;
}
