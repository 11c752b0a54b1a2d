/// The keys of a ledger, each with a capture time to the millisecond, in 16 bytes.
///
/// A dictionary is copied whole when it grows or forgets, and a busy watch keeps more than
/// 100,000 keys. The entries stand sorted in lists, by the first byte of their keys, so that no change
/// copies more than one of 256.
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

    private var lists = [[Entry]](repeating: [], count: 256)
    private(set) var count = 0

    subscript(key: EventLedger.Key) -> Timestamp? {
        let list = lists[Self.list(of: key)]
        let place = Self.place(of: key, in: list)
        guard place < list.count, list[place].key == key else { return nil }
        return Timestamp(microseconds: Int64(list[place].milliseconds) * 1000)
    }

    mutating func insert(_ key: EventLedger.Key, _ time: Timestamp) {
        let number = Self.list(of: key)
        let place = Self.place(of: key, in: lists[number])
        if place < lists[number].count, lists[number][place].key == key {
            lists[number][place] = Entry(key, time)
            return
        }
        // By an eighth; an array would double.
        if lists[number].count == lists[number].capacity {
            lists[number].reserveCapacity(lists[number].count * 9 / 8 + 4)
        }
        lists[number].insert(Entry(key, time), at: place)
        count += 1
    }

    mutating func removeAll(before time: Timestamp) {
        let border = Entry.milliseconds(time)
        for number in lists.indices { lists[number].removeAll { $0.milliseconds < border } }
        count = lists.reduce(0) { $0 + $1.count }
    }

    func count(since time: Timestamp) -> Int {
        let border = Entry.milliseconds(time)
        return lists.reduce(0) { $0 + $1.count { $0.milliseconds >= border } }
    }

    func forEach(_ body: (EventLedger.Key, Timestamp) -> Void) {
        for entry in lists.joined() {
            body(entry.key, Timestamp(microseconds: Int64(entry.milliseconds) * 1000))
        }
    }

    private static func list(of key: EventLedger.Key) -> Int { Int(key.high >> 56) }

    /// The index of a key in its list, or where it would be inserted.
    private static func place(of key: EventLedger.Key, in list: [Entry]) -> Int {
        list.partitioningIndex { !$0.isBefore(key) }
    }
}
