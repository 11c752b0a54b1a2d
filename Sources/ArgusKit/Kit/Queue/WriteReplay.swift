package import ArgusAccount
package import ArgusCore
package import ArgusTransport

/// Sends the queued writes of one server, in their order for each object.
package struct WriteReplay: Sendable {
    /// The result of a record.
    package enum Outcome: Sendable {
        case sent
        /// The server had what the write wants, as after a try whose answer was lost.
        case alreadyDone
        /// Another client has changed the object since; the record is kept.
        case conflict
        /// The server answered without a verdict; the record waits, or is set aside.
        case failed(APIError)
        /// The server refused it; the record is set aside.
        case refused(APIError)
        /// The write belongs to a user other than the one signed in; the record is kept.
        case otherUser
    }

    /// The reason why a run ended.
    package enum End: Sendable {
        /// Every record that was due has its result.
        case complete
        /// The server does not answer, limits requests, or wants a new sign-in; the rest waits.
        case stopped(APIError)
        /// Another process sends records of this server.
        case busy
    }

    private let store: WriteStore
    private let sender: WriteSender
    private let server: String
    private let user: QueuedWrite.User
    /// The tokens with which the run begins; nil for a key.
    private let signIn: StoredSession?
    private let mayRenew: Bool
    private let now: @Sendable () -> Timestamp
    private let sleep: FileLock.Sleep
    private let jitter: @Sendable () -> Double

    /// Prepares to send as `user`, whose tokens are those of `signIn`; `jitter` returns 0.75 to 1.25.
    package init(
        _ store: WriteStore, by sender: WriteSender, to server: ServerID, as user: QueuedWrite.User,
        _ signIn: StoredSession? = nil, renewing mayRenew: Bool = true,
        now: @escaping @Sendable () -> Timestamp, sleep: @escaping FileLock.Sleep,
        jitter: @escaping @Sendable () -> Double = { .random(in: 0.75...1.25) }
    ) {
        (self.store, self.sender, self.server) = (store, sender, server.text)
        (self.user, self.signIn, self.mayRenew) = (user, signIn, mayRenew)
        (self.now, self.sleep, self.jitter) = (now, sleep, jitter)
    }

    /// Sends what is due, and reports each result after it is stored; waits up to `timeout` for
    /// another process that sends to the server.
    ///
    /// - Throws: `FileSystemError` for a record that cannot be read or changed.
    package func run(
        timeout: Duration, report: (QueuedWrite, Outcome) async -> Void
    ) async throws(FileSystemError) -> End {
        let end = try await store.whileSending(to: server, timeout: timeout, sleep: sleep) {
            () async throws(FileSystemError) in
            try await sendAll(report)
        }
        return end ?? .busy
    }

    private func sendAll(
        _ report: (QueuedWrite, Outcome) async -> Void
    ) async throws(FileSystemError) -> End {
        // Objects with an earlier record that stays: the later ones must not overtake it. Each object
        // is held while a record of it is tried, and let go once that is over.
        var held: Set<String> = []
        // The last try and the first one that got no answer in time.
        var (isSilent, silence): (Bool, APIError?) = (false, nil)
        let all = store.writes(of: server).writes
        if all.isEmpty { try await store.tidy(server) }
        for listed in all {
            let object = listed.write.object
            guard held.insert(object).inserted else { continue }
            // An earlier record may have changed its base, and a user may have removed it.
            let write: QueuedWrite
            do throws(UnreadableFile) {
                guard let current = try store.current(listed) else {
                    held.remove(object)
                    continue
                }
                write = current
            } catch {
                continue
            }
            guard write.isDue(at: now()) else { continue }
            guard user.isSame(as: write.user) else {
                await report(write, .otherUser)
                continue
            }
            let attempt: Attempt
            do throws(APIError) {
                attempt = try await send(write)
            } catch {
                // A server that never answers for one object may answer for the next.
                guard error.isSilence, !isSilent else { return .stopped(error) }
                (isSilent, silence) = (true, silence ?? error)
                continue
            }
            isSilent = false
            if try await keep(attempt, of: write, among: all) { held.remove(object) }
            await report(write, attempt.outcome)
            if case .failed(let error) = attempt.outcome, error.kind == .rateLimited {
                return .stopped(error)
            }
        }
        return silence.map(End.stopped) ?? .complete
    }

    /// The result of a try, with the object as it was read before.
    private typealias Attempt = (outcome: Outcome, version: ObjectVersion?)

    /// Sends a write with tokens of the user with whom the run began, renewed after a 401, or with the
    /// stored key once they have ended for good, as any command does.
    ///
    /// - Throws: `APIError` if the rest of the queue must wait as well; nothing is counted then.
    private func send(_ write: QueuedWrite) async throws(APIError) -> Attempt {
        guard let renewal = sender.session.renewal else {
            return try await send(write, by: sender)
        }
        let tokens = mayRenew ? await renewal.current() : await renewal.session
        // An expired token whose renewal crashes the server is not sent first.
        if tokens.isRenewalBroken, let key = await renewal.standIn() {
            return try await send(write, by: sender.fixed(to: .apiKey(key), isStandIn: true))
        }
        do throws(APIError) {
            return try await send(write, with: tokens)
        } catch  where error.kind == .unauthorized && mayRenew {
            if let next = await renewal.replacement(for: tokens.accessToken, after: error) {
                return try await send(write, with: next)
            }
            let end = await renewal.error(after: error)
            guard let key = await renewal.standIn() else { throw end }
            return try await send(write, by: sender.fixed(to: .apiKey(key), isStandIn: true))
        }
    }

    /// Sends a write unless somebody else has signed in since the run began.
    private func send(
        _ write: QueuedWrite, with tokens: StoredSession
    ) async throws(APIError) -> Attempt {
        guard signIn.map({ QueuedWrite.User($0) }) == QueuedWrite.User(tokens) else {
            return (.otherUser, nil)
        }
        return try await send(write, by: sender.fixed(to: tokens.authorization))
    }

    /// Sends a write unless the server has it already, or has something newer.
    ///
    /// - Throws: `APIError` if the rest of the queue must wait as well; nothing is counted then.
    private func send(
        _ write: QueuedWrite, by sender: WriteSender
    ) async throws(APIError) -> Attempt {
        do throws(APIError) {
            return try await sender.whileUnchanged(write.write) { () async throws(APIError) in
                try await make(write.write.call, of: write, by: sender)
            }
        } catch {
            if error.stopsQueue { throw error }
            return (error.isVerdict ? .refused(error) : .failed(error), nil)
        }
    }

    /// Makes the call of a write over what the user has seen.
    private func make(
        _ call: some ServiceCall, of write: QueuedWrite, by sender: WriteSender
    ) async throws(APIError) -> Attempt {
        let found = try await call.read(by: sender)
        let version = call.version(found)
        guard !version.isAsWanted else { return (.alreadyDone, version) }
        guard version.isCurrent(write) else { return (.conflict, version) }
        do throws(APIError) {
            _ = try await call.perform(over: found, by: sender)
        } catch  where error.status == 409 {
            return try await judge(error, of: write, call, by: sender)
        }
        return (.sent, version)
    }

    /// Finds out what a 409 is about.
    private func judge(
        _ error: APIError, of write: QueuedWrite, _ call: some ServiceCall, by sender: WriteSender
    ) async throws(APIError) -> Attempt {
        let version = call.version(try await call.read(by: sender))
        if version.isAsWanted { return (.alreadyDone, version) }
        guard version.isCurrent(write) else { return (.conflict, version) }
        // Another client has written back what it had read before.
        if case .preferences = write.write { return (.failed(error), nil) }
        return (.refused(error), nil)
    }

    /// Stores the result of a try; false if the record stays.
    private func keep(
        _ attempt: Attempt, of write: QueuedWrite, among all: [QueuedWrite]
    ) async throws(FileSystemError) -> Bool {
        switch attempt {
        case (.sent, let version?), (.alreadyDone, let version?):
            try await store.finish(write, with: version.wanted, among: all)
            return true
        case (.conflict, let version?):
            _ = try await store.change(write) { $0.conflict(with: version) }
        case (.failed(let error), _):
            let jitter = jitter()
            _ = try await store.change(write) {
                $0.fail(
                    error.reason, at: now(), retryAfter: error.retryAfterSeconds, jitter: jitter)
            }
        case (.refused(let error), _):
            _ = try await store.change(write) { $0.setAside(error.reason) }
        default: break
        }
        return false
    }
}

extension APIError {
    /// True if the server did not answer, or wants a new sign-in: no other write can go either.
    fileprivate var stopsQueue: Bool {
        switch kind {
        case .transport(let error):
            switch error.kind {
            // The server did answer.
            case .truncatedBody, .malformedAnswer, .tooLarge: false
            default: status == nil
            }
        case .unauthorized, .renewalBroken, .storeFailed, .foreign: true
        default: false
        }
    }

    /// True if the server took the request and did not begin an answer.
    fileprivate var isSilence: Bool {
        guard case .transport(let error) = kind, status == nil else { return false }
        return error.kind == .timedOut(.firstByte)
    }

    /// True if the server decided: another try of the same write has the same result.
    fileprivate var isVerdict: Bool {
        isUnsupported || [.forbidden, .notFound, .rejected].contains(kind)
    }

    /// The failure in a few words, for a record.
    fileprivate var reason: String {
        let words = status.map { "status \($0)" } ?? "failed"
        return detail.isEmpty ? words : "\(words): \(detail)"
    }
}
