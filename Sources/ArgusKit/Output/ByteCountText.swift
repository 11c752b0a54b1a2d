/// Formats sizes for users.
package enum ByteCountText {
    /// `850 B`, `12.3 kB`, `4.0 MB`: powers of 1000, truncated to one decimal.
    package static func short(_ count: Int) -> String {
        guard count >= 1000 else { return "\(max(count, 0)) B" }
        var tenths = count / 100
        var unit = 0
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
