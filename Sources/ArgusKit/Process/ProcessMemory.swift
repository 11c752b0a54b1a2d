internal import CProcess

/// Settings of this process's own memory.
package enum ProcessMemory {
    /// True if the kernel started this program, false if the dynamic linker was called with it.
    ///
    /// In the second case the linker's arguments stand before argus's (ld.so(8), getauxval(3)).
    package static var isProgramOfProcess: Bool { argus_interpreter() != 0 }

    /// Hides the memory from core dumps and other processes of the user (PR_SET_DUMPABLE).
    static func hide() { argus_forbid_dumps() }

    /// Returns large blocks to the kernel as soon as they are free (mallopt(3)).
    ///
    /// By default the C library keeps blocks of a size that was freed once, which is faster for
    /// short answers but doubles the memory for long ones.
    package static func returnLargeBlocks() { argus_return_large_blocks() }
}
