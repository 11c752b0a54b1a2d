/// The offsets of a time zone from UTC over time (RFC 9636).
package struct TimeZoneRules: Hashable, Sendable {
    struct Transition: Hashable, Sendable {
        /// Seconds since the Unix epoch.
        var start: Int64
        /// Seconds east of UTC.
        var offset: Int
    }

    /// The offset before the first transition, in seconds east of UTC.
    private let firstOffset: Int
    /// In ascending order.
    private let transitions: [Transition]
    /// The rule after the last transition.
    private let continuation: POSIXTimeZoneRule?

    init(firstOffset: Int, transitions: [Transition] = [], continuation: POSIXTimeZoneRule? = nil) {
        self.firstOffset = firstOffset
        self.transitions = transitions
        self.continuation = continuation
    }

    /// Coordinated Universal Time.
    package static let utc = TimeZoneRules(firstOffset: 0)

    /// Seconds east of UTC at a point in time.
    package func offset(at time: Timestamp) -> Int {
        let seconds = time.seconds
        guard let last = transitions.last else {
            return continuation?.offset(at: seconds) ?? firstOffset
        }
        if seconds >= last.start { return continuation?.offset(at: seconds) ?? last.offset }
        let next = transitions.partitioningIndex { $0.start > seconds }
        return next == 0 ? firstOffset : transitions[next - 1].offset
    }

    /// The local date and time at a point in time.
    package func fields(of time: Timestamp) -> TimeFields {
        let seconds = time.seconds
        return TimeFields(
            secondsSinceEpoch: seconds + Int64(offset(at: time)),
            microsecond: Int(time.microseconds - seconds * 1_000_000))
    }

    /// The point in time with these fields, the earlier or `latest` one where an hour is repeated; a
    /// skipped time moves forward by the gap.
    package func time(of fields: TimeFields, latest: Bool = false) -> Timestamp {
        // No offset reaches 24 hours, so these two enclose the time in question.
        let asUTC = Timestamp(fields, offset: 0)
        let before = offset(at: Timestamp(microseconds: asUTC.microseconds - 86_400_000_000))
        let after = offset(at: Timestamp(microseconds: asUTC.microseconds + 86_400_000_000))
        let candidates = [before, after].map { Timestamp(fields, offset: $0) }
        let matches = candidates.filter { self.fields(of: $0) == fields }
        return (latest ? matches.max() : matches.min()) ?? Timestamp(fields, offset: before)
    }

    /// The first instant of a day, which is not midnight if the clocks skip it.
    func start(of date: CivilDate) -> Timestamp {
        time(of: TimeFields(date: date, clock: .midnight))
    }

    /// The last microsecond of a day.
    func end(of date: CivilDate) -> Timestamp {
        Timestamp(microseconds: start(of: date.adding(days: 1)).microseconds - 1)
    }
}

