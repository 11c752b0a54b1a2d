import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusPush
import ArgusTransport

/// The checks of `argus doctor` about the server in use, each based on the one before.
struct ServerChecks {
    let context: Context
    let testsPush: Bool
    /// Receives each finding as soon as it is made.
    let report: (Finding) throws(Failure) -> Void

    /// The clock difference above which signatures and tokens may be refused.
    private static let clockTolerance = Duration.seconds(60)
    private static let names = [
        "name", "connection", "identity", "way", "clock", "health", "offers",
    ]

    /// - Throws: `Failure` only for a finding that cannot be reported.
    func run() async throws(Failure) {
        let unverified: UnverifiedServer
        do {
            unverified = try await server()
        } catch {
            try report(.failure("server", error))
            let others = Self.names + ["credentials", "sign-in", "push"]
            return try leave(others, .noServer, error.hint)
        }
        try report(.ok("server", "'\(unverified.name)' at \(unverified.client.address)"))
        try await credentials(try await reach(unverified))
    }

    /// Reports checks that depend on a failed one, with its remedy.
    private func leave(
        _ names: [String], _ skip: Finding.Skip, _ remedy: String?
    ) throws(Failure) {
        for name in names { try report(.skipped(name, skip, remedy)) }
    }

    private func server() async throws(Failure) -> UnverifiedServer {
        let named = try context.settings[.server]?.text
        let (connector, list) = (try context.connector(), try context.knownServers())
        if let named, named.contains("://") {
            return try await attempt(
                awaiting: await connector.unverifiedServer(
                    for: SignInTarget(url: named), in: list))
        }
        return try attempt(connector.unverifiedServer(try list.record(of: named)))
    }

    private enum Reach {
        case unreachable(remedy: String?)
        /// The server answers but does not describe its routes.
        case answering
        case described
    }

    // One request, without credentials, checks name, connection, identity and clock.
    private func reach(_ unverified: UnverifiedServer) async throws(Failure) -> Reach {
        let check = EndpointCheck(unverified, in: context)
        let answer: HTTPResponse
        do {
            answer = try await unverified.client.send(RawRequest(.get, "/health"))
        } catch {
            var failure = await unverified.failure(error, doing: "ask for its health")
            let failed = Self.step(of: error)
            failure.hint = failure.hint ?? Self.remedies[failed]
            try reportSteps(upTo: failed, failure, check)
            return .unreachable(remedy: failure.hint)
        }
        for name in Self.names.prefix(3) { try report(.ok(name, check.passed(name))) }
        try report(check.used)
        try report(clock(answer))
        try report(await health(answer, unverified))
        guard let offers = await offers(unverified) else { return .answering }
        try report(offers)
        return .described
    }

    private func health(_ answer: HTTPResponse, _ unverified: UnverifiedServer) async -> Finding {
        let health = (try? JSONView.parse(answer.body))?["status"]?.string
        let error = APIError(answer: answer)
        // A proxy may pass on the routes of the API alone: the sign-in shows whether it does.
        if health == nil, error.isForeign {
            let failure = await unverified.failure(error, doing: "ask for its health")
            return .warning("health", failure.message, failure.hint)
        }
        return answer.status < 500
            ? .ok("health", health.map { "the server reports '\($0)'" } ?? "the server answers")
            : .warning(
                "health", "the server answers with HTTP \(answer.status)", "look at its log")
    }

    /// Reports the steps around the one that failed.
    private func reportSteps(
        upTo failed: Int, _ failure: Failure, _ check: EndpointCheck
    ) throws(Failure) {
        for (index, name) in Self.names.enumerated() {
            if index == failed {
                try report(.failure(name, failure))
            } else if name == "way", let refused = check.refused {
                try report(refused)
            } else if index > failed {
                try leave([name], Self.skips[failed], failure.hint)
            } else if let refused = check.refused {
                // Where several addresses were tried, each failed in its own way.
                try report(.warning(name, "see 'way'", refused.remedy))
            } else {
                try report(.ok(name, check.passed(name)))
            }
        }
    }

    /// The remedies for the first steps if the failure itself has none.
    private static let remedies = [
        "check the host name, and that this machine can resolve names",
        "check that the server runs, and that host and port are right",
        "see 'argus help servers'",
    ]

