internal import CProcess
import Glibc

/// The memory that the program brings along.
package enum ProcessMemory {
    /// Whether the kernel started this program, and not the dynamic linker as a program of its own,
    /// whose words stand before ours (ld.so(8), getauxval(3)).
    package static var isProgramOfProcess: Bool { argus_interpreter() != 0 }

    /// Keeps the memory out of core dumps, and from other processes of the user (PR_SET_DUMPABLE).
    static func hide() { argus_forbid_dumps() }

    /// Has the kernel make the pages of the program's variables at once (madvise(2)).
    ///
    /// Most of them are read and then written soon after the start, which takes two faults each;
    /// and once there are two threads, the second fault interrupts the other processor.
    package static func populateVariables() {
        let start = UInt(bitPattern: argus_variables_start()) & ~UInt(getpagesize() - 1)
        let length = Int(UInt(bitPattern: argus_variables_end()) - start)
        // A kernel before 5.14 does not know it, and goes on as ever.
        madvise(UnsafeMutableRawPointer(bitPattern: start), length, MADV_POPULATE_WRITE)
    }

    /// Has large blocks go back to the kernel as soon as they are free (mallopt(3)).
    ///
    /// Otherwise the C library keeps blocks of a size that was freed once. That is quicker for short
    /// answers, and twice the memory for long ones.
    package static func returnLargeBlocks() { argus_return_large_blocks() }
}