/// The local time zone according to `$TZ`, `$TZDIR` and `/etc/localtime`.
package struct LocalZone: Sendable {
    package var rules: TimeZoneRules
    /// The value of `$TZ` if it is unusable and UTC replaces it.
    package var unusable: String?

    /// The sentence about an unusable `$TZ`; nil if there is none.
    package var fault: String? {
        unusable.map { "TZ is \($0.inQuotes), which is no time zone here; times are in UTC" }
    }

    /// Finds the zone as glibc does (tzset(3)).
    ///
    /// `$TZ` is a name, `:name`, a path or a POSIX string; if empty it means UTC, if unset
    /// `/etc/localtime`, or UTC if that is missing. A relative name never leaves the zone folder.
    package static func find(
        environment: [String: String], localtimePath: String = "/etc/localtime"
    ) -> LocalZone {
        guard let value = environment["TZ"] else {
            return LocalZone(rules: readFile(localtimePath) ?? .utc)
        }
        let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
        if name.isEmpty { return LocalZone(rules: .utc) }
        if let rules = installed(name, environment) { return LocalZone(rules: rules) }
        if let formula = POSIXTimeZoneRule(posix: name) {
            return LocalZone(
                rules: TimeZoneRules(
                    firstOffset: formula.standardOffset, continuation: formula))
        }
        // These two are known even if no zone files are installed.
        return LocalZone(rules: .utc, unusable: ["UTC", "GMT"].contains(name) ? nil : value)
    }

    /// The IANA name of the local zone, by `$TZ` or `/etc/localtime`: a name, a path or link to a file of
    /// the database, or a copy of one; nil if it has none.
    package static func name(
        environment: [String: String], localtimePath: String = "/etc/localtime"
    ) -> String? {
        var text = environment["TZ"] ?? localtimePath
        if text.hasPrefix(":") { text.removeFirst() }
        var names = [text]
        if text.hasPrefix("/") {
            names = [text, SymbolicLink.target(of: text) ?? ""].compactMap { path in
                path.firstRange(of: "zoneinfo/").map { String(path[$0.upperBound...]) }
            }
        }
        // The link of a container without the database still says UTC.
        let plain = { (name: String) in name == "Etc/UTC" ? "UTC" : name }
        let known = names.map(plain).first { rules(named: $0, environment: environment) != nil }
        guard known == nil, text.hasPrefix("/") else { return known }
        return name(ofCopy: text, environment).map(plain)
    }

    /// The name of the zone whose file was copied to a path, as in containers; that of the file
    /// `timezone` beside it (Debian), if several have the same content.
    private static func name(ofCopy path: String, _ environment: [String: String]) -> String? {
        guard let copy = bytes(of: path), TimeZoneFile.read(copy) != nil else { return nil }
        let own = FileContents.text(of: FileRename.folder(of: path) + "/timezone")
            .filter { !$0.isWhitespace }
        return ([own] + names(environment: environment)).first { name in
            isName(name) && bytes(of: folder(environment) + "/" + name) == copy
        }
    }

    /// True if the text looks like a name of the IANA database, such as `Europe/Paris`.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "/_+-".utf8.contains($0) }
            && !["posix/", "right/"].contains(where: text.hasPrefix)
            && !["localtime", "posixrules"].contains(text) && !text.hasPrefix("/")
    }

    /// The rules of a zone of the IANA database; nil if this machine does not have it.
    package static func rules(named name: String, environment: [String: String]) -> TimeZoneRules? {
        guard isName(name) else { return nil }
        return installed(name, environment) ?? (["UTC", "GMT"].contains(name) ? .utc : nil)
    }

    /// The names of the zones that this machine has; none without the list of zones.
    package static func names(environment: [String: String]) -> [String] {
        // The third column is the name; UTC is not in the list of places.
        let names = FileContents.text(
            of: folder(environment) + "/zone.tab", trust: .settings, limit: 1 << 20
        ).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap { line -> String? in
                let columns = line.split(separator: "\t")
                return columns.count > 2 && isName(String(columns[2])) ? String(columns[2]) : nil
            }
        return ["UTC"] + names.sorted()
    }

    private static func folder(_ environment: [String: String]) -> String {
        environment["TZDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/usr/share/zoneinfo"
    }

    /// The rules of a zone file, by its path or by its name in the zone folder.
    private static func installed(
        _ name: String, _ environment: [String: String]
    ) -> TimeZoneRules? {
        if name.utf8.contains(0) { return nil }
        if name.hasPrefix("/") { return readFile(name) }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
        return readFile(folder(environment) + "/" + name)
    }

    private static func readFile(_ path: String) -> TimeZoneRules? {
        bytes(of: path).flatMap(TimeZoneFile.read)
    }

    private static func bytes(of path: String) -> [UInt8]? {
        // A settings file is read without blocking, so that a FIFO cannot hang the program.
        try? FileContents(path, trust: .settings, limit: 1 << 20).bytes
    }
}
