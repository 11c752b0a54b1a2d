package import ArgusAccount
package import ArgusCore
package import ArgusEvents
internal import Synchronization

/// Decides about events for each receiver of the registry, and delivers them.
package final class DeliveryDispatcher: Sendable {
    /// The maximum number of deliveries in flight to one provider.
    package static let parallel = 16
    /// The default age beyond which an event is stale.
    package static let usualMaxAge = Duration.seconds(15 * 60)

    /// The rules of a run of argus, and its environment.
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

    private let store: ReceiverStore
    private let log: DeliveryLog
    private let providers: PushProviders
    let setup: Setup
    private let lanes: [DeliveryService: DeliveryLane]
    private let locks = ReceiverLocks()
    private let recorder: AnswerRecorder
    /// True while the log cannot be changed.
    private let isNotStored = Mutex(false)

    package init(
        _ store: ReceiverStore, _ log: DeliveryLog, _ providers: PushProviders,
        _ setup: Setup
    ) {
        (self.store, self.log, self.providers, self.setup) = (store, log, providers, setup)
        lanes = Dictionary(
            uniqueKeysWithValues: DeliveryService.allCases.map {
                ($0, DeliveryLane(Self.parallel, sleep: setup.sleep))
            })
        recorder = AnswerRecorder(store, setup)
    }

    /// Delivers an event to every receiver that should get it, and records each verdict at once.
    ///
    /// With `again` earlier verdicts do not count; `held` is the reason why nobody gets it. When the task is cancelled, receivers whose turn
    /// has not come are left out, and so is a delivery that was cut off.
    /// - Returns: the verdicts in the order of the registry, and whether there is one for each.
    /// - Throws: `AccountError` if the registry cannot be read, or another dispatch has the
    ///   event for more than ten seconds; nothing was sent then.
    package func dispatch(
        _ event: Event, again: Bool = false, held: AlarmHold? = nil
    ) async throws(AccountError) -> (records: [DeliveryRecord], isComplete: Bool) {
        let lock = try await lock(event)
        let revision = await recorder.revision
        let tokens = try await store.load().tokens
        do throws(FileSystemError) {
            try log.refresh()
        } catch {
            reportNotStored(error)
        }
        // A wrong clock must not remove what keeps events from being sent twice.
        if (try? ClockDoubt.check(.current(), against: setup.now(), of: "")) != nil {
            log.prune(at: setup.now())
        }
        let results = await tokens.mapInParallel(tokens.count) { token in
            await self.deliver(event, to: token, again: again, held, revision)
        }
        await recorder.flush()
        lock.release()
        let records = results.compactMap(\.self)
        return (records, records.count == tokens.count)
    }

    /// Locks an event against other dispatches; nil if locking is impossible.
    private func lock(_ event: Event) async throws(AccountError) -> FileLock? {
        do throws(FileSystemError) {
            return try await log.lock(event.id, sleep: setup.sleep)
        } catch  where error.reason == .locked {
            throw .storeFile(error)
        } catch {
            reportNotStored(error)
            return nil
        }
    }

    /// Delivers an event to a receiver as the registry had it at a revision; nil if the end of the
    /// task left it out.
    private func deliver(
        _ event: Event, to token: DeliveryToken, again: Bool, _ held: AlarmHold?, _ revision: Int
    ) async -> DeliveryRecord? {
        guard !Task.isCancelled else { return nil }
        if let held, again || !log.isSettled(event.id, token.id) {
            var record = record(event, token, .skipped, held.reason.rawValue)
            (record.value, record.passesAt) = (held.value, held.until)
            return kept(record)
        }
        if let record = settled(event, token, again: again) { return record }
        guard await locks.lock(token.id) else {
            var record = record(event, token, .failed, DeliveryRecord.tooMany)
            record.cause = .token
            return kept(record)
        }
        let record = await lanes[token.service]?.run {
            await deliverLocked(event, to: token, again: again, revision)
        }
        await locks.unlock(token.id)
        return record
    }

    private func deliverLocked(
        _ event: Event, to known: DeliveryToken, again: Bool, _ revision: Int
    ) async -> DeliveryRecord? {
        guard !Task.isCancelled else { return nil }
        var token = known
        // An earlier event may have ended the receiver in the meantime.
        if await recorder.hasChanged(known.id, since: revision),
            let tokens = try? await store.load()
        {
            guard let changed = tokens[known.id] else {
                return kept(record(event, known, .skipped, "removed"))
            }
            token = changed
        }
        if let record = settled(event, token, again: again) { return record }
        var (record, answer) = await send(event, to: token)
        // A request that the end of argus cut off says nothing about the receiver.
        if record.outcome == .failed, Task.isCancelled { return nil }
        if let answer, await recorder.record(answer, of: token, at: setup.now()) {
            record.outcome = .deactivated
        }
        return kept(record)
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
        let record = DeliveryRecord(
            deciding: event, for: token, at: now, in: setup.zone(token.preferences.timezone))
        return record.outcome == .skipped ? kept(record) : nil
    }

    private func kept(_ record: DeliveryRecord) -> DeliveryRecord {
        do throws(FileSystemError) {
            try log.append(record)
            isNotStored.withLock { $0 = false }
        } catch {
            reportNotStored(error)
        }
        return record
    }

    /// Reports that the log cannot be changed, once until it can.
    private func reportNotStored(_ error: FileSystemError) {
        let isKnown = isNotStored.withLock { isNotStored in
            defer { isNotStored = true }
            return isNotStored
        }
        if !isKnown { setup.report(.notStored(error)) }
    }

    private func send(
        _ event: Event, to token: DeliveryToken
    ) async -> (DeliveryRecord, DeliveryAnswer?) {
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
            return (record, nil)
        }
        let (outcome, cause): (DeliveryRecord.Outcome, DeliveryRecord.Cause?) =
            switch answer.verdict {
            case .accepted: (isSilent ? .silent : .sent, nil)
            case .gone: (.removed, .token)
            case .tokenFailure: (.failed, .token)
            case .providerFailure(let fault): (.failed, .provider(fault))
            }
        var record = record(event, token, outcome, answer.reason)
        (record.httpStatus, record.attempts) = (answer.httpStatus, answer.attempts)
        (record.duration, record.cause) = (answer.duration, cause)
        return (record, record.cause.isProviders ? nil : answer)
    }

    private func record(
        _ event: Event, _ token: DeliveryToken, _ outcome: DeliveryRecord.Outcome,
        _ reason: String?
    ) -> DeliveryRecord {
        DeliveryRecord(event.id, token, outcome, reason, at: setup.now())
    }
}

/// A fact about deliveries for the user.
package enum DeliveryReport: Sendable {
    /// The log cannot be locked, read or changed: after a restart receivers may get an event again.
    case notStored(FileSystemError)
    /// The registry cannot be changed.
    case notRecorded(AccountError)
    /// The registry cannot be read; the event comes again.
    case unread(AccountError)
    /// The verdicts about an event.
    case dispatched(Event, [DeliveryRecord])
    /// Deliveries by a service fail for all its receivers, for this reason.
    case failing(DeliveryService, String)
    /// Deliveries by a service that failed succeed again.
    case recovered(DeliveryService)
}
