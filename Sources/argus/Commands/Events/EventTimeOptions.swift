import ArgusAccount
import ArgusCore
import CommandLineKit

/// A point in time on the command line, such as `2h`, `yesterday 22:00` or `2026-11-20T22:00`.
struct TimeArgument: ArgumentValue, Equatable {
    static var placeholder: String { "TIME" }

    var expression: TimeExpression
    var text: String

    init(argument: String) throws(ValueError) {
        text = argument
        do {
            expression = try TimeExpression(argument)
        } catch {
            let near =
                TimeExpression.suggestion(for: argument).flatMap { didYouMean([$0]) }
                ?? hint(forMistyped: argument, among: TimeExpression.words)
            throw ValueError(
                sentence: "\(error)",
                hint: (near ?? "such as 2h, 'yesterday 22:00' or 2026-11-20;")
                    + " 'argus help times' lists all forms")
        }
    }

    /// The time as a word of a command line.
    fileprivate var quoted: String { text.contains(" ") ? text.inQuotes : text }
}

extension NamedPeriod: Choice {
    package static func remedy(for word: String) -> String? {
        let since = (try? TimeExpression(word)).flatMap { _ in didYouMean(["--since \(word)"]) }
        let near = since ?? hint(forMistyped: word, among: allCases.map(\.rawValue))
        return (near.map { "\($0) " } ?? "") + "'argus help times' explains periods"
    }
}

struct EventTimeOptions: OptionGroup, Equatable {
    var since: TimeArgument?
    var until: TimeArgument?
    var period: NamedPeriod?

    static let start = since("Only events at or after TIME")

    /// The same option of verbs that begin now.
    static let begin = since("Begin at TIME instead of now")

    private static func since(_ summary: String) -> Flag<EventTimeOptions> {
        .option(
            "since", sets: \.since, summary, details: ["\(topic: "times") lists all forms."]
        ).completing(.dynamic("times")).once().guessed(
            "from", "after", "start", Guess("days", as: "{}d"), Guess("hours", as: "{}h"),
            Guess("last", as: "{#}d"), Guess("last", as: "{#x}"))
    }

    static let own: [Flag<EventTimeOptions>] = [
        start,
        .option("until", sets: \.until, "Only events at or before TIME")
            .completing(.dynamic("times")).once().guessed("to", "before", "end"),
        .option("during", value: "PERIOD", sets: \.period, "Only events of PERIOD").once(),
    ]

    /// The options as they were given.
    var words: [String] {
        [
            since.map { "--since \($0.text)" }, until.map { "--until \($0.text)" },
            period.map { "--during \($0.rawValue)" },
        ].compactMap { $0 }
    }

    /// True if they count from what this machine's clock says.
    var dependsOnClock: Bool {
        period != nil || [since, until].contains { $0?.expression.dependsOnClock == true }
    }

    /// The first and the last instant that count.
    func resolve(in context: Context) throws(Failure) -> (since: Timestamp?, until: Timestamp?) {
        guard self != EventTimeOptions() else { return (nil, nil) }
        let calendar = try LocalCalendar(of: context)
        if let period {
            guard since == nil, until == nil else {
                throw Failure(.usage, "--during cannot be combined with --since or --until")
            }
            let range = period.range(on: calendar)
            return (range.lowerBound, range.upperBound)
        }
        let start = since?.expression.resolve(asEnd: false, on: calendar)
        let end = until?.expression.resolve(asEnd: true, on: calendar, after: start)
        if let start, let end, start > end {
            throw Failure(
                .usage, "--since is later than --until",
                hint: swapped(on: calendar) ?? "'2d' means two days ago")
        }
        return (start, end)
    }

    /// The hint for ends that are in order if they are swapped.
    private func swapped(on calendar: LocalCalendar) -> String? {
        guard let since, let until else { return nil }
        let start = until.expression.resolve(asEnd: false, on: calendar)
        let end = since.expression.resolve(asEnd: true, on: calendar, after: start)
        guard start <= end else { return nil }
        return "swap them: --since \(until.quoted) --until \(since.quoted)"
    }
}

extension LocalCalendar {
    /// The clock, the zone and the nights of a run.
    init(of context: Context) throws(Failure) {
        self.init(now: context.now(), zone: context.timeZone)
        if let text = try context.settings[.night]?.text, let night = Night(text) {
            self.night = night
        }
    }
}
