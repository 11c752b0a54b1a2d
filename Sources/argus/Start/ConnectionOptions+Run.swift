import ArgusAccount
import ArgusCore
import ArgusTransport

extension ConnectionOptions {
    /// The options of a run, from the command line and the settings.
    init(of context: Context) throws(Failure) {
        let (globals, system) = (context.globals, context.system)
        let device = system.device()
        self.init(userAgent: device.userAgent(of: "argus/\(Tool.version)"))
        deviceHeaders = device.headers(appVersion: Tool.version)
        via = try context.settings[.via].flatMap { Via(rawValue: $0.text) } ?? .auto
        retries = try context.settings.retries()
        timeout = try Self.timeout(of: context)
        rateLimitWait = globals.rateLimitWait
        files = TLSFiles(of: context)
        proxies = ProxySettings(environment: system.environment.variables)
        observation = try Self.observation(of: context)
    }

    /// The wait for the first byte; nil where neither option nor setting gives one.
    private static func timeout(of context: Context) throws(Failure) -> Duration? {
        if let given = context.globals.timeout { return given }
        guard let value = try context.settings[.timeout], value.origin != .defaultValue else {
            return nil
        }
        guard let timeout = DurationText.parse(value.text) else {
            throw Failure(.usage, "timeout: \(DurationText.forms)")
        }
        return timeout
    }

    /// The observation of requests that `-v` and `--trace` ask for.
    private static func observation(of context: Context) throws(Failure) -> TransferObservation? {
        guard let path = try context.settings[.trace]?.text else {
            guard context.globals.verbosity > 1 else { return nil }
            let trace = HTTPTrace(.summary, write: context.console.debug)
            return TransferObservation(observer: trace.record)
        }
        let body = TracedBody.describe
        guard path != "-" else {
            let streams = context.system.streams
            let trace = HTTPTrace(.full) { streams.writeError(Sanitizer.visible($0) + "\n") }
            return TransferObservation(describeBody: body, observer: trace.record)
        }
        let sink = ByteSink(
            descriptor: try attempt(TraceFile.open(path)) { Failure(.failed, "\($0)") })
        let trace = HTTPTrace(.full) { line in
            // A trace that cannot be written must not end the work that it is about.
            sink.show(Sanitizer.visible(line) + "\n")
        }
        return TransferObservation(describeBody: body, observer: trace.record)
    }
}

extension TLSFiles {
    init(of context: Context) {
        self.init()
        authorities = context.globals.authorities
        certificate = context.globals.certificate
        key = context.globals.key
        workingFolder = context.system.workingFolder
    }
}
