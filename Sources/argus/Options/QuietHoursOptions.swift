import ArgusCore
import ArgusEvents
import ArgusPush
import CommandLineKit

/// The value of `--quiet-hours`: hours of each day, or none.
enum QuietChoice: ArgumentValue, Equatable {
    case off
    case span(QuietHours)

    static var placeholder: String { "HH:MM-HH:MM|off" }

    init(argument: String) throws(ValueError) {
        if argument == "off" {
            self = .off
            return
        }
        guard let hours = QuietHours(argument) else {
            throw ValueError("is neither 'off' nor two times such as 22:00-07:00")
        }
        guard hours.start != hours.end else {
            throw ValueError("has the same start and end; to end quiet hours, use 'off'")
        }
        self = .span(hours)
    }
}

enum Switch: String, Choice {
    case on, off
}

/// The name of a time zone such as `Europe/Paris`, by its form.
struct ZoneName: ArgumentValue, Equatable {
    static var placeholder: String { "ZONE" }
    static var completion: Completion { .dynamic("zones") }

    var text: String

    init(argument: String) throws(ValueError) {
        guard LocalZone.isName(argument) else {
            throw ValueError("is not the name of a time zone, such as Europe/Paris")
        }
        text = argument
    }
}

extension PushPreferencesChange {
    /// Sets the quiet hours, by default in this machine's time zone if none was ever set.
    mutating func set(_ quiet: QuietChoice?, _ zone: ZoneName?, in system: SystemEnvironment) {
        switch quiet {
        case .off: self.quiet = .some(nil)
        case .span(let span): self.quiet = .some(span)
        case nil: break
        }
        timezone = zone?.text
        defaultTimezone = LocalZone.name(environment: system.environment.variables)
    }
}

extension SystemEnvironment {
    /// The rules of a zone; nil if this machine does not know it.
    func zone(named name: String) -> TimeZoneRules? {
        LocalZone.rules(named: name, environment: environment.variables)
    }

    /// - Throws: `Failure` 2 for a zone that the machine's database does not have, and for quiet hours
    ///   without a zone on a machine whose own has no name.
    func check(_ zone: ZoneName?, for quiet: QuietChoice?) throws(Failure) {
        guard let zone else {
            guard case .span? = quiet, LocalZone.name(environment: environment.variables) == nil
            else { return }
            throw Failure(
                .usage,
                "--quiet-hours needs --timezone: the name of this machine's zone is unknown",
                hint: "name it, such as --timezone Europe/Paris")
        }
        guard self.zone(named: zone.text) == nil else { return }
        throw Failure(
            .usage, "--timezone: there is no time zone \(zone.text.inQuotes)",
            hint: "use a name such as Europe/Paris or America/New_York, with this case")
    }
}
