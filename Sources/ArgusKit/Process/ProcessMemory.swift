internal import CProcess
import Glibc

/// Settings of this process's own memory.
package enum ProcessMemory {
    /// True if the kernel started this program, false if the dynamic linker was called with it.
    ///
    /// In the second case the linker's arguments stand before argus's (ld.so(8), getauxval(3)).
    package static var isProgramOfProcess: Bool { argus_interpreter() != 0 }

    /// Hides the memory from core dumps and other processes of the user (PR_SET_DUMPABLE).
    static func hide() { argus_forbid_dumps() }

    /// Populates the pages of the program's variables at once (madvise(2)).
    ///
    /// Most are read and then written soon after the start, which takes two faults each; with two
    /// threads the second fault also interrupts the other processor.
    package static func populateVariables() {
        let start = UInt(bitPattern: argus_variables_start()) & ~UInt(getpagesize() - 1)
        let length = Int(UInt(bitPattern: argus_variables_end()) - start)
        // Kernels before 5.14 reject the advice, which does no harm.
        madvise(UnsafeMutableRawPointer(bitPattern: start), length, MADV_POPULATE_WRITE)
    }

    /// Returns large blocks to the kernel as soon as they are free (mallopt(3)).
    ///
    /// By default the C library keeps blocks of a size that was freed once, which is faster for
    /// short answers but doubles the memory for long ones.
    package static func returnLargeBlocks() { argus_return_large_blocks() }
}
