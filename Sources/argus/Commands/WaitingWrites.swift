import ArgusKit

// The writes that wait for a server.
extension Context {
    /// True if writes may wait for a server; one stat(2).
    func holdsWrites(for server: SignedInServer) -> Bool {
        guard let id = server.record?.id else { return false }
        return WriteStore(in: system.paths.state)?.mayHold(id.text) == true
    }

    /// Warns, after a sign-out, that writes wait for the next sign-in.
    func warnOfWaitingWrites(for record: ServerRecord) {
        guard WriteStore(in: system.paths.state)?.mayHold(record.id.text) == true else { return }
        console.warn(
            "changes for '\(record.name)' wait until you sign in again; 'argus queue' lists them")
    }

    /// Drops the writes that wait for a server that is forgotten, with a warning.
    ///
    /// - Throws: `Failure` 1 if they cannot be removed.
    func dropWaitingWrites(for record: ServerRecord) async throws(Failure) {
        guard let store = WriteStore(in: system.paths.state) else { return }
        let writes = try attempt(store.writes(of: record.id.text)).writes
        for write in writes {
            _ = try await attempt(awaiting: await store.remove(write))
            console.warn(
                "dropped '\(write.write.operation)' of \(write.label ?? write.write.object), which "
                    + "waited for '\(record.name)'")
        }
    }

    /// The longest time for writes that wait, after a command that reached their server.
    private static let timeAfterCommand = Duration.seconds(1)

    /// The replay of the writes that wait for a server; nil without a stored sign-in.
    func replay(to server: SignedInServer) -> WriteReplay? {
        guard let id = server.record?.id, let user = QueuedWrite.User(server),
            let store = WriteStore(in: system.paths.state)
        else { return nil }
        let secrets = secrets
        let sender = WriteSender(
            server.session, server: id, state: system.paths.state, now: now, sleep: system.sleep
        ) { subscription in
            let stored = try? await secrets.storedPush(of: server)
            return stored?.subscriptions.first { $0.subscriptionID == subscription }?.endpoint
        }
        return WriteReplay(store, by: sender, to: id, as: user, now: now, sleep: system.sleep)
    }

    /// Sends what waits for the servers that this run has reached, in a second at most, and reports
    /// nothing but debug messages.
    ///
    /// A try that the end of the time interrupts is recognised by the next one.
    func sendWaiting(to servers: [SignedInServer]) async {
        for server in servers where server.endpoints?.hasAnswered == true {
            guard holdsWrites(for: server), let replay = replay(to: server) else { continue }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await sendQuietly(replay) }
                group.addTask { await system.pause(Self.timeAfterCommand) }
                _ = await group.next()
                group.cancelAll()
            }
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
