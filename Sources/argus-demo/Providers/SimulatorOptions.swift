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

    enum Environment: String, Sendable, CaseIterable {
        case production, sandbox
    }

    /// - Throws: `UsageError` about an option without `--providers`.
    func check() throws(UsageError) {
        guard folder == nil else { return }
        if logPath != nil { throw UsageError("--provider-log needs --providers") }
        if !faults.isEmpty { throw UsageError("--provider-fault needs --providers") }
    }
}
