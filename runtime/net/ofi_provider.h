/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of libfabric's providers carries a job's messages, and the messages' tag. */
#ifndef FL_NET_OFI_PROVIDER_H
#define FL_NET_OFI_PROVIDER_H

#include "net/net.h"

#include <rdma/fabric.h>

/* The first provider in libfabric's order, but for a layer over TCP, that has ordered tagged messages
 * between reliable datagram endpoints, on one interface, or on any (null); and, if `accesses`, access
 * to other processes' memory. Null, or why there is none: text that lives on. The caller frees
 * *info_p. */
const char *fl_ofi_find_provider(const char *interface, bool accesses, struct fi_info **info_p);

/* Whether the provider's network cards access memory without the CPU of its host. */
bool fl_ofi_is_direct(const struct fi_info *info);

/* A hash of the job's key, in as many bits as every provider matches. False: no hash can be made. */
bool fl_ofi_make_tag(const unsigned char key[FL_NET_KEY_BYTES], uint64_t *tag_p);

/* Whether a process has ended that takes no message although none is under way to it: by TCP,
 * libfabric connects to it again and again without a word. Looks now and then; *look_ms is 0 at
 * first. False where that cannot be found out. */
bool fl_ofi_is_gone(const struct fi_info *info, const void *name, uint64_t *look_ms);

/* What failed, and libfabric's word for it: text that lives on. */
const char *fl_ofi_trouble(const char *what, ssize_t error);

#endif
