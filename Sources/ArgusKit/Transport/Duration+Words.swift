extension Duration {
    /// Milliseconds, a part of one rounded up; bounded to what a C `int` holds.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let step: Int64 = 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int((attoseconds + step - 1) / step)
    }

    /// The duration for people, such as `5 s`, `1.5 s` or `250 ms`.
    package var words: String {
        let milliseconds = wholeMilliseconds
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
