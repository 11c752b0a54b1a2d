import ArgusKit

/// One test push of a server, from its subscription to its end.
struct ListenTest {
    let server: SignedInServer
    let place: PushReceiver.Place
    let context: Context

    /// The longest wait for the push; a server tries dead receivers for some 14 s each.
    static let usualLimit = Duration.seconds(30)

    /// - Throws: `Failure`: 1 if the server could not reach this machine, 7 if what came is not to be
    ///   trusted, 13 if nothing came, and those of requests.
    func run(within limit: Duration) async throws(Failure) -> ListenTestRow {
        let receiver = try await server.receiver(at: place, in: context)
        let interruption = Collected<Bool>()
        EndSignals.watch {
            interruption.add(true)
            receiver.stop()
        }
        let result: Result<PushReceiver.TestResult, APIError>
        do throws(APIError) {
            result = .success(
                try await receiver.test(
                    within: limit,
                    PushReceiver.TestClock(
                        monotonic: context.system.monotonic, pause: context.sleep)))
        } catch {
            result = .failure(error)
        }
        do throws(APIError) {
            try await receiver.close()
        } catch {
            await context.console.reportLeft(receiver, error, on: server)
        }
        guard interruption.all.isEmpty else {
            throw Failure(.failed, "the test was interrupted", reason: "interrupted")
        }
        let end = try await server.attempt("send a test push") { () async throws(APIError) in
            try result.get()
        }
        return try row(of: end, at: receiver.origin, within: limit)
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
                .serverError, "a push came that is not to be trusted: \(refusal)",
                reason: "push_refused")
        case .undelivered(let words):
            throw Failure(
                .failed,
                "'\(name)' could not push to \(address)" + (words.map { ": \($0)" } ?? ""),
                hint: advice, reason: "not_delivered")
        case .nothing:
            throw Failure(
                .timeout, "'\(name)' reports that it pushed to \(address), and nothing came",
                hint: advice, reason: "not_delivered")
        case .late:
            throw Failure(
                .timeout, "no test push of '\(name)' came within \(DurationText.short(limit))",
                hint: "it tries dead receivers first: 'argus push subscriptions' lists them",
                reason: "not_delivered")
        }
    }
}
