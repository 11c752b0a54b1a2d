import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusPush
import ArgusTransport

/// The pushes of a command, and the display of what becomes of them.
struct ListenRun {
    let server: SignedInServer
    private let bindAddress: PushReceiver.BindAddress
    /// The number of notifications to take; nil if there is no limit.
    private let wanted: Int?
    private let context: Context
    private let display: RunDisplay<ListenStatus>

    /// Prepares a receiver; nothing is sent.
    init(
        at bindAddress: PushReceiver.BindAddress, max: Int?, in context: Context
    ) async throws(Failure) {
        (self.bindAddress, wanted, self.context) = (bindAddress, max, context)
        server = try await context.server()
        display = try RunDisplay(
            ListenStatus(), of: server.name, isService: true, in: context)
    }

    /// Hands notifications over until a stop is requested, the limit is reached, or `handle` has
    /// taken the last one.
    ///
    /// `handle` returns false for a notification that it cannot take. `stop` is called when a stop
    /// is requested or the limit is reached.
    ///
    /// - Throws: `Failure` of a server that refuses for good, of the listener, and what `handle` throws.
    func run(
        for limit: Duration?, stop: @escaping @Sendable () async -> Void = {},
        _ handle: (PushNotification) async throws(Failure) -> Bool
    ) async throws(Failure) {
        try await display.perform(for: limit, signals: .stops, stop: stop) {
            () async throws(Failure) in
            let listening = PushListening(
                at: bindAddress, of: server,
                in: try server.receiverEnvironment(
                    endedBy: display.run.cancellation, in: context), by: display.run)
            let end = await result { () async throws(Failure) in
                try await handOver(listening, to: handle)
            }
            await listening.end()
            try end.get()
        }
    }

    private func handOver(
        _ listening: PushListening, to handle: (PushNotification) async throws(Failure) -> Bool
    ) async throws(Failure) {
        var count = 0
        for try await item in listening.explained(by: { await server.failure($0) }) {
            switch item {
            case .notification(let notification):
                let isTaken = try await handle(notification)
                listening.answer(isTaken: isTaken)
                guard isTaken else { continue }
                count += 1
                display.update { [count] status in
                    status.count = count
                    status.lastNotification = notification
                }
                if count == wanted { return }
            case .subscribed(let address):
                display.reportReachable(server.name, at: \.unreachableSince)
                display.update { $0.address = address }
            case .moved:
                display.update { $0.address = nil }
                context.console.notice("this machine has another address; subscribing again")
            case .retrying(let error):
                display.reportUnreachable(await server.failure(error), at: \.unreachableSince)
            }
        }
    }

    func isEnding() async -> Bool { await display.run.isStopped() }
}

extension SignedInServer {
    /// The parts of a run that receivers of pushes use.
    func receiverEnvironment(
        endedBy cancellation: RequestCancellation, in context: Context
    ) throws(Failure) -> PushReceiver.Environment {
        PushReceiver.Environment(
            try context.receivers(), userAgent: try ConnectionOptions(of: context).userAgent,
            now: context.now, endedBy: cancellation,
            facingAddress: { [browser = context.system.browser] server in
                // A relay is not in this network, and the server behind it not reached by this address.
                guard server.via != .relay else { return nil }
                let found = server.endpoints?.current?.proof.socketAddress?.address
                var host = found ?? ""
                if found == nil {
                    host = await LocalNames.resolvableHost(of: server.address.origin, by: browser)
                }
                return await FacingAddress.of(host, port: server.address.origin.port)
            }, report: context.console.receiverReports(of: name))
    }

    /// The failure of a receiver.
    func failure(_ error: PushReceiverError) async -> Failure {
        let remedy = "name an address that the server reaches with --address"
        switch error {
        case .server(let error): return await failure(error, doing: "subscribe to pushes")
        case .listener(let error): return Failure(.failed, "\(error)", reason: "cannot_listen")
        case .noRoute where via == .relay:
            return Failure(
                .failed, "'\(name)' is reached through its relay, over which it cannot push here",
                hint: remedy, reason: "no_route")
        case .noRoute:
            return Failure(
                .unreachable, "no address of this machine faces '\(name)'", hint: remedy,
                reason: "no_route")
        case .publicAddress(let address):
            return Failure(
                .failed,
                "pushes to \(address) would cross the internet: it is not a private address",
                hint: remedy, reason: "public_address")
        }
    }
}

extension Context {
    /// The endpoints of `push listen` on this machine; none if the record cannot be read.
    func receivers(of server: SignedInServer) async -> [PushEndpoint] {
        let entries = try? await receivers().listening(of: server.receiverID)
        return entries?.map(\.endpoint) ?? []
    }
}

extension Console {
    /// Reports what happened to receivers of pushes beyond their notifications.
    func receiverReports(of server: String) -> @Sendable (PushReceiver.Report) -> Void {
        let refusals = SeenSet<PushRefusal>()
        return { report in
            switch report {
            case .endedLeftover(let endpoint):
                debug("\(endpoint.shown), left from a run that was killed, is unsubscribed")
            case .keptLeftover(let endpoint, let error):
                let failure = Failure(
                    error, doing: "unsubscribe \(endpoint.shown)", on: server, remedy: "")
                warn("\(failure.message); it is left from a run that was killed")
            case .unrecorded(let error):
                warn("\(error); if this run is killed, its subscription stays at '\(server)'")
            // Once each: the sender decides how many come.
            case .refused(let refusal):
                if refusals.insert(refusal) { self.report(refusal, by: server) }
            case .opened(let address): debug("listening on \(address)")
            case .notEnded(let endpoint, let error):
                let failure = Failure(
                    error, doing: "unsubscribe \(endpoint.shown)", on: server, remedy: "")
                warn(
                    failure.message + (error.isUnsupported ? "" : "; the next 'push listen' does"))
            case .renewed: notice("'\(server)' had lost the subscription, and has it again")
            }
        }
    }

    /// Reports why a request is not a push; only a sender that knows the endpoint causes a warning.
    private func report(_ refusal: PushRefusal, by server: String) {
        let words = "a push was refused: \(refusal)"
        switch refusal {
        case .expired, .tooLongLived:
            warn("\(words); compare the clocks of this machine and of '\(server)'")
        case .foreignKey: warn(words)
        default: debug(words)
        }
    }
}
