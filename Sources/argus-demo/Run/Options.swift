/// The reason why a command line is invalid.
struct UsageError: Error, Equatable {
    var message: String

    init(_ message: String) { self.message = message }
}

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
    var advertises = false
    /// Nil for limits without a command only.
    private var limitsRates: Bool?

    init(_ arguments: [String] = []) throws(UsageError) {
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
            let given = pair.count == 2 ? pair[1] : rest.popFirst()
            try apply(OptionValue(name: pair[0], given: given))
        }
        settings.limitsRates = limitsRates ?? command.isEmpty
        let names = (0..<settings.cameras).map(Camera.name)
        for case let name? in settings.condition.cameraFaults.map(\.camera)
        where !names.contains(name) {
            throw UsageError("no camera is called \(name)")
        }
        guard !settings.usesCookiesOnly || settings.api == .current else {
            throw UsageError("--cookie-only needs --api current; no other sets cookies")
        }
    }

    private static var flags: [String: WritableKeyPath<Options, Bool>] {
        [
            "-h": \.wantsHelp, "--help": \.wantsHelp, "--advertise": \.advertises,
            "--all-online": \.settings.isAllOnline,
            "--no-alerts": \.settings.alertsByRulesOnly,
            "--cookie-only": \.settings.usesCookiesOnly,
        ]
    }

    private mutating func apply(_ value: OptionValue) throws(UsageError) {
        switch value.name {
        case "--port": port = try value.number(in: 0...65_535)
        case "--api": settings.api = try value.word()
        case "--cameras": settings.cameras = try value.number(in: 0...1000)
        case "--events": settings.events = try value.number(in: 0...1_000_000)
        case "--unreadable": settings.unreadable = try value.number(in: 0...1000)
        case "--entities": settings.entities = try value.number(in: 0...100)
        case "--seed": settings.seed = UInt64(try value.number(in: 0...Int.max))
        case "--rate": rate = try value.decimal(in: 0...6000)
        case "--arrivals": arrivals = try value.number(in: 0...Int.max)
        case "--late": settings.mishaps.late = try value.number(in: 0...100)
        case "--future": settings.mishaps.future = try value.number(in: 0...100)
        case "--unannounced": settings.mishaps.unannounced = try value.number(in: 0...100)
        case "--flips": settings.mishaps.flips = try value.number(in: 0...100)
        case "--churn": churn = try value.number(in: 0...1000)
        case "--token-ttl": settings.tokenLifetime = Int64(try value.number(in: 1...315_360_000))
        case "--clock-offset":
            settings.clockOffset = Int64(try value.number(in: -3_155_760_000...3_155_760_000))
        case "--database": settings.database = try value.word()
        case "--rate-limits": limitsRates = try value.word() == Switch.on
        case "--reuse-detection": settings.detectsReuse = try value.word() == Switch.on
        case "--fault": faults.append(try Fault(parsing: value.text()))
        case "--stream-fault": streamFaults.append(try StreamFault(parsing: value.text()))
        case "--camera-fault":
            settings.condition.cameraFaults.append(try CameraFault(parsing: value.text()))
        case "--undescribed": settings.condition.undescribed = try value.number(in: 0...100)
        case "--cost-cap": settings.condition.costCap = try value.word()
        case "--protect": settings.condition.protect = try value.word()
        case "--queue": settings.condition.queue = try value.number(in: 0...50)
        case "--disk": settings.condition.disk = try value.number(in: 0...100)
        case "--asked-paths": settings.condition.askedPaths = try value.number(in: 0...100_000)
        case "--log": logPath = try value.text()
        case "--event-log": eventLogPath = try value.text()
        case "--ready-file": readyPath = try value.text()
        default: throw UsageError("unknown option \(value.name)")
        }
    }
}

private struct OptionValue {
    var name: String
    var given: String?

    func text() throws(UsageError) -> String {
        guard let given else { throw UsageError("\(name) needs a value") }
        return given
    }

    func number(in range: ClosedRange<Int>) throws(UsageError) -> Int {
        let text = try text()
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound), "
                    + "not \(text)")
        }
        return number
    }

    func decimal(in range: ClosedRange<Int>) throws(UsageError) -> Double {
        let text = try text()
        let bounds = Double(range.lowerBound)...Double(range.upperBound)
        guard let number = Double(text), bounds.contains(number) else {
            throw UsageError(
                "\(name) is a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }

    func word<Word>() throws(UsageError) -> Word
    where Word: CaseIterable & RawRepresentable, Word.RawValue == String {
        let text = try text()
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue)
            let first = words.dropLast().joined(separator: ", ")
            throw UsageError("\(name) is \(first) or \(words[words.count - 1]), not \(text)")
        }
        return word
    }
}

private enum Switch: String, CaseIterable {
    case on, off
}
