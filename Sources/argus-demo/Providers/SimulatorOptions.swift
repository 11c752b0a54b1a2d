/// The options of the simulated push services.
struct SimulatorOptions: Sendable {
    /// The folder for keys, tokens and addresses; nil without the services.
    var folder: String?
    /// The file for a line per notification received.
    var logPath: String?
    var faults: [SimulatorFault] = []
    /// The number of addresses that each service has given out.
    var tokens = 5
    /// The seconds by which the services' clocks are ahead.
    var clockOffset: Int64 = 0
    /// The environment of Apple's service.
    var environment = Environment.production
    /// The first port of five; nil for free ones.
    var port: Int?

    enum Environment: String, Sendable, CaseIterable {
        case production, sandbox
    }

    static let names: Set<String> = [
        "--providers", "--provider-log", "--provider-fault", "--provider-tokens",
        "--provider-clock", "--provider-environment", "--provider-port",
    ]

    /// Takes the value of one of `names`.
    ///
    /// - Throws: `UsageError` about an invalid value.
    mutating func apply(_ name: String, _ value: String) throws(UsageError) {
        switch name {
        case "--providers": folder = value
        case "--provider-log": logPath = value
        case "--provider-fault": faults.append(try SimulatorFault(parsing: value))
        case "--provider-tokens": tokens = try Options.number(name, value, in: 0...100_000)
        case "--provider-clock":
            clockOffset = Int64(try Options.number(name, value, in: -86_400...86_400))
        case "--provider-port": port = try Options.number(name, value, in: 1...65_531)
        default:
            guard let environment = Environment(rawValue: value) else {
                throw UsageError("\(name) is production or sandbox, not \(value)")
            }
            self.environment = environment
        }
    }

    /// - Throws: `UsageError` about an option without `--providers`.
    func check() throws(UsageError) {
        guard folder == nil else { return }
        if logPath != nil { throw UsageError("--provider-log needs --providers") }
        if !faults.isEmpty { throw UsageError("--provider-fault needs --providers") }
    }
}
