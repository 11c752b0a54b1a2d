internal import CProcess
import Glibc

/// The processors that a thread may run on (sched_setaffinity(2)).
struct Processors: Sendable {
    private var bits: [UInt64]

    private static let size = 128

    /// The processors of the calling thread; nil where they are not known or not ours to choose.
    static func ofThread() -> Processors? {
        // A filter may end a program for choosing its processors. That one is asked for is in the
        // same sets of calls as that threads begin.
        guard argus_is_filtered() == 0 else { return nil }
        var bits = [UInt64](repeating: 0, count: size / MemoryLayout<UInt64>.stride)
        guard sched_getaffinity(0, UInt(size), &bits) >= 0 else { return nil }
        return Processors(bits: bits)
    }

    /// These without the one that the calling thread runs on; nil when it is the only one.
    var others: Processors? {
        let own = Int(sched_getcpu())
        guard own >= 0, own / UInt64.bitWidth < bits.count else { return nil }
        var others = self
        others.bits[own / UInt64.bitWidth] &= ~(1 << UInt64(own % UInt64.bitWidth))
        return others.bits.contains { $0 != 0 } ? others : nil
    }

    /// Has a thread begin on one of these.
    func require(in attributes: inout pthread_attr_t) {
        _ = pthread_attr_setaffinity_np(&attributes, UInt(Self.size), bits)
    }

    /// Lets the calling thread run on all of these.
    func allow() {
        _ = sched_setaffinity(0, UInt(Self.size), bits)
    }
}
