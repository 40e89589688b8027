/* SPDX-License-Identifier: BSD-3-Clause */
/* See handshake.h. */
#include "net/handshake.h"

#include "core/assert.h"

#include <netinet/in.h>
#include <sodium.h>
#include <string.h>

_Static_assert(FL_NET_KEY_BYTES == crypto_generichash_KEYBYTES, "the hash takes a key of this size");

static const char magic[8] = "furlong2";

static unsigned char key[FL_NET_KEY_BYTES];

bool fl_handshake_setup(const unsigned char job_key[FL_NET_KEY_BYTES]) {
    memcpy(key, job_key, sizeof key);
    return sodium_init() >= 0;
}

/* The scope of an IPv6 address is each host's own, and stays out. */
void fl_handshake_set_listener(struct fl_handshake *shake, const struct sockaddr *address) {
    unsigned char *to = shake->listener;
    memset(to, 0, sizeof shake->listener);
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;
        memcpy(to, &six->sin6_port, 2);
        memcpy(to + 2, &six->sin6_addr, 16);
    } else {
        const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;
        memcpy(to, &four->sin_port, 2);
        memcpy(to + 2, &four->sin_addr, 4);
    }
}

static void prove(char role, const struct fl_handshake *shake, unsigned char *proof) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, key, sizeof key, FL_HANDSHAKE_PROOF_BYTES);
    crypto_generichash_update(&state, (const unsigned char *)&role, 1);
    crypto_generichash_update(&state, shake->listener, sizeof shake->listener);
    crypto_generichash_update(&state, shake->hello.nonce, sizeof shake->hello.nonce);
    crypto_generichash_update(&state, shake->answer.nonce, sizeof shake->answer.nonce);
    crypto_generichash_final(&state, proof, FL_HANDSHAKE_PROOF_BYTES);
}

/* The comparison takes equally long whatever of the proof is right. */
static bool proves(char role, const struct fl_handshake *shake, const unsigned char *proof) {
    unsigned char right[FL_HANDSHAKE_PROOF_BYTES];
    prove(role, shake, right);
    return sodium_memcmp(right, proof, sizeof right) == 0;
}

void fl_handshake_begin(struct fl_handshake *shake) {
    memcpy(shake->hello.magic, magic, sizeof magic);
    randombytes_buf(shake->hello.nonce, sizeof shake->hello.nonce);
}

bool fl_handshake_answer(struct fl_handshake *shake) {
    if (memcmp(shake->hello.magic, magic, sizeof magic) != 0) {
        return false;
    }
    randombytes_buf(shake->answer.nonce, sizeof shake->answer.nonce);
    prove('L', shake, shake->answer.proof);
    return true;
}

bool fl_handshake_finish(struct fl_handshake *shake) {
    fl_assert(!sodium_is_zero(shake->hello.nonce, sizeof shake->hello.nonce));
    prove('C', shake, shake->proof);
    return proves('L', shake, shake->answer.proof);
}

bool fl_handshake_accept(const struct fl_handshake *shake) {
    fl_assert(!sodium_is_zero(shake->answer.nonce, sizeof shake->answer.nonce));
    return proves('C', shake, shake->proof);
}
