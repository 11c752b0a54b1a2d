import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusTransport
import CommandLineKit

/// Days of the week as a user writes them: `mon-fri`, `sat,sun`, or `all`.
struct DayList: ListValue, Equatable {
    static var placeholder: String { "DAY[,DAY]" }

    private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// 1 for Monday to 7 for Sunday; empty for all.
    var days: [Int]

    init(argument: String) throws(ValueError) {
        days = []
        if argument == "all" { return }
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Self.day)
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1]
            else {
                throw ValueError(
                    "is not a day such as mon, or a span such as mon-fri", part: String(part))
            }
            var day = first
            days.append(day)
            while day != last {
                day = day % 7 + 1
                days.append(day)
            }
        }
        days = days.distinct.sorted()
    }

    mutating func append(_ more: DayList) throws(ValueError) {
        guard self != more else { return }
        guard !days.isEmpty, !more.days.isEmpty else {
            throw ValueError("cannot be combined with the days before it")
        }
        days = (days + more.days).distinct.sorted()
    }

    /// The day that a word begins, such as `mon` or `Monday`.
    private static func day(_ word: Substring) -> Int? {
        let word = word.lowercased()
        let whole = [
            "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        ]
        guard word.count >= 2 else { return nil }
        return whole.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }

    /// The name of a day, 1 for Monday; the number for another one.
    static func name(_ day: Int) -> String {
        names.indices.contains(day - 1) ? names[day - 1] : String(day)
    }

    /// Days in such words, spans of three and more as spans.
    static func text(of days: [Int]) -> String {
        var spans: [ClosedRange<Int>] = []
        for day in days.distinct.sorted() {
            if let last = spans.last, last.upperBound == day - 1 {
                spans[spans.count - 1] = last.lowerBound...day
            } else {
                spans.append(day...day)
            }
        }
        return spans.map { span in
            span.count > 2
                ? "\(name(span.lowerBound))-\(name(span.upperBound))"
                : span.map(name).joined(separator: ",")
        }.joined(separator: ",")
    }
}

/// Hours of each day, or all of them.
enum HoursChoice: ArgumentValue, Equatable {
    case all
    case span(QuietHours)

    static var placeholder: String { "HH:MM-HH:MM|all" }

    init(argument: String) throws(ValueError) {
        if argument == "all" {
            self = .all
            return
        }
        guard let hours = QuietHours(argument) else {
            throw ValueError("is neither 'all' nor two times such as 22:00-06:00")
        }
        self = .span(hours)
    }
}

/// An address of a webhook, or none.
enum WebhookChoice: ArgumentValue, Equatable {
    case off
    case url(String)

    static var placeholder: String { "URL|off" }

    init(argument: String) throws(ValueError) {
        if argument == "off" {
            self = .off
            return
        }
        guard argument.hasPrefix("http://") || argument.hasPrefix("https://") else {
            throw ValueError("is neither 'off' nor a URL with http:// or https://")
        }
        guard WebhookAddress.withoutUser(argument) == argument else {
            throw ValueError("has a user name or password; send them in a header field")
        }
        self = .url(argument)
    }
}

/// The address of a webhook.
enum WebhookAddress {
    /// The URL without the user's name and password, which it may have (RFC 3986, section 3.2.1).
    static func withoutUser(_ url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return url }
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        guard let at = url[start..<end].lastIndex(of: "@") else { return url }
        return url[..<start] + "…" + url[at...]
    }
}

/// A cooldown: whole minutes, at most a day.
struct Cooldown: ArgumentValue, Equatable {
    static var placeholder: String { "DURATION" }

    var minutes: Int

    init(argument: String) throws(ValueError) {
        guard let span = DurationText.parse(argument) else {
            throw ValueError("is no duration such as 10m")
        }
        let (seconds, rest) = span.components
        guard rest == 0, seconds % 60 == 0, (0...86_400).contains(seconds) else {
            throw ValueError("is not in whole minutes from 0 to 24h")
        }
        minutes = Int(seconds / 60)
    }
}

/// The parts of an alert rule: the conditions in the words of filters, and the actions.
struct RuleOptions: OptionGroup, Equatable {
    var cameras: [CameraList] = []
    var types: ListOrAll<String>?
    var hours: HoursChoice?
    var days: DayList?
    var minConfidence: Int?
    var entity: String?
    var carriers: ListOrAll<String>?
    var cooldown: Cooldown?
    var webhook: WebhookChoice?
    var headerFile: String?
    var dashboard: Switch?

    static let own: [Flag<RuleOptions>] =
        conditions.map { $0.inSection("Conditions") } + actions.map { $0.inSection("Actions") }

