/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs change about stdin and stdout, where upc/output.h has replaced these: the C library
 * would crash, or mix the lines of threads in a buffer. */
#include "libc/state.h"
#include "platform/c_library.h"
#include "upc/output.h"

LIBC_OWN FILE *freopen(const char *path, const char *mode, FILE *stream) {
    return upc_output_owns(stream) ? upc_output_reopen(path, mode, stream)
                                   : fl_libc_freopen(path, mode, stream);
}

LIBC_OWN int fclose(FILE *stream) {
    return upc_output_owns(stream) ? upc_output_end(stream) : fl_libc_fclose(stream);
}

LIBC_OWN int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    return upc_output_owns(stream) ? 0 : fl_libc_setvbuf(stream, buffer, mode, size);
}

LIBC_OWN void setbuf(FILE *stream, char *buffer) {
    (void)setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}