    /// The reasons for leaving out the checks after the first steps.
    private static let skips: [Finding.Skip] = [.noAddress, .noConnection, .noIdentity]

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
                "clock", "the server's answers have no Date header field",
                "make the server, or the proxy in front of it, send one")
        }
        let clock = ClockComparison(
            server: time, local: context.now(), tolerance: Self.clockTolerance)
        return clock.isClose
            ? .ok("clock", clock.words) : .warning("clock", clock.words, ClockComparison.remedy)
    }

    /// The server's own list of its routes, compared with what argus can use; nil without a list.
    private func offers(_ unverified: UnverifiedServer) async -> Finding? {
        do {
            let paths = Set(try await unverified.client.call(ServerRoutes.list, ()).map { $0.path })
            return Self.offers(
                Offer.allCases.filter { paths.contains($0.path) },
                lacking: Offer.allCases.filter { !paths.contains($0.path) })
        } catch {
            return nil
        }
    }

    private func credentials(_ reach: Reach) async throws(Failure) {
        let isUndescribed = if case .answering = reach { true } else { false }
        let rest = (isUndescribed ? ["offers"] : []) + ["sign-in", "push"]
        let server: SignedInServer
        do {
            server = try await context.server()
        } catch {
            try report(.failure("credentials", error))
            return try leave(rest, .noCredentials, error.hint)
        }
        let stored = server.isStored ? server.record?.credentialStore.place : nil
        try report(.ok("credentials", stored ?? "from \(server.credentialSource)"))
        if case .unreachable(let remedy) = reach {
            return try leave(rest, .notReached, remedy)
        }
        let signIn: Finding
        do {
            signIn = try await self.signIn(to: server)
        } catch {
            try report(.failure("sign-in", error))
            return try leave(rest.filter { $0 != "sign-in" }, .noSignIn, error.hint)
        }
        try report(signIn)
        if isUndescribed { try report(await probe(server)) }
        let push = PushChecks(server: server, context: context)
        for finding in await push.findings() { try report(finding) }
        if testsPush { try report(await push.test()) }
    }

    private func signIn(to server: SignedInServer) async throws(Failure) -> Finding {
        let answer = try await server.attempt(
            "read the account", await server.session.whoAmI())
        let who = answer.user?.username.map { "'\($0)'" } ?? "the credentials"
        if let warning = await server.endWarning(in: context) {
            return .warning("sign-in", warning, server.renewingCommand)
        }
        return answer.user?.mustChangePassword == true
            ? .warning("sign-in", "\(who) must change the password", "run 'argus passwd'")
            : .ok("sign-in", "the server accepts \(who)")
    }
}

// The features that a server offers.
extension ServerChecks {
    /// Probes a server that does not describe its routes, with one request for each feature.
    private func probe(_ server: SignedInServer) async -> Finding {
        var (offered, absent, unanswered): ([Offer], [Offer], [Offer]) = ([], [], [])
        var reason: APIError?
        func look<Answer>(
            _ offer: Offer, _ ask: @autoclosure () async throws(APIError) -> Answer
        ) async {
            do {
                _ = try await ask()
                offered.append(offer)
            } catch {
                switch error.kind {
                case .unsupported: absent.append(offer)
                // A refusal of an API key does not mean that the feature is absent.
                case .forbidden: offered.append(offer)
                default:
                    unanswered.append(offer)
                    reason = reason ?? error
                }
            }
        }
        let events = server.events.list(EventFilter(), wanted: 1, notify: { _ in })
        await look(.events, try await events.next())
        await look(.cameras, try await server.cameras.plainList())
        await look(.devices, try await server.devices.list())
        await look(.webPush, try await server.subscriber.key())
        await look(.keys, try await server.session.call(APIKeyRoutes.list, false))
        await look(.sessions, try await server.session.call(WebSessionRoutes.list, ()))
        var finding = Self.offers(offered, lacking: absent)
        guard let reason else { return finding }
        let failure = await server.failure(reason, doing: "list what it offers")
        finding.state = .warning
        finding.message += "; unknown: \(Self.words(unanswered)): \(failure.message)"
        finding.remedy = failure.hint ?? "try again later"
        return finding
    }

    /// The parts of a server that argus can use, and those that it lacks.
    private static func offers(_ offered: [Offer], lacking absent: [Offer]) -> Finding {
        let offers = offered.isEmpty ? "nothing that argus knows" : words(offered)
        let lack = absent.isEmpty ? "" : "; it lacks \(words(absent))"
        return .ok("offers", "the server offers \(offers)\(lack)")
    }

    private static func words(_ offers: [Offer]) -> String {
        offers.map(\.rawValue).joined(separator: ", ")
    }
}
