/* What only C can name: settings of the running program, and attributes of files. */
#ifndef ARGUS_CPROCESS_SHIM_H
#define ARGUS_CPROCESS_SHIM_H

/* fgetxattr and its like, which the module of the C library leaves out. */
#include <sys/xattr.h>

/* The number of a folder's file system (statfs(2)), which Swift's Glibc lacks; 0 if it is unknown. */
#include <sys/vfs.h>
static inline unsigned int argus_file_system(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (unsigned int)status.f_type : 0;
}

/* Keeps the process out of core dumps and from tracers (PR_SET_DUMPABLE of prctl(2)). */
extern int prctl(int option, ...);
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

/* A descriptor of events that no child inherits (eventfd(2), EFD_CLOEXEC). */
extern int eventfd(unsigned int count, int flags);
static inline int argus_event_descriptor(void) { return eventfd(0, 02000000); }

/* Closes a child's descriptors from `first` on; glibc declares it only under _GNU_SOURCE. */
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);

#endif
