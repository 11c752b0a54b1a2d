import ArgusKit

// How requests leave the machine.
extension Context {
    /// The transport of this run: libcurl, with the contract's redirects, retries and waits.
    func transport() throws(Failure) -> any Transport {
        try patient(try requestTransport())
    }

    /// libcurl, which finds `.local` names too, and follows and retries nothing.
    func bareTransport() throws(Failure) -> LocalNames {
        let proxies = ProxySettings(environment: system.environment.variables)
        return LocalNames(system.makeTransport(proxies, try observation()), system.browser)
    }

    /// libcurl with the contract's redirects, one try each.
    func requestTransport() throws(Failure) -> any Transport {
        RedirectFollower(try bareTransport())
    }

    /// A transport with the contract's retries and waits before it.
    func patient(_ transport: any Transport) throws(Failure) -> any Transport {
        let surroundings = RetryingTransport.Surroundings(
            sleep: system.sleep, random: { Double.random(in: 0...1) }, now: system.now)
        let debug = self.debug
        let retrying = RetryingTransport(
            transport, policy: RetryPolicy(retries: try retries()), surroundings: surroundings
        ) { debug("\($0)") }
        guard let longest = globals.rateLimitWait?.duration else { return retrying }
        let context = self
        return RateLimitWaiting(retrying, longest: longest, now: system.now, sleep: system.sleep) {
            context.notice(
                "the server refuses more requests for now; waiting \(DurationText.short($0))")
        }
    }

    /// How often a request that failed is repeated.
    func retries() throws(Failure) -> Int {
        let text = try setting(.retries, option: globals.retries.map { String($0) })?.text
        return text.flatMap { Int($0) } ?? RetryPolicy().retries
    }

    /// What `-v` and `--trace` write of each request.
    func observation() throws(Failure) -> TransferObservation? {
        if let path = try setting(.trace, option: globals.trace)?.text {
            let sink = try traceSink(path)
            let trace = HTTPTrace(.full) { line in
                // A trace that cannot be written must not end the work that it is about.
                try? sink.write(Sanitizer.visible(line) + "\n")
                try? sink.flush()
            }
            return TransferObservation(describeBody: TracedBody.describe, observer: trace.record)
        }
        guard globals.verbosity > 1 else { return nil }
        let trace = HTTPTrace(.summary, write: debug)
        return TransferObservation(observer: trace.record)
    }

    private func traceSink(_ path: String) throws(Failure) -> ByteSink {
        if path == "-" { return system.streams.err }
        do {
            return ByteSink(descriptor: try TraceFile.open(path))
        } catch {
            throw Failure(.failed, "\(error)")
        }
    }
}
