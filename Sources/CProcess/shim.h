/* What only C can name: settings and code of the running program, and attributes of files. */
#ifndef ARGUS_CPROCESS_SHIM_H
#define ARGUS_CPROCESS_SHIM_H

/* fgetxattr and its like, which the module of the C library leaves out. */
#include <sys/xattr.h>

/* The ends of the program's own code, as the linker sets them (end(3)). */
extern char __executable_start[];
extern char etext[];

static inline char *argus_code_start(void) { return __executable_start; }
static inline char *argus_code_end(void) { return etext; }

#include <malloc.h>

/* A threshold that was set stays, and below 1 MiB nothing changes. */
static inline void argus_return_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 1 << 20); }

/* Whether a filter decides which system calls the process may make (PR_GET_SECCOMP of prctl(2)). */
extern int prctl(int option, ...);
static inline int argus_is_filtered(void) { return prctl(21, 0, 0, 0, 0) != 0; }

/* Keeps the process out of core dumps and from tracers (PR_SET_DUMPABLE of prctl(2)). */
static inline void argus_forbid_dumps(void) { prctl(4, 0, 0, 0, 0); }

/* Files without names (open(2), memfd_create(2)), which glibc declares only to programs that ask for
   all of GNU. */
#include <fcntl.h>
static inline int argus_nameless_flag(void) { return __O_TMPFILE; }
extern int memfd_create(const char *name, unsigned int flags);
static inline int argus_memory_file(const char *name) { return memfd_create(name, 1); }

/* A connection that no child inherits and that never blocks (accept4(2), SOCK_CLOEXEC | SOCK_NONBLOCK). */
extern int accept4(int socket, void *address, void *size, int flags);
static inline int argus_accept(int socket) { return accept4(socket, 0, 0, 02000000 | 04000); }

/* glibc declares these only to programs that ask for all of GNU; the sets are plain bits. */
extern int pthread_attr_setaffinity_np(void *attributes, unsigned long size, const void *processors);
extern int sched_getcpu(void);
extern int sched_getaffinity(int process, unsigned long size, void *processors);
extern int sched_setaffinity(int process, unsigned long size, const void *processors);

/* Closes a child's descriptors from `first` on; glibc declares it only under _GNU_SOURCE. */
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);

#endif
