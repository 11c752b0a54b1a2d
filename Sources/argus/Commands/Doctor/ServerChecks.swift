import ArgusKit

/// The checks of `argus doctor` about the server in use, each on what the one before found.
struct ServerChecks {
    let context: Context

    /// Further from our clock than this, signatures and tokens may be refused.
    private static let clockTolerance = Duration.seconds(60)
    private static let names = [
        "name", "connection", "identity", "way", "clock", "health", "offers",
    ]

    /// The findings, as they are made.
    func findings() -> AsyncStream<Finding> {
        AsyncStream { continuation in
            let task = Task {
                await run { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func run(_ tell: (Finding) -> Void) async {
        let newcomer: Newcomer
        do throws(Failure) {
            newcomer = try server()
            tell(.ok("server", "'\(newcomer.name)' at \(newcomer.client.address)"))
        } catch {
            tell(.failure("server", error))
            for name in Self.names + ["credentials", "sign-in", "push"] {
                tell(.unchecked(name, "without a server", error.hint))
            }
            return
        }
        await credentials(await reach(newcomer, tell), tell)
    }

    private func server() throws(Failure) -> Newcomer {
        let named = try context.serverName()?.text
        if let named, named.contains("://") {
            return try context.newcomer(url: named, name: nil, allowingPlainHTTP: false)
        }
        let list = try context.knownServers()
        return try context.anonymous(try context.knownServer(named, in: list))
    }

    /// How far the server was reached.
    private enum Reach {
        /// Not at all, and what to do about that.
        case not(remedy: String?)
        /// It answers, and does not describe its routes.
        case answering
        case described
    }

    // One request, which carries no credential, tells name, connection, identity and clock.
    private func reach(_ newcomer: Newcomer, _ tell: (Finding) -> Void) async -> Reach {
        let check = WayCheck(newcomer, in: context)
        let answer: HTTPResponse
        do throws(APIError) {
            answer = try await newcomer.client.send(RawRequest(.get, "/health"))
        } catch {
            var failure = await newcomer.failure(error, doing: "ask for its health")
            let failed = Self.step(of: error)
            failure.hint = failure.hint ?? Self.remedies[failed]
            for (index, name) in Self.names.enumerated() {
                if index == failed {
                    tell(.failure(name, failure))
                } else if name == "way", let refused = check.refused {
                    tell(refused)
                } else if index < failed {
                    // Where several addresses were tried, each failed in its own way.
                    tell(
                        check.refused == nil
                            ? .ok(name, check.passed(name))
                            : .warning(name, "see the way", check.refused?.remedy))
                } else {
                    tell(
                        .unchecked(
                            name, "since the \(Self.names[failed]) failed", failure.hint))
                }
            }
            return .not(remedy: failure.hint)
        }
        for name in Self.names.prefix(3) { tell(.ok(name, check.passed(name))) }
        tell(check.used)
        tell(clock(answer))
        let health = (try? JSONView.parse(answer.body))?["status"]?.string
        tell(
            answer.status < 500
                ? .ok("health", health.map { "it says it is \($0)" } ?? "it answers")
                : .warning("health", "it answers with HTTP \(answer.status)", "look at its log"))
        guard let offers = await offers(newcomer) else { return .answering }
        tell(offers)
        return .described
    }

    /// What to do about the first steps, where the failure itself does not say.
    private static let remedies = [
        "check the name of the host, and that this machine can look names up",
        "see that the server runs, and that it is reached at that host and port",
        "see 'argus help servers'",
    ]

    /// Which of the names an error belongs to.
    private static func step(of error: APIError) -> Int {
        guard case .transport(let cause) = error.kind else { return 1 }
        return switch cause.kind {
        case .unresolvedHost: 0
        case .identityRefused, .handshakeFailed, .unusableFile: 2
        default: 1
        }
    }

    private func clock(_ answer: HTTPResponse) -> Finding {
        guard let time = answer.headers["date"].flatMap(HTTPDate.parse) else {
            return .warning(
                "clock", "the server tells no time",
                "have it, or the proxy before it, send the header field Date")
        }
        let offset = ClockOffset.measured(serverTime: time, now: context.now())
        let size = offset < .zero ? .zero - offset : offset
        let words = "\(DurationText.short(size)) \(offset < .zero ? "behind" : "ahead of") ours"
        guard size > Self.clockTolerance else {
            return .ok("clock", size == .zero ? "the same as ours" : "the server's is \(words)")
        }
        return .warning(
            "clock", "the server's is \(words)", "let both machines set theirs by NTP")
    }

    /// What the server says it offers, against what argus can use; nil where it does not say.
    private func offers(_ newcomer: Newcomer) async -> Finding? {
        do throws(APIError) {
            let paths = Set(
                try await newcomer.client.call(ServerRoutes.list, ()).map { $0.path })
            return OfferChecks.finding(
                there: Offer.allCases.filter { paths.contains($0.path) },
                absent: Offer.allCases.filter { !paths.contains($0.path) })
        } catch {
            return nil
        }
    }

    private func credentials(_ reach: Reach, _ tell: (Finding) -> Void) async {
        func leave(_ names: [String], _ reason: String, _ remedy: String?) {
            var names = names
            if case .answering = reach { names.insert("offers", at: 0) }
            for name in names { tell(.unchecked(name, reason, remedy)) }
        }
        let home: Home
        do throws(Failure) {
            home = try await context.server()
        } catch {
            tell(.failure("credentials", error))
            return leave(["sign-in", "push"], "without credentials", error.hint)
        }
        tell(.ok("credentials", "from \(home.credentialSource)"))
        if case .not(let remedy) = reach {
            return leave(["sign-in", "push"], "since the server was not reached", remedy)
        }
        do throws(Failure) {
            let answer = try await home.attempt("tell who is signed in") {
                () async throws(APIError) in try await home.session.whoAmI()
            }
            let who = answer.user?.username.map { "'\($0)'" } ?? "the credentials"
            if let warning = await context.renewalWarning(home) {
                tell(.warning("sign-in", warning, "argus login \(home.session.client.address)"))
            } else if answer.user?.mustChangePassword == true {
                tell(.warning("sign-in", "\(who) must change the password", "argus passwd"))
            } else {
                tell(.ok("sign-in", "\(who) accepted"))
            }
        } catch {
            tell(.failure("sign-in", error))
            return leave(["push"], "without a sign-in", error.hint)
        }
        if case .answering = reach { tell(await OfferChecks(home: home).finding()) }
        for finding in await PushChecks(home: home, context: context).findings() { tell(finding) }
    }
}
