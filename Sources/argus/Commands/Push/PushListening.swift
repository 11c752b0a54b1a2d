import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusPush
import ArgusTransport

/// A receiver of a command's pushes: its start, its checks and its end.
struct PushListening {
    let server: SignedInServer
    private let bindAddress: PushReceiver.BindAddress
    /// The number of notifications to take; nil if there is no limit.
    private let wanted: Int?
    private let context: Context
    private let monitor: RunMonitor<ListenStatus>

    /// The pause between two comparisons with the server.
    private static let interval = Duration.seconds(300)

    private enum End {
        case asked
        /// This machine now faces the server with another address.
        case moved
        case failed(Failure)
    }

    /// Prepares a receiver; nothing is sent.
    init(
        at bindAddress: PushReceiver.BindAddress, max: Int?, in context: Context
    ) async throws(Failure) {
        (self.bindAddress, wanted, self.context) = (bindAddress, max, context)
        server = try await context.server()
        monitor = try RunMonitor(ListenStatus(), isService: true, in: context)
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
        try await monitor.run(for: limit, stop: stop) { () async throws(Failure) in
            try await listen(handle)
        }
    }

    private func listen(
        _ handle: (PushNotification) async throws(Failure) -> Bool
    ) async throws(Failure) {
        while let receiver = try await opened() {
            switch await serve(receiver, handle) {
            case .asked: return
            case .failed(let failure): throw failure
            case .moved:
                monitor.update { $0.address = nil }
                context.console.notice("this machine has another address; subscribing again")
            }
        }
    }

    /// Opens a receiver once a server that is down answers; nil if a stop is requested first.
    private func opened() async throws(Failure) -> PushReceiver? {
        do throws(Failure) {
            return try await monitor.retrying { () async throws(Failure) in
                try await server.receiver(
                    at: bindAddress, endedBy: monitor.inbox.cancellation, in: context)
            }
        } catch {
            if await isEnding() { return nil }
            throw error
        }
    }

    private func serve(
        _ receiver: PushReceiver, _ handle: (PushNotification) async throws(Failure) -> Bool
    ) async -> End {
        async let subscription = subscription(of: receiver)
        var failure: Failure?
        var isOver = false
        await receiver.run { notification in
            guard !isOver else { return false }
            do throws(Failure) {
                guard try await handle(notification) else { return false }
                monitor.update { status in
                    status.count += 1
                    status.last = notification
                    isOver = status.count == wanted
                }
            } catch {
                (failure, isOver) = (error, true)
            }
            if isOver { await monitor.inbox.send(.stop) }
            return failure == nil
        }
        let end = await subscription
        return failure.map(End.failed) ?? end
    }

    /// Subscribes until the receiver has to end, and then ends the subscription, even if a reader or a
    /// command keeps the last notification.
    private func subscription(of receiver: PushReceiver) async -> End {
        let end = await keep(receiver)
        await receiver.end(at: server, in: context)
        return end
    }

    /// Subscribes, and compares with the server now and then.
    private func keep(_ receiver: PushReceiver) async -> End {
        do throws(Failure) {
            while true {
                let isSubscribed = try await monitor.retrying { () async throws(Failure) in
                    try await server.attempt("subscribe to pushes", await receiver.renew())
                }
                guard let isSubscribed else { return .asked }
                guard isSubscribed else { return .moved }
                monitor.reportReachable(server.name)
                monitor.update { $0.address = receiver.origin }
                let pause = monitor.pause
                if await pause.wait(until: await pause.now() + Self.interval) == .stop {
                    return .asked
                }
            }
        } catch {
            return await isEnding() ? .asked : .failed(error)
        }
    }

    func isEnding() async -> Bool { await monitor.inbox.isStopped() }
}

extension SignedInServer {
    /// Makes a receiver on this machine, which is not subscribed yet.
    /// - Throws: `Failure`; 6 if no address of this machine faces the server.
    func receiver(
        at bindAddress: PushReceiver.BindAddress, endedBy cancellation: RequestCancellation,
        in context: Context
    ) async throws(Failure) -> PushReceiver {
        let environment = PushReceiver.Environment(
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
        do throws(PushReceiverError) {
            let receiver = try await PushReceiver(at: bindAddress, of: self, in: environment)
            context.console.debug("listening on \(receiver.origin)")
            return receiver
        } catch {
            throw await failure(error)
        }
    }

    private func failure(_ error: PushReceiverError) async -> Failure {
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

extension PushReceiver {
    /// Ends the receiver and its subscription, and warns if that stays.
    func end(at server: SignedInServer, in context: Context) async {
        do throws(APIError) {
            try await close()
        } catch {
            let failure = await server.failure(error, doing: "unsubscribe \(endpoint.shown)")
            context.console.warn(
                failure.message + (error.isUnsupported ? "" : "; the next 'push listen' does"))
        }
    }
}
