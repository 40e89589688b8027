/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where Furlong is installed: the folder with bin, lib and share. An installed tree may be moved, and
 * programs are linked statically, so no path is compiled in. The candidates, in this order: what the
 * launcher says (it knows its own place), what upcc wrote into the program when it linked it, the
 * place of the shared object that this code is part of, and that of the upcrun in PATH.
 *
 * One thread starts the process and makes all calls before others look.
 */
#ifndef FL_CORE_INSTALL_H
#define FL_CORE_INSTALL_H

#include "core/status.h"

#include <stddef.h>

/* Offers a candidate; null: none. The first that holds an installation stays. */
void fl_install_offer(const char *root);

/* The name of an installed file, `place` relative to the root ("lib/x.so"); it need not exist. False
 * if no installation is found or `room` bytes are too few: then `path` is "". */
FL_MUST_USE bool fl_install_path(const char *place, char *path, size_t room);

/* The same for libfurlong-STEM.so, which `folder` outranks where it has it; null: no such folder. False
 * if the file does not exist: `file` is the name that was tried last, or "". */
FL_MUST_USE bool fl_install_find_object(const char *stem, const char *folder, char *file,
                                        size_t room);

#endif
