extension Array<UInt8> {
    /// Appends an ASCII literal.
    @inline(__always)
    mutating func append(literal text: StaticString) {
        append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a whole number in decimal.
    mutating func appendDecimal(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendDecimal(magnitude: value.magnitude, minimumDigits: 1)
    }

    /// Appends a number in decimal, padded with zeros to `minimumDigits` (at most 20).
    mutating func appendDecimal(magnitude: UInt64, minimumDigits: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = magnitude
            var first = 20
            repeat {
                first -= 1
                digits.initializeElement(at: first, to: UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            } while rest > 0 || 20 - first < minimumDigits
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }
}
