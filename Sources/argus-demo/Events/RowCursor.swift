/// Copies parts of a row one behind the other into memory of a known size.
struct RowCursor {
    private let space: UnsafeMutableRawBufferPointer
    /// How many bytes are written.
    private(set) var count = 0

    init(_ space: UnsafeMutableRawBufferPointer) {
        self.space = space
    }

    mutating func put(_ fragment: [UInt8]) {
        let rest = room(for: fragment.count)
        fragment.withUnsafeBytes { rest.copyMemory(from: $0) }
        count += fragment.count
    }

    mutating func put(_ id: Identifier) {
        id.write(to: room(for: 36))
        count += 36
    }

    mutating func put(_ time: Moment) {
        count += time.write(to: room(for: Moment.longestText))
    }

    /// Puts the UTC day, `YYYY-MM-DD`.
    mutating func putDay(of time: Moment) {
        _ = time.write(to: room(for: Moment.longestText))
        count += 10
    }

    private func room(for size: Int) -> UnsafeMutableRawBufferPointer {
        precondition(count + size <= space.count, "the size of a row was computed too small")
        return UnsafeMutableRawBufferPointer(rebasing: space[count...])
    }
}
