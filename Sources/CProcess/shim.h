/* What only C can name of the running program. */
#ifndef ARGUS_CPROCESS_SHIM_H
#define ARGUS_CPROCESS_SHIM_H

/* The ends of the program's own variables, as the linker sets them (ld(1), end(3)). */
extern char __data_start[];
extern char _end[];

static inline char *argus_variables_start(void) { return __data_start; }
static inline char *argus_variables_end(void) { return _end; }

#endif
