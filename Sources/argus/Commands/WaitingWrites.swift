import ArgusAccount
import ArgusCore
import ArgusKit
import ArgusPush

// The writes that wait for a server.
extension Context {
    /// True if writes may wait for a server; one stat(2).
    func holdsWrites(for server: SignedInServer) -> Bool {
        guard let id = server.record?.id else { return false }
        return WriteStore(in: system.paths.state)?.mayHold(id.text) == true
    }

    /// The services of a server as calls that may wait use them.
    func sender(to server: SignedInServer) -> WriteSender {
        let secrets = secrets
        return WriteSender(
            server.session, server: server.record?.id, state: system.paths.state, now: now,
            sleep: system.sleep
        ) { subscription throws(AccountError) in
            try await secrets.storedPush(of: server).subscriptions
                .first { $0.subscriptionID == subscription }?.endpoint
        }
    }

    /// The longest time for writes that wait, after a command that reached their server.
    private static let timeAfterCommand = Duration.seconds(1)

    /// The replay of the writes that wait for a server, which may renew the sign-in first; nil without
    /// a stored sign-in, and after that has ended or was replaced.
    func replay(to server: SignedInServer, renewing mayRenew: Bool = true) -> WriteReplay? {
        guard let record = server.record, let user = QueuedWrite.User(server),
            let store = WriteStore(in: system.paths.state),
            // This command, or another process, may have signed out or in since it was read.
            (try? directory.load())?[record.id]?.account == record.account
        else { return nil }
        var signIn: StoredSession?
        if case .session(let session) = server.credential { signIn = session }
        return WriteReplay(
            store, by: sender(to: server), to: record.id, as: user, signIn, renewing: mayRenew,
            now: now,
            sleep: system.sleep)
    }

    /// Sends what waits for the servers that this run has reached, in a second at most, and reports
    /// nothing but debug messages.
    ///
    /// A renewal of a sign-in could take longer, and is left to the next command. A try that the end
    /// of the time interrupts is recognised by the next one.
    func sendWaiting(to servers: [SignedInServer]) async {
        let replays = servers.filter { $0.endpoints?.hasAnswered == true && holdsWrites(for: $0) }
            .compactMap { replay(to: $0, renewing: false) }
        guard !replays.isEmpty else { return }
        // The reader of a pipe need not wait for the end of this process.
        system.streams.out.end()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = await replays.mapInParallel(replays.count) { await sendQuietly($0) }
            }
            group.addTask { await system.pause(Self.timeAfterCommand) }
            _ = await group.next()
            group.cancelAll()
        }
    }

    private func sendQuietly(_ replay: WriteReplay) async {
        do throws(FileSystemError) {
            let end = try await replay.run(timeout: .zero) { [console] write, outcome in
                console.debug("'\(write.write.operation)' of the queue (\(write.id)): \(outcome)")
            }
            if case .stopped(let error) = end { console.debug("the queue waits: \(error)") }
        } catch {
            console.debug("cannot send what waits: \(error)")
        }
    }
}

extension ServerRecord {
    /// Warns, after a sign-out, that writes wait for the next sign-in.
    func warnOfWaitingWrites(in context: Context) {
        guard WriteStore(in: context.system.paths.state)?.mayHold(id.text) == true else { return }
        context.console.warn(
            "changes for '\(name)' wait until you sign in again; 'argus queue' lists them")
    }

    /// Drops the writes that wait for a server that is forgotten, with a warning, and what was seen
    /// there.
    func dropWaitingWrites(in context: Context) async throws(Failure) {
        SeenVersions(in: context.system.paths.state)?.erase(id.text)
        guard let store = WriteStore(in: context.system.paths.state) else { return }
        let dropped = try await attempt(awaiting: await store.erase(id.text))
        for write in dropped.writes {
            context.console.warn(
                "dropped '\(write.write.operation)' of \(write.label ?? write.write.object), which "
                    + "waited for '\(name)'")
        }
        for file in dropped.unreadable {
            context.console.warn("dropped '\(file.path)', which could not be read")
        }
    }
}
