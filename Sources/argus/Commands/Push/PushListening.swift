import ArgusKit

/// A receiver of a command's pushes: its start, its checks and its end.
struct PushListening {
    let server: SignedInServer
    private let place: PushReceiver.Place
    private let context: Context
    private let inbox: FeedInbox
    private let monitor: RunMonitor<ListenStatus>

    /// The pause between two comparisons with the server.
    private static let interval = Duration.seconds(300)
    /// The first and the longest pause while the server does not answer; each doubles the one before.
    private static let pauses = Duration.seconds(1)...Duration.seconds(60)

    /// The reason why a receiver ends.
    private enum End {
        case asked
        /// This machine now faces the server with another address.
        case moved
        case failed(Failure)
    }

    /// Prepares a receiver; nothing is sent.
    ///
    /// - Throws: `Failure` of the server's name or a setting.
    init(at place: PushReceiver.Place, in context: Context) async throws(Failure) {
        (self.place, self.context) = (place, context)
        server = try await context.server()
        inbox = FeedInbox(monotonic: context.system.monotonic, sleep: context.system.sleep)
        monitor = try RunMonitor(ListenStatus(), isService: true, in: context)
    }

    /// Hands notifications over until a stop is requested, the limit is reached, or `handle` takes
    /// the last one; `stop` is called when a stop is requested or the limit is reached.
    ///
    /// - Throws: `Failure` of a server that refuses for good, of the listener, and what `handle` throws.
    func run(
        for limit: Duration?, stop: @escaping @Sendable () async -> Void = {},
        _ handle: (PushNotification) async throws(Failure) -> Handover
    ) async throws(Failure) {
        let end = { @Sendable [inbox] in
            await inbox.send(.stop)
            await stop()
        }
        EndSignals.watch { [monitor] _ in
            monitor.stopping()
            Task { await end() }
        }
        let timer = limit.map { limit in
            Task { [context] in
                await context.sleep(limit)
                if !Task.isCancelled { await end() }
            }
        }
        defer { timer?.cancel() }
        do throws(Failure) {
            try await listen(handle)
            monitor.end()
        } catch {
            monitor.end(error)
            throw error
        }
    }

    private func listen(
        _ handle: (PushNotification) async throws(Failure) -> Handover
    ) async throws(Failure) {
        ProcessMemory.shrinkForWaiting()
        let pause = MonitoredPause(inbox, every: monitor.signInterval, sign: monitor.sign)
        while let receiver = try await opened(with: pause) {
            switch await serve(receiver, pause, handle) {
            case .asked: return
            case .failed(let failure): throw failure
            case .moved:
                monitor.update { $0.address = nil }
                context.console.notice("this machine has another address; subscribing again")
            }
        }
    }

    /// Opens a receiver once a server that is down answers; nil if a stop is requested first.
    private func opened(with pause: MonitoredPause) async throws(Failure) -> PushReceiver? {
        var delay = Self.pauses.lowerBound
        while await !pause.isStopped() {
            do throws(Failure) {
                return try await server.receiver(
                    at: place, endedBy: inbox.cancellation, in: context)
            } catch {
                if await pause.isStopped() { return nil }
                guard error.kind.isRetryable else { throw error }
                reportUnreachable(error)
                if await pause.wait(until: await pause.now() + delay) == .stop { return nil }
                delay = min(delay * 2, Self.pauses.upperBound)
            }
        }
        return nil
    }

    private func serve(
        _ receiver: PushReceiver, _ pause: MonitoredPause,
        _ handle: (PushNotification) async throws(Failure) -> Handover
    ) async -> End {
        async let subscription = subscription(of: receiver, pause)
        var failure: Failure?
        var isOver = false
        await receiver.run { notification in
            guard !isOver else { return false }
            do throws(Failure) {
                let handover = try await handle(notification)
                isOver = handover == .last
                guard handover != .open else { return false }
                monitor.update { status in
                    status.count += 1
                    status.last = notification
                }
            } catch {
                (failure, isOver) = (error, true)
            }
            if isOver { await inbox.send(.stop) }
            return failure == nil
        }
        let end = await subscription
        return failure.map(End.failed) ?? end
    }

    /// Subscribes until the receiver has to end, and then ends the subscription, even if a reader or a
    /// command keeps the last notification.
    private func subscription(of receiver: PushReceiver, _ pause: MonitoredPause) async -> End {
        let end = await keep(receiver, pause)
        await receiver.end(at: server, in: context)
        return end
    }

    /// Subscribes, and compares with the server now and then.
    private func keep(_ receiver: PushReceiver, _ pause: MonitoredPause) async -> End {
        var delay = Self.pauses.lowerBound
        while true {
            var interval = Self.interval
            do throws(APIError) {
                guard try await receiver.renew() else { return .moved }
                reportReachable()
                monitor.update { $0.address = receiver.origin }
                delay = Self.pauses.lowerBound
            } catch {
                if await pause.isStopped() { return .asked }
                let failure = await server.failure(error, doing: "subscribe to pushes")
                guard failure.kind.isRetryable else { return .failed(failure) }
                reportUnreachable(failure)
                (interval, delay) = (delay, min(delay * 2, Self.pauses.upperBound))
            }
            if await pause.wait(until: await pause.now() + interval) == .stop { return .asked }
        }
    }

    /// True once a stop was requested.
    func isEnding() async -> Bool { await inbox.isStopped() }

    private func reportUnreachable(_ failure: Failure) {
        monitor.ready()
        var isNew = false
        monitor.update { status in
            isNew = status.unreachableSince == nil
            status.unreachableSince = status.unreachableSince ?? context.now()
        }
        if isNew { context.console.warn(failure.message + "; trying again") }
    }

    private func reportReachable() {
        monitor.ready()
        var wasUnreachable = false
        monitor.update { status in
            wasUnreachable = status.unreachableSince != nil
            status.unreachableSince = nil
        }
        if wasUnreachable { context.console.notice("'\(server.name)' answers again") }
    }
}

extension SignedInServer {
    /// Makes a receiver on this machine, which is not subscribed yet.
    ///
    /// - Throws: `Failure`; 6 if no address of this machine faces the server.
    func receiver(
        at place: PushReceiver.Place, endedBy cancellation: RequestCancellation,
        in context: Context
    ) async throws(Failure) -> PushReceiver {
        let environment = PushReceiver.Environment(
            try context.receiverRegistry(), userAgent: try ConnectionOptions(of: context).userAgent,
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
            let receiver = try await PushReceiver(at: place, of: self, in: environment)
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
    /// The record of subscriptions, in a sealed file whatever store sign-ins use.
    ///
    /// - Throws: `Failure` 1 for an unreadable passphrase.
    func receiverRegistry() throws(Failure) -> ReceiverRegistry {
        ReceiverRegistry(
            in: try attempt(secrets.stores.open(.file)), system.paths.state, sleep: system.sleep)
    }

    /// The endpoints of `push listen` on this machine; none if the record cannot be read.
    func receivers(of server: SignedInServer) async -> [PushEndpoint] {
        let entries = try? await receiverRegistry().entries(of: server.receiverID)
        return entries?.map(\.endpoint) ?? []
    }
}

extension Console {
    /// Reports what happened to receivers of pushes beyond their notifications.
    func receiverReports(
        of server: String
    ) -> @Sendable (PushReceiver.Report) -> Void {
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
