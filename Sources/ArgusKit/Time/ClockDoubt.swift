/// The reason not to delete anything by age: this machine's clock and another time are too far apart.
package struct ClockDoubt: Error, Hashable, Sendable, CustomStringConvertible {
    /// The distance up to which the clock is believed.
    private static let tolerance = Duration.seconds(3600)

    /// What this machine's clock says.
    private var now: Timestamp
    private var reference: Timestamp
    /// What tells the reference, such as `'home' says`.
    private var source: String

    /// Compares the clock with a time that should be near; nil, which nobody knows, raises no doubt.
    /// - Throws: `ClockDoubt` if they are more than an hour apart.
    package static func check(
        _ now: Timestamp, against reference: Timestamp?, of source: String
    ) throws(ClockDoubt) {
        guard let reference else { return }
        let distance = now < reference ? reference - now : now - reference
        if distance > tolerance {
            throw ClockDoubt(now: now, reference: reference, source: source)
        }
    }

    package var description: String {
        "the clock of this machine says \(now.displayText(in: .utc)) UTC, but \(source) "
            + "\(reference.displayText(in: .utc)) UTC"
    }
}