    private static let conditions: [Flag<RuleOptions>] = [
        .repeatable(
            "camera", value: "CAMERA[,CAMERA]|all", appends: \.cameras,
            "Events of these cameras"
        ).completing(.dynamicList("camera-list")).withBlanks(),
        .list(
            "type", value: "TYPE[,TYPE]|all", adds: \.types,
            "Events in which an object of these types was seen",
            details: [
                """
                \(code: "person"), \(code: "vehicle"), \(code: "animal"), \(code: "package") \
                or \(code: "unknown").
                """
            ]
        ).completing(.dynamicList("types")),
        .option(
            "between", value: "HH:MM-HH:MM", sets: \.hours, "Events at this time of day",
            details: [
                """
                Both minutes are included, and \(code: "22:00-06:00") ends on the next day. \
                argus applies them in this machine's time zone, the server in UTC.
                """
            ]),
        .list(
            "days", value: "DAY[,DAY]", adds: \.days, "Events on these days, such as mon-fri"),
        .option(
            "min-confidence", value: "N", sets: \.minConfidence,
            "Events with at least N percent confidence"
        ).within(0...100),
        .option(
            "entity", value: "NAME", sets: \.entity, "Events of this person or vehicle",
            details: [
                """
                A name or an id of \(code: "argus entities list"); \(code: "none") for strangers, \
                \(code: "all") for everybody.
                """
            ]
        ).completing(.dynamic("entities")).withBlanks(),
        .list(
            "carrier", value: "CARRIER[,CARRIER]", adds: \.carriers,
            "Deliveries of packages by these carriers",
            details: [
                """
                \(code: "fedex"), \(code: "ups"), \(code: "usps"), \(code: "amazon") or \
                \(code: "dhl"); \(code: "all") for any of them, \(code: "none") for events that \
                are no deliveries too.
                """
            ]),
    ]

    private static let actions: [Flag<RuleOptions>] = [
        .option("cooldown", sets: \.cooldown, "The shortest time between two alarms"),
        .option("webhook", sets: \.webhook, "Post each alarm to URL"),
        .file(
            "webhook-header-file", sets: \.headerFile, "Header fields of the webhook",
            details: [
                """
                A field on each line, as in \(code: "Authorization: Bearer …"). They replace those \
                that the webhook has.
                """
            ]),
        .option(
            "dashboard", value: "on|off", sets: \.dashboard,
            "Whether the server's dashboard shows the alarms"),
    ]

    /// - Throws: `UsageError` for a list that is empty, and for header fields without a webhook.
    func validate() throws(UsageError) {
        if types?.elements?.isEmpty == true {
            throw UsageError("--type: a rule without types never matches; 'all' removes them")
        }
        if webhook == .off, headerFile != nil {
            throw UsageError("give --webhook off or --webhook-header-file, not both")
        }
    }

    /// The parts of a rule that the options name, with cameras and entities by id.
    func change(on server: SignedInServer, in context: Context) async throws(Failure) -> RuleChange
    {
        var change = RuleChange()
        change.webhookHeaders = try headerFile.map { (path) throws(Failure) in
            try headers(inFile: path, in: context)
        }
        if !cameras.isEmpty { change.cameras = try await cameraIDs(on: server, in: context) }
        change.objectTypes = types.map { $0.elements?.map { $0.lowercased() } ?? [] }
        switch hours {
        case .all: change.hours = .some(nil)
        case .span(let span): change.hours = .some(span)
        case nil: break
        }
        change.days = days?.days
        change.minConfidence = minConfidence
        change.entity = try await entity(on: server, in: context)
        change.isPackageDelivery = carriers.map { $0.elements != [] }
        change.carriers = carriers.map { $0.elements?.map { $0.lowercased() } ?? [] }
        change.cooldownMinutes = cooldown?.minutes
        change.notifiesDashboard = dashboard.map { $0 == .on }
        switch webhook {
        case .off: change.webhookURL = .some(nil)
        case .url(let url): change.webhookURL = .some(url)
        case nil: break
        }
        return change
    }

    private func cameraIDs(
        on server: SignedInServer, in context: Context
    ) async throws(Failure) -> [String] {
        if cameras.map(\.text) == ["all"] { return [] }
        let known = try await context.cameras(of: server).values
        let names = NameLookup.entries(of: cameras.map(\.text), among: known.compactMap(\.name))
        return try names.map { name throws(Failure) in try known.named(name).id }.distinct
    }

    private func entity(
        on server: SignedInServer, in context: Context
    ) async throws(Failure) -> RuleConditions.Entity? {
        switch entity {
        case nil: return nil
        case "all": return .any
        case "none": return .unknown
        case let word?:
            let found = try await EntityList(server, in: context).named(word).value
            return .specific(id: found.id, name: found.name)
        }
    }

    private func headers(
        inFile path: String, in context: Context
    ) throws(Failure) -> [RuleActions.Header] {
        let text = try context.console.secret(inFile: path, .lines).reveal()
        var headers: [RuleActions.Header] = []
        for line in text.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0]
            guard parts.count == 2, !name.isEmpty,
                name.utf8.allSatisfy({
                    $0.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0)
                })
            else {
                throw Failure(
                    .usage, "--webhook-header-file: line \(headers.count + 1) is not 'Name: value'")
            }
            let value = String(parts[1]).trimmingBlanks
            headers.append(RuleActions.Header(name: String(name), value: Redacted(value)))
        }
        return headers
    }
}
