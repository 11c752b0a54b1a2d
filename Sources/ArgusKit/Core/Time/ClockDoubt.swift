/// This machine's clock and a reference time are too far apart to delete anything by age.
package struct ClockDoubt: Error, Hashable, Sendable, CustomStringConvertible {
    /// The distance up to which the clock is believed.
    private static let tolerance = Duration.seconds(3600)

    /// The time on this machine's clock.
    private var now: Timestamp
    private var reference: Timestamp
    /// The origin of the reference, as in a message: `'home' says`.
    private var source: String

    /// Compares the clock with a reference time; an unknown one (nil) raises no doubt.
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
