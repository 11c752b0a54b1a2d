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

    /// Drops the writes that wait for a server that is forgotten, with a warning, and what was seen
    /// there.
    ///
    /// - Throws: `Failure` 1 if they cannot be removed.
    func dropWaitingWrites(for record: ServerRecord) async throws(Failure) {
        SeenVersions(in: system.paths.state)?.erase(record.id.text)
        guard let store = WriteStore(in: system.paths.state) else { return }
        for write in store.writes(of: record.id.text).writes {
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
        var signIn: StoredSession?
        if case .session(let session) = server.credential { signIn = session }
        return WriteReplay(
            store, by: sender, to: id, as: user, signIn, now: now, sleep: system.sleep)
    }
}

extension ServerRecord {
    /// Warns, after a sign-out, that writes wait for the next sign-in.
    func warnOfWaitingWrites(in context: Context) {
        guard WriteStore(in: context.system.paths.state)?.mayHold(id.text) == true else { return }
        context.console.warn(
            "changes for '\(name)' wait until you sign in again; 'argus queue' lists them")
    }

    /// Drops the writes that wait for a server that is forgotten, with a warning.
    ///
    /// - Throws: `Failure` 1 if they cannot be removed.
    func dropWaitingWrites(in context: Context) async throws(Failure) {
        guard let store = WriteStore(in: context.system.paths.state) else { return }
        let writes = try attempt(store.writes(of: id.text)).writes
        for write in writes {
            _ = try await attempt(awaiting: await store.remove(write))
            context.console.warn(
                "dropped '\(write.write.operation)' of \(write.label ?? write.write.object), which "
                    + "waited for '\(name)'")
        }
    }
}

extension SignedInServer {
    /// The longest time for writes that wait, after a command that reached their server.
    private static let timeAfterCommand = Duration.seconds(1)

    /// Sends what waits if this run has reached the server, in a second at most, and reports
    /// nothing but debug messages.
    ///
    /// A try that the end of the time interrupts is recognised by the next one.
    func sendWaitingWrites(in context: Context) async {
        guard endpoints?.hasAnswered == true, context.holdsWrites(for: self),
            let replay = context.replay(to: self)
        else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await replay.runQuietly(context.console) }
            group.addTask { await context.sleep(Self.timeAfterCommand) }
            _ = await group.next()
            group.cancelAll()
        }
    }
}

extension WriteReplay {
    fileprivate func runQuietly(_ console: Console) async {
        do throws(FileSystemError) {
            let end = try await run(timeout: .zero) { write, outcome in
                console.debug("'\(write.write.operation)' of the queue (\(write.id)): \(outcome)")
            }
            if case .stopped(let error) = end { console.debug("the queue waits: \(error)") }
        } catch {
            console.debug("cannot send what waits: \(error)")
        }
    }
}
