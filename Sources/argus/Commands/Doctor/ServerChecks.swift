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

    private func run(_ report: (Finding) -> Void) async {
        let unverified: UnverifiedServer
        do {
            unverified = try server()
            report(.ok("server", "'\(unverified.name)' at \(unverified.client.address)"))
        } catch {
            report(.failure("server", error))
            for name in Self.names + ["credentials", "sign-in", "push"] {
                report(.unchecked(name, "without a server", error.hint))
            }
            return
        }
        await credentials(await reach(unverified, report), report)
    }

    private func server() throws(Failure) -> UnverifiedServer {
        let named = try context.serverName()?.text
        let (connector, list) = (try context.connector(), try context.knownServers())
        if let named, named.contains("://") {
            return try attempt(connector.unverifiedServer(for: SignInTarget(url: named), in: list))
        }
        return try attempt(connector.unverifiedServer(try list.record(of: named)))
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
    private func reach(_ unverified: UnverifiedServer, _ report: (Finding) -> Void) async -> Reach {
        let check = EndpointCheck(unverified, in: context)
        let answer: HTTPResponse
        do {
            answer = try await unverified.client.send(RawRequest(.get, "/health"))
        } catch {
            var failure = await unverified.failure(error, doing: "ask for its health")
            let failed = Self.step(of: error)
            failure.hint = failure.hint ?? Self.remedies[failed]
            for (index, name) in Self.names.enumerated() {
                if index == failed {
                    report(.failure(name, failure))
                } else if name == "way", let refused = check.refused {
                    report(refused)
                } else if index < failed {
                    // Where several addresses were tried, each failed in its own way.
                    report(
                        check.refused == nil
                            ? .ok(name, check.passed(name))
                            : .warning(name, "see the way", check.refused?.remedy))
                } else {
                    report(
                        .unchecked(
                            name, "since the \(Self.names[failed]) failed", failure.hint))
                }
            }
            return .not(remedy: failure.hint)
        }
        for name in Self.names.prefix(3) { report(.ok(name, check.passed(name))) }
        report(check.used)
        report(clock(answer))
        let health = (try? JSONView.parse(answer.body))?["status"]?.string
        report(
            answer.status < 500
                ? .ok("health", health.map { "it says it is \($0)" } ?? "it answers")
                : .warning("health", "it answers with HTTP \(answer.status)", "look at its log"))
        guard let offers = await offers(unverified) else { return .answering }
        report(offers)
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
    private func offers(_ unverified: UnverifiedServer) async -> Finding? {
        do {
            let paths = Set(
                try await unverified.client.call(ServerRoutes.list, ()).map { $0.path })
            return OfferChecks.finding(
                there: Offer.allCases.filter { paths.contains($0.path) },
                absent: Offer.allCases.filter { !paths.contains($0.path) })
        } catch {
            return nil
        }
    }

    private func credentials(_ reach: Reach, _ report: (Finding) -> Void) async {
        func leave(_ names: [String], _ reason: String, _ remedy: String?) {
            var names = names
            if case .answering = reach { names.insert("offers", at: 0) }
            for name in names { report(.unchecked(name, reason, remedy)) }
        }
        let server: SignedInServer
        do {
            server = try await context.server()
        } catch {
            report(.failure("credentials", error))
            return leave(["sign-in", "push"], "without credentials", error.hint)
        }
        report(.ok("credentials", "from \(server.credentialSource)"))
        if case .not(let remedy) = reach {
            return leave(["sign-in", "push"], "since the server was not reached", remedy)
        }
        do {
            let answer = try await server.attempt(
                "tell who is signed in", await server.session.whoAmI())
            let who = answer.user?.username.map { "'\($0)'" } ?? "the credentials"
            if let warning = await context.renewalWarning(server) {
                report(.warning("sign-in", warning, "argus login \(server.session.client.address)"))
            } else if answer.user?.mustChangePassword == true {
                report(.warning("sign-in", "\(who) must change the password", "argus passwd"))
            } else {
                report(.ok("sign-in", "\(who) accepted"))
            }
        } catch {
            report(.failure("sign-in", error))
            return leave(["push"], "without a sign-in", error.hint)
        }
        if case .answering = reach { report(await OfferChecks(server: server).finding()) }
        for finding in await PushChecks(server: server, context: context).findings() {
            report(finding)
        }
    }
}
