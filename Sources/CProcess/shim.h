/* What only C can name: settings and code of the running program, and attributes of files. */
#ifndef ARGUS_CPROCESS_SHIM_H
#define ARGUS_CPROCESS_SHIM_H

/* fgetxattr and its like, which the module of the C library leaves out. */
#include <sys/xattr.h>

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

/* The beginning of struct dl_phdr_info, which glibc declares only to programs that ask for all of GNU. */
struct argus_loaded_object {
    unsigned long base;
    const char *name;
    const Elf64_Phdr *segments;
    unsigned short count;
};
extern int dl_iterate_phdr(
    int (*visit)(struct argus_loaded_object *, unsigned long, void *), void *context);

/* Gives back the pages of segments that nothing writes, relocations included. */
static inline int argus_release_object(
    struct argus_loaded_object *object, unsigned long size, void *context) {
    unsigned long page = (unsigned long)getpagesize();
    for (int i = 0; i < object->count; i++) {
        const Elf64_Phdr *segment = &object->segments[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        unsigned long start = (object->base + segment->p_vaddr) & ~(page - 1);
        unsigned long end = (object->base + segment->p_vaddr + segment->p_memsz) & ~(page - 1);
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

static inline void argus_release_code(void) { dl_iterate_phdr(argus_release_object, 0); }

#include <malloc.h>

/* A threshold that was set stays, and below 1 MiB nothing changes. */
static inline void argus_return_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 1 << 20); }

/* The same for the buffers of a page of events, and for the ends of the heaps, of which each thread has one. */
static inline void argus_return_blocks(void) {
    mallopt(M_MMAP_THRESHOLD, 64 << 10);
    mallopt(M_TRIM_THRESHOLD, 64 << 10);
    mallopt(M_TOP_PAD, 16 << 10);
    malloc_trim(0);
}

/* Whether a filter decides which system calls the process may make (PR_GET_SECCOMP of prctl(2)). */
extern int prctl(int option, ...);
static inline int argus_is_filtered(void) { return prctl(21, 0, 0, 0, 0) != 0; }

/* Begins to write what a file has, without waiting for it (SYNC_FILE_RANGE_WRITE of sync_file_range(2)). */
extern int sync_file_range(int, long, long, unsigned);
static inline void argus_start_writeback(int file) { sync_file_range(file, 0, 0, 2); }

/* Keeps the process out of core dumps and from tracers (PR_SET_DUMPABLE of prctl(2)). */
static inline void argus_forbid_dumps(void) { prctl(4, 0, 0, 0, 0); }

/* Files without names (open(2), memfd_create(2)), which glibc declares only to programs that ask for
   all of GNU. */
#include <fcntl.h>
static inline int argus_nameless_flag(void) { return __O_TMPFILE; }
extern int memfd_create(const char *name, unsigned int flags);
static inline int argus_memory_file(const char *name) { return memfd_create(name, 1); }

/* Renames a file unless the name is taken (renameat2(2), RENAME_NOREPLACE). */
extern int renameat2(int from, const char *source, int to, const char *target, unsigned int flags);
static inline int argus_rename_exclusively(const char *source, const char *target) {
    return renameat2(AT_FDCWD, source, AT_FDCWD, target, 1);
}

/* A connection that no child inherits and that never blocks (accept4(2), SOCK_CLOEXEC | SOCK_NONBLOCK). */
extern int accept4(int socket, void *address, void *size, int flags);
static inline int argus_accept(int socket) { return accept4(socket, 0, 0, 02000000 | 04000); }

/* glibc declares these only to programs that ask for all of GNU; the sets are plain bits. */
extern int pthread_attr_setaffinity_np(void *attributes, unsigned long size, const void *processors);
extern int sched_getcpu(void);
extern int sched_getaffinity(int process, unsigned long size, void *processors);
extern int sched_setaffinity(int process, unsigned long size, const void *processors);

/* The arguments of main(3), which the C library hands to constructors too: Swift reads them from /proc,
   which may be missing. Reading them links the constructor. */
static inline char ***argus_arguments_place(void) {
    static char **place;
    return &place;
}
__attribute__((constructor)) static void argus_keep_arguments(int count, char **list) {
    (void)count;
    *argus_arguments_place() = list;
}
static inline char **argus_arguments(void) {
    (void)argus_keep_arguments;
    return *argus_arguments_place();
}

/* The place of Swift's runtime for a function that takes over the jobs of its own threads. */
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(void *job, void *original);
static inline void (**argus_job_taker_place(void))(void *) {
    static void (*place)(void *);
    return &place;
}
static __attribute__((swiftcall)) void argus_hand_over_job(void *job, void *original) {
    (void)original;
    (*argus_job_taker_place())(job);
}
static inline void argus_take_jobs(void (*take)(void *job)) {
    *argus_job_taker_place() = take;
    swift_task_enqueueGlobal_hook = argus_hand_over_job;
}

/* Closes a child's descriptors from `first` on; glibc declares it only under _GNU_SOURCE. */
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);

#endif
