internal import CProcess
import Glibc

/// The processors that a thread may run on (sched_setaffinity(2)).
struct Processors: Sendable {
    private var bits: [UInt64]

    private static let size = 128

    /// The processors of the calling thread; nil if they are unknown or may not be chosen.
    static func ofThread() -> Processors? {
        // A seccomp filter may kill a process that sets its affinity. The check for a filter uses
        // prctl(2), which filters that allow threads usually allow too.
        guard argus_is_filtered() == 0 else { return nil }
        var bits = [UInt64](repeating: 0, count: size / MemoryLayout<UInt64>.stride)
        guard sched_getaffinity(0, UInt(size), &bits) >= 0 else { return nil }
        return Processors(bits: bits)
    }

    /// All of these but the calling thread's current one; nil if that is the only one.
    var others: Processors? {
        let own = Int(sched_getcpu())
        guard own >= 0, own / UInt64.bitWidth < bits.count else { return nil }
        var others = self
        others.bits[own / UInt64.bitWidth] &= ~(1 << UInt64(own % UInt64.bitWidth))
        return others.bits.contains { $0 != 0 } ? others : nil
    }

    /// Restricts a new thread to these processors.
    func require(in attributes: inout pthread_attr_t) {
        _ = pthread_attr_setaffinity_np(&attributes, UInt(Self.size), bits)
    }

    /// Lets the calling thread run on all of these processors.
    func allow() { _ = sched_setaffinity(0, UInt(Self.size), bits) }
}
