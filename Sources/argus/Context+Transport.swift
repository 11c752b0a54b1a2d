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
        var policy = RetryPolicy(retries: try retries())
        policy.longestRateLimitWait = globals.rateLimitWait?.duration
        let (debug, notice) = (self.debug, self.notice)
        return RetryingTransport(
            transport, policy: policy,
            surroundings: .init(sleep: system.sleep, now: system.now)
        ) { event in
            switch event {
            case .retry(let sentence): debug(sentence)
            case .rateLimit(let wait):
                notice(
                    "the server refuses more requests for now; waiting \(DurationText.short(wait))")
            }
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
