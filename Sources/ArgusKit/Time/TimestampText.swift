extension Timestamp {
    /// The time as `YYYY-MM-DDTHH:MM:SS.ffffffZ`: UTC, always 27 characters, sortable as text.
    ///
    /// Times outside the years 0001 to 9999 are clamped.
    package var utcText: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(27)
        appendUTCText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `utcText` to a buffer without making a string.
    package func appendUTCText(to output: inout [UInt8]) {
        let time = min(max(self, .earliestText), .latestText)
        let fields = TimeFields(utc: time)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 27) { text in
            fields.writeDate(to: text, at: 0)
            text[10] = UInt8(ascii: "T")
            fields.writeClock(to: text, at: 11)
            text[19] = UInt8(ascii: ".")
            var fraction = fields.microsecond
            for index in stride(from: 25, through: 20, by: -1) {
                text[index] = UInt8(ascii: "0") + UInt8(fraction % 10)
                fraction /= 10
            }
            text[26] = UInt8(ascii: "Z")
            output.append(contentsOf: UnsafeBufferPointer(text))
        }
    }

    /// 0001-01-01T00:00:00Z.
    package static let earliestText = Timestamp(seconds: -62_135_596_800)
    /// 9999-12-31T23:59:59.999999Z.
    package static let latestText = Timestamp(microseconds: 253_402_300_799_999_999)
}

extension Timestamp {
    /// The time for tables, in a zone: `2026-11-20 22:00:05`.
    package func displayText(in zone: TimeZoneRules) -> String {
        var fields = zone.fields(of: min(max(self, .earliestText), .latestText))
        // An offset can move the ends of the range into years of other lengths.
        fields.year = min(max(fields.year, 1), 9999)
        return String(unsafeUninitializedCapacity: 19) { text in
            fields.writeDate(to: text, at: 0)
            text[10] = UInt8(ascii: " ")
            fields.writeClock(to: text, at: 11)
            return 19
        }
    }

    /// The time for file names, in a zone: `20261120T220005`.
    package func fileNameText(in zone: TimeZoneRules) -> String {
        String(displayText(in: zone).filter { $0 != "-" && $0 != ":" }.map { $0 == " " ? "T" : $0 })
    }
}
