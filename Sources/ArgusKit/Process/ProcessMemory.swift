internal import CProcess

/// Settings of this process's own memory.
package enum ProcessMemory {
    /// Hides the memory from core dumps and other processes of the user (PR_SET_DUMPABLE).
    static func hide() { argus_forbid_dumps() }

    /// Returns large blocks to the kernel as soon as they are free (mallopt(3)).
    ///
    /// By default the C library keeps blocks of a size that was freed once, which is faster for
    /// short answers but doubles the memory for long ones.
    package static func returnLargeBlocks() { argus_return_large_blocks() }
}
