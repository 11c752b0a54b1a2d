/// Decides about events for each receiver of the registry, and delivers them.
package final class DeliveryDispatcher: Sendable {
    /// The deliveries of one provider that may be in flight.
    package static let parallel = 16
    /// The usual age of an event above which it is no news any more.
    package static let usualMaxAge = Duration.seconds(15 * 60)

    /// The rules of a run of argus, and what it knows of the world.
    package struct Setup: Sendable {
        var now: @Sendable () -> Timestamp
        /// Waits; throws if the task is cancelled meanwhile.
        var sleep: @Sendable (Duration) async throws -> Void
        var zone: @Sendable (String) -> TimeZoneRules?
        /// Nil delivers events of any age.
        var maxAge: Duration?
        /// The address of the server for phones.
        var publicURL: ServerAddress?
        var report: @Sendable (DeliveryReport) -> Void

        package init(
            maxAge: Duration?, publicURL: ServerAddress?, now: @escaping @Sendable () -> Timestamp,
            sleep: @escaping @Sendable (Duration) async throws -> Void,
            zone: @escaping @Sendable (String) -> TimeZoneRules?,
            report: @escaping @Sendable (DeliveryReport) -> Void
        ) {
            (self.maxAge, self.publicURL) = (maxAge, publicURL)
            (self.now, self.sleep, self.zone, self.report) = (now, sleep, zone, report)
        }
    }

    private let store: DeliveryTokenStore
    private let log: DeliveryLog
    private let providers: PushProviders
    private let setup: Setup
    private let lanes: [DeliveryService: DeliveryLane]
    private let turns = DeliveryTurns()

    package init(
        _ store: DeliveryTokenStore, _ log: DeliveryLog, _ providers: PushProviders,
        _ setup: Setup
    ) {
        (self.store, self.log, self.providers) = (store, log, providers)
        self.setup = setup
        lanes = Dictionary(
            uniqueKeysWithValues: DeliveryService.allCases.map {
                ($0, DeliveryLane(Self.parallel, sleep: setup.sleep))
            })
    }

    /// Delivers an event to every receiver that is to get it, and notes each verdict as it comes.
    ///
    /// With `again` earlier verdicts do not count. When the task is cancelled, receivers whose turn
    /// has not come are left out, and so is a delivery that was cut off.
    ///
    /// - Returns: the verdicts in the order of the registry, and whether there is one for each.
    /// - Throws: `CredentialStoreError` if the registry cannot be read; nothing was sent then.
    package func dispatch(
        _ event: Event, again: Bool = false
    ) async throws(CredentialStoreError) -> (records: [DeliveryRecord], isComplete: Bool) {
        let tokens = try await store.load().all
        do throws(FileSystemError) {
            try log.refresh()
        } catch {
            setup.report(.unkept(error))
        }
        log.prune(at: setup.now())
        let results = await withTaskGroup(of: (Int, Delivered?).self) { group in
            for (index, token) in tokens.enumerated() {
                group.addTask { (index, await self.deliver(event, to: token, again: again)) }
            }
            var results: [Delivered?] = tokens.map { _ in nil }
            for await (index, result) in group { results[index] = result }
            return results
        }
        await note(results)
        let records = results.compactMap { $0?.record }
        return (records, records.count == tokens.count)
    }

    /// A verdict, and the answer that changes the registry.
    private struct Delivered {
        var record: DeliveryRecord
        var sent: (token: DeliveryToken, answer: DeliveryAnswer)?
    }

    private func deliver(
        _ event: Event, to token: DeliveryToken, again: Bool
    ) async -> Delivered? {
        guard !Task.isCancelled else { return nil }
        if let record = settled(event, token, again: again) { return Delivered(record: record) }
        guard await turns.enter(token.id) else {
            var record = record(event, token, .failed, DeliveryRecord.tooMany)
            record.cause = .token
            return Delivered(record: kept(record))
        }
        let result = await lanes[token.service]?.run {
            await deliverInTurn(event, to: token, again: again)
        }
        await turns.leave(token.id)
        return result ?? nil
    }

    private func deliverInTurn(
        _ event: Event, to token: DeliveryToken, again: Bool
    ) async -> Delivered? {
        guard !Task.isCancelled else { return nil }
        if let record = settled(event, token, again: again) { return Delivered(record: record) }
        let result = await send(event, to: token)
        // A request that the end of argus cut off says nothing about the receiver.
        let hasFailed = result.record.outcome == .failed
        if hasFailed || result.record.outcome == .deactivated, Task.isCancelled { return nil }
        _ = kept(result.record)
        return result
    }

    /// The verdict for which nothing is sent; nil if the event is to be delivered.
    private func settled(
        _ event: Event, _ token: DeliveryToken, again: Bool
    ) -> DeliveryRecord? {
        if !again, log.isSettled(event.id, token.id) {
            return record(event, token, .skipped, DeliveryRecord.alreadyDispatched)
        }
        let now = setup.now()
        if let maxAge = setup.maxAge, let time = event.timestamp, now - time > maxAge {
            return kept(record(event, token, .skipped, DeliveryRecord.tooOld))
        }
        let zone = setup.zone(token.preferences.timezone)
        guard case .skip(let rule) = DeliveryFilter.decide(event, for: token, at: now, in: zone)
        else { return nil }
        return kept(record(event, token, .skipped, rule.rawValue))
    }

    /// Notes a verdict in the log.
    private func kept(_ record: DeliveryRecord) -> DeliveryRecord {
        do throws(FileSystemError) {
            try log.note(record)
        } catch {
            setup.report(.unkept(error))
        }
        return record
    }

    private func send(_ event: Event, to token: DeliveryToken) async -> Delivered {
        let isSilent = !token.preferences.hasSound
        let payload = PushPayload(event: event, publicURL: setup.publicURL)
        let answer: DeliveryAnswer
        do throws(DeliveryError) {
            let provider = try providers.provider(for: token.service)
            let push = try await provider.prepare(payload, for: token, isSilent: isSilent)
            answer = await provider.send(push, to: token)
        } catch {
            var record = record(event, token, .failed, error.description)
            record.cause = .unsent(error)
            return Delivered(record: record)
        }
        var record = record(
            event, token, outcome(of: answer, token, isSilent: isSilent), answer.reason)
        (record.httpStatus, record.attempts) = (answer.httpStatus, answer.attempts)
        (record.duration, record.cause) = (answer.duration, answer.verdict.cause)
        return Delivered(record: record, sent: (token, answer))
    }

    private func outcome(
        of answer: DeliveryAnswer, _ token: DeliveryToken, isSilent: Bool
    ) -> DeliveryRecord.Outcome {
        switch answer.verdict {
        case .accepted: isSilent ? .silent : .sent
        case .gone: .removed
        case .tokenFailure:
            token.failureCount + 1 < DeliveryTokens.failureLimit ? .failed : .deactivated
        case .providerFailure: .failed
        }
    }

    private func record(
        _ event: Event, _ token: DeliveryToken, _ outcome: DeliveryRecord.Outcome,
        _ reason: String?
    ) -> DeliveryRecord {
        DeliveryRecord(event.id, token, outcome, reason, at: setup.now())
    }

    /// Notes the answers in the registry.
    private func note(_ results: [Delivered?]) async {
        let sent = results.compactMap { $0?.sent }
        guard !sent.isEmpty else { return }
        let now = setup.now()
        do throws(CredentialStoreError) {
            try await store.change { tokens in
                for (token, answer) in sent { tokens.note(answer, of: token, at: now) }
            }
        } catch {
            setup.report(.unnoted(error))
        }
    }
}

/// A fact about deliveries for the user.
package enum DeliveryReport: Sendable {
    /// The log cannot be read or changed: after a restart receivers may get an event again.
    case unkept(FileSystemError)
    /// The registry cannot be changed.
    case unnoted(CredentialStoreError)
    /// The registry cannot be read; the event comes again.
    case unread(CredentialStoreError)
    /// The verdicts about an event.
    case dispatched(Event, [DeliveryRecord])
    /// Deliveries by a service fail for all its receivers, for this reason.
    case failing(DeliveryService, String)
    /// Deliveries by a service that failed succeed again.
    case recovered(DeliveryService)
}

extension DeliveryAnswer.Verdict {
    fileprivate var cause: DeliveryRecord.Cause? {
        switch self {
        case .accepted: nil
        case .gone, .tokenFailure: .token
        case .providerFailure(let fault): .provider(fault)
        }
    }
}
