import ArgusAccount
import ArgusCore
import ArgusPush
import ArgusTransport

/// One test push of a server, from its subscription to its end.
struct ListenTest {
    let server: SignedInServer
    let bindAddress: PushReceiver.BindAddress
    let context: Context

    /// The longest wait for the push; a server tries dead receivers for some 14 s each.
    static let usualLimit = Duration.seconds(30)

    /// The reasons why it ends early: signals, and nil for a reader of stdout that has left.
    private let endings = Collected<Int32?>()
    private let cancellation = RequestCancellation()

    /// Runs the test; a signal ends its subscription, and then the process.
    ///
    /// - Throws: `Failure`: 1 if the server could not reach this machine, 7 if it did not try, or what
    ///   came is not to be trusted, 13 if nothing came, and those of requests.
    func run(within limit: Duration) async throws(Failure) -> ListenTestRow {
        let outcome = await result { () async throws(Failure) in
            try await receive(within: limit)
        }
        Signals.onEndRequest { $0.map(Signals.repeatRequest) }
        guard let ending = endings.all.first else { return try outcome.get() }
        if let signal = ending {
            Signals.repeatRequest(signal)
            await context.sleep(.seconds(60))
        }
        throw .closedPipe
    }

    private func receive(within limit: Duration) async throws(Failure) -> ListenTestRow {
        let end = { @Sendable [endings, cancellation] (signal: Int32?) in
            endings.add(signal)
            cancellation.cancel()
        }
        Signals.onEndRequest(end)
        let environment = try server.receiverEnvironment(endedBy: cancellation, in: context)
        let receiver: PushReceiver
        do throws(PushReceiverError) {
            receiver = try await PushReceiver(at: bindAddress, of: server, in: environment)
        } catch {
            throw await server.failure(error)
        }
        Signals.onEndRequest {
            end($0)
            receiver.stop()
        }
        let outcome = await result { () async throws(Failure) in
            try await test(receiver, within: limit)
        }
        await receiver.end()
        return try row(of: try outcome.get(), at: receiver.origin, within: limit)
    }

    private func test(
        _ receiver: PushReceiver, within limit: Duration
    ) async throws(Failure) -> PushReceiver.TestResult {
        _ = try await server.attempt("subscribe to pushes", await receiver.renew())
        let system = context.system
        return try await server.attempt(
            "send a test push",
            await receiver.test(within: limit, monotonic: system.monotonic, pause: context.sleep))
    }

    private func row(
        of result: PushReceiver.TestResult, at address: String, within limit: Duration
    ) throws(Failure) -> ListenTestRow {
        let name = server.name
        let advice =
            "a firewall may keep '\(name)' from \(address): allow it, or choose --port and "
            + "--address"
        switch result {
        case .arrived(let notification, let time):
            return ListenTestRow(
                server: name, milliseconds: Int(time / .milliseconds(1)), address: address,
                title: notification.title)
        case .refused(let refusal):
            throw Failure(
                .serverError, "an untrusted push arrived: \(refusal)", reason: "push_refused")
        case .undelivered(let words):
            throw Failure(
                .failed, "'\(name)' could not push to \(address)" + (words.map { ": \($0)" } ?? ""),
                hint: advice, reason: "not_delivered")
        case .nothing:
            throw Failure(
                .timeout, "'\(name)' reports that it pushed to \(address), but nothing arrived",
                hint: advice, reason: "not_delivered")
        case .omitted:
            throw Failure(
                .serverError, "'\(name)' did not push to the subscription of this machine",
                reason: "not_delivered")
        case .late:
            throw Failure(
                .timeout, "no test push of '\(name)' came within \(DurationText.short(limit))",
                hint: "it tries dead receivers first: 'argus push subscriptions' lists them",
                reason: "not_delivered")
        }
    }
}
