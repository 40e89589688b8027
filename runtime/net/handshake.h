/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How both ends of a connection prove that they know the job's key, without saying it: challenge
 * and response in both directions.
 *
 *     connecting end                     listening end
 *       hello: its nonce          ->
 *                                 <-      answer: its nonce, proof of "L"
 *       proof of "C"              ->
 *
 * A proof is the keyed hash (BLAKE2b) of the role, the address and port of the listening end, and
 * both nonces. Nonces are random and new for each connection, so a recorded handshake proves
 * nothing; the role keeps an end from being answered with its own words, the address keeps them from
 * being passed on to another process. What follows on the connection is neither signed nor
 * encrypted.
 */
#ifndef FL_NET_HANDSHAKE_H
#define FL_NET_HANDSHAKE_H

#include "net/net.h"

#include <sys/socket.h>

enum { FL_HANDSHAKE_NONCE_BYTES = 32, FL_HANDSHAKE_PROOF_BYTES = 32 };

struct fl_handshake {
    unsigned char listener[18]; /* port and address of the listening end */
    struct fl_handshake_hello {
        char magic[8];
        unsigned char nonce[FL_HANDSHAKE_NONCE_BYTES];
    } hello;
    struct fl_handshake_answer {
        unsigned char nonce[FL_HANDSHAKE_NONCE_BYTES];
        unsigned char proof[FL_HANDSHAKE_PROOF_BYTES];
    } answer;
    unsigned char proof[FL_HANDSHAKE_PROOF_BYTES];
};
_Static_assert(sizeof(struct fl_handshake_hello) == 40 && sizeof(struct fl_handshake_answer) == 64,
               "sent as they are");

/* Once, before all others: false if the hash cannot be used here. */
FL_MUST_USE bool fl_handshake_setup(const unsigned char key[FL_NET_KEY_BYTES]);

/* `address` of the listening end, IPv4 or IPv6: at both ends, first. */
void fl_handshake_set_listener(struct fl_handshake *shake, const struct sockaddr *address);

/* The connecting end: makes the hello; makes the proof when the answer is there. False: the other
 * end does not know the key. */
void fl_handshake_begin(struct fl_handshake *shake);
FL_MUST_USE bool fl_handshake_finish(struct fl_handshake *shake);

/* The listening end: makes the answer when the hello is there, false if that is none; whether the
 * proof is one. */
FL_MUST_USE bool fl_handshake_answer(struct fl_handshake *shake);
FL_MUST_USE bool fl_handshake_accept(const struct fl_handshake *shake);

#endif
