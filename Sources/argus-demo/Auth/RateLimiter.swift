/// Counts calls in sliding windows.
struct RateLimiter: Sendable {
    private var calls: [String: [Moment]] = [:]

    /// Counts a call under `key`; false, uncounted, if `limit` calls were made in `seconds`.
    mutating func admits(_ key: String, limit: Int, seconds: Int64, now: Moment) -> Bool {
        var recent = calls[key, default: []].filter { $0 + seconds > now }
        let isAdmitted = recent.count < limit
        if isAdmitted { recent.append(now) }
        calls[key] = recent
        return isAdmitted
    }
}
