/// The keys of a ledger, each with a capture time to the millisecond, in 16 bytes.
///
/// A dictionary is copied whole when it grows or forgets, and a busy watch keeps more than
/// 100,000 keys. The entries stand sorted in 256 buckets, one for each first byte of a key, so that
/// no change copies more than one.
struct LedgerTable: Sendable, Equatable {
    private struct Entry: Equatable {
        let high: UInt64
        /// 16 bits of the key, then 48 of milliseconds since the Unix epoch.
        let rest: UInt64

        init(_ key: EventLedger.Key, _ time: Timestamp) {
            high = key.high
            rest = UInt64(key.low) << 48 | Self.milliseconds(time)
        }

        var key: EventLedger.Key { .init(high: high, low: UInt16(rest >> 48)) }

        var milliseconds: UInt64 { rest & Self.latest }

        static func milliseconds(_ time: Timestamp) -> UInt64 {
            min(UInt64(max(time.microseconds, 0)) / 1000, latest)
        }

        func isBefore(_ key: EventLedger.Key) -> Bool {
            high == key.high ? UInt16(rest >> 48) < key.low : high < key.high
        }

        private static let latest: UInt64 = 1 << 48 - 1
    }

    private var buckets = [[Entry]](repeating: [], count: 256)
    private(set) var count = 0

    subscript(key: EventLedger.Key) -> Timestamp? {
        let bucket = buckets[Self.bucketIndex(of: key)]
        let position = Self.insertionIndex(of: key, in: bucket)
        guard position < bucket.count, bucket[position].key == key else { return nil }
        return Timestamp(microseconds: Int64(bucket[position].milliseconds) * 1000)
    }

    mutating func insert(_ key: EventLedger.Key, _ time: Timestamp) {
        let index = Self.bucketIndex(of: key)
        let position = Self.insertionIndex(of: key, in: buckets[index])
        if position < buckets[index].count, buckets[index][position].key == key {
            buckets[index][position] = Entry(key, time)
            return
        }
        // By an eighth; an array would double.
        if buckets[index].count == buckets[index].capacity {
            buckets[index].reserveCapacity(buckets[index].count * 9 / 8 + 4)
        }
        buckets[index].insert(Entry(key, time), at: position)
        count += 1
    }

    mutating func removeAll(before time: Timestamp) {
        let border = Entry.milliseconds(time)
        for index in buckets.indices { buckets[index].removeAll { $0.milliseconds < border } }
        count = buckets.reduce(0) { $0 + $1.count }
    }

    func count(since time: Timestamp) -> Int {
        let border = Entry.milliseconds(time)
        return buckets.reduce(0) { $0 + $1.count { $0.milliseconds >= border } }
    }

    func forEach(_ body: (EventLedger.Key, Timestamp) -> Void) {
        for entry in buckets.joined() {
            body(entry.key, Timestamp(microseconds: Int64(entry.milliseconds) * 1000))
        }
    }

    private static func bucketIndex(of key: EventLedger.Key) -> Int { Int(key.high >> 56) }

    /// The index of a key in its bucket, or where it would be inserted.
    private static func insertionIndex(of key: EventLedger.Key, in bucket: [Entry]) -> Int {
        bucket.partitioningIndex { !$0.isBefore(key) }
    }
}
