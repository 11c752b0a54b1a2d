/// The reason why a command line is invalid.
struct UsageError: Error, Equatable {
    var message: String

    init(_ message: String) { self.message = message }
}

/// The options of the command line.
struct Options: Sendable {
    /// Nil for 8000, or for a free port if a command is run.
    var port: Int?
    var settings = Settings()
    /// New events per minute.
    var rate: Double = 6
    /// Past events added and removed per second.
    var churn = 0
    /// The number of new events in all.
    var arrivals = Int.max
    var faults: [Fault] = []
    var streamFaults: [StreamFault] = []
    /// The file for a line per request.
    var logPath: String?
    /// The file for a line per stored event.
    var eventLogPath: String?
    /// The file for the server's address, once it listens.
    var readyPath: String?
    /// The time in ms that an idle connection stays open; five seconds as on the real server.
    var idleMilliseconds: Int64 = 5000
    /// The command to run signed in, with its arguments.
    var command: [String] = []
    var wantsHelp = false
    /// Announces the server in the local network.
    var advertises = false
    /// The push services beside the server.
    var simulator = SimulatorOptions()

    /// Parses the arguments after the program's name.
    ///
    /// - Throws: `UsageError` about the invalid word.
    init(_ arguments: [String] = []) throws(UsageError) {
        var limitsRates: Bool?
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                command = Array(rest)
                guard !command.isEmpty else { throw UsageError("no command after --") }
                break
            }
            if let flag = Options.flags[word] {
                self[keyPath: flag] = true
                continue
            }
            guard word.hasPrefix("--") else {
                throw UsageError("unexpected \(word); a command follows --")
            }
            let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
            let isOfSimulator = SimulatorOptions.names.contains(pair[0])
            guard isOfSimulator || Options.names.contains(pair[0]) else {
                throw UsageError("unknown option \(pair[0])")
            }
            guard let value = pair.count == 2 ? pair[1] : rest.popFirst() else {
                throw UsageError("\(pair[0]) needs a value")
            }
            if isOfSimulator {
                try simulator.apply(pair[0], value)
            } else if pair[0] == "--rate-limits" {
                limitsRates = try Options.onOrOff(pair[0], value)
            } else {
                try apply(pair[0], value)
            }
        }
        settings.limitsRates = limitsRates ?? command.isEmpty
        guard !settings.usesCookiesOnly || settings.api == .current else {
            throw UsageError("--cookie-only needs --api current; no other sets cookies")
        }
        try simulator.check()
    }

    private static var flags: [String: WritableKeyPath<Options, Bool>] {
        [
            "-h": \.wantsHelp, "--help": \.wantsHelp, "--advertise": \.advertises,
            "--all-online": \.settings.isAllOnline,
            "--cookie-only": \.settings.usesCookiesOnly,
        ]
    }

    private static let names: Set<String> = [
        "--port", "--api", "--cameras", "--events", "--seed", "--rate", "--churn", "--token-ttl",
        "--rate-limits", "--fault", "--log", "--ready-file", "--database", "--reuse-detection",
        "--arrivals", "--late", "--future", "--unannounced", "--flips", "--stream-fault",
        "--event-log",
    ]

    /// The options of mishaps, in percent.
    private static var mishaps: [String: WritableKeyPath<Mishaps, Int>] {
        [
            "--late": \.late, "--future": \.future, "--unannounced": \.unannounced,
            "--flips": \.flips,
        ]
    }

    private mutating func apply(_ name: String, _ value: String) throws(UsageError) {
        if let mishap = Options.mishaps[name] {
            settings.mishaps[keyPath: mishap] = try Options.number(name, value, in: 0...100)
            return
        }
        switch name {
        case "--port": port = try Options.number(name, value, in: 0...65_535)
        case "--cameras": settings.cameras = try Options.number(name, value, in: 0...1000)
        case "--events": settings.events = try Options.number(name, value, in: 0...1_000_000)
        case "--seed": settings.seed = UInt64(try Options.number(name, value, in: 0...Int.max))
        case "--token-ttl":
            settings.tokenLifetime = Int64(try Options.number(name, value, in: 1...315_360_000))
        case "--rate":
            guard let rate = Double(value), (0...6000).contains(rate) else {
                throw UsageError("--rate is a number from 0 to 6000, not \(value)")
            }
            self.rate = rate
        case "--churn": churn = try Options.number(name, value, in: 0...1000)
        case "--api":
            guard let api = Generation(rawValue: value) else {
                throw UsageError("--api is current, mobile or documented, not \(value)")
            }
            settings.api = api
        case "--database":
            guard let database = Database(rawValue: value) else {
                throw UsageError("--database is sqlite or postgres, not \(value)")
            }
            settings.database = database
        case "--reuse-detection": settings.detectsReuse = try Options.onOrOff(name, value)
        case "--fault": faults.append(try Fault(parsing: value))
        case "--stream-fault": streamFaults.append(try StreamFault(parsing: value))
        case "--log": logPath = value
        case "--event-log": eventLogPath = value
        case "--arrivals": arrivals = try Options.number(name, value, in: 0...Int.max)
        default: readyPath = value
        }
    }

    private static func onOrOff(_ name: String, _ value: String) throws(UsageError) -> Bool {
        guard value == "on" || value == "off" else {
            throw UsageError("\(name) is on or off, not \(value)")
        }
        return value == "on"
    }

    static func number(
        _ name: String, _ value: String, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw UsageError(
                "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound), "
                    + "not \(value)")
        }
        return number
    }
}
