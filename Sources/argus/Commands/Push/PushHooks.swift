import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusPush
import Synchronization

/// The hooks of a receiver: a command, run for each of its notifications under the rules of watches.
struct PushHooks {
    private let dispatcher: HookDispatcher
    private let notifications = PendingNotifications()

    init(
        _ options: HookOptions, _ command: HookCommand, of server: SignedInServer,
        in context: Context
    ) {
        let system = context.system
        let (pending, name, console) = (notifications, server.name, context.console)
        dispatcher = HookDispatcher(
            options.limits, system.clock, store: nil,
            prepare: { [line = system.streams.statusLine] entry in
                guard let notification = pending[entry.id] else { return { .done } }
                return {
                    // The command prints on the terminal itself.
                    line.cover()
                    defer { line.uncover() }
                    let ending = await command.run(
                        input: NotificationView.fields.jsonLine(notification),
                        variables: HookVariables.words(
                            of: notification.event, on: name, picture: nil,
                            and: [
                                ("TITLE", notification.title ?? ""),
                                ("URL", notification.url ?? ""),
                            ]))
                    if ending == .done { pending.remove(entry.id) }
                    return ending
                }
            },
            report: { report in
                console.report(report, of: "notification", named: pending.name)
                if case .failed(let entry, _) = report, entry.isSetAside {
                    pending.setAside(entry.id)
                }
            })
    }

    /// Takes a notification over; false if the receiver is about to end.
    func add(_ notification: PushNotification) async -> Bool {
        await dispatcher.add(notifications.add(notification))
    }

    /// Starts the grace period of running commands.
    @Sendable func stop() async { await dispatcher.stop() }

    /// Runs a receiver to its end, and waits for the commands.
    ///
    /// - Throws: `Failure` of the receiver, else 11 if notifications were set aside.
    func finish(_ listen: () async throws(Failure) -> Void) async throws(Failure) {
        let end = await result(of: listen)
        if case .failure = end { await dispatcher.stop() }
        let summary = await dispatcher.finish()
        try end.get()
        try summary.expectNone(of: "notification", named: notifications.name)
    }
}

/// The notifications whose command is to be run, by the number of their arrival.
private final class PendingNotifications: Sendable {
    private struct State {
        var last = 0
        var all: [String: PushNotification] = [:]
        /// The titles of those set aside, as far as messages show them.
        var titles: [String: String] = [:]
    }

    private let state = Mutex(State())

    /// Adds a notification, and returns it as an event whose id is that number: an event may be pushed
    /// several times.
    func add(_ notification: PushNotification) -> Event {
        state.withLock { state in
            state.last += 1
            var event = notification.event
            event.id = "\(state.last)"
            state.all[event.id] = notification
            return event
        }
    }

    subscript(id: String) -> PushNotification? { state.withLock { $0.all[id] } }

    func remove(_ id: String) { state.withLock { $0.all[id] = nil } }

    /// Forgets a notification, and its title too if many are set aside.
    func setAside(_ id: String) {
        state.withLock { state in
            let title = state.all.removeValue(forKey: id)?.title
            if state.titles.count < 1000 { state.titles[id] = title.map { String($0.prefix(100)) } }
        }
    }

    /// The name of a notification in messages.
    @Sendable func name(_ id: String) -> String {
        state.withLock { ($0.all[id]?.title ?? $0.titles[id])?.inQuotes ?? id }
    }
}

extension PushNotification {
    fileprivate var event: Event {
        var event = Event(id: eventID ?? "")
        (event.cameraID, event.cameraName) = (cameraID, cameraName)
        (event.timestamp, event.description) = (timestamp ?? receivedAt, body)
        event.smartDetectionType = smartDetectionType ?? (eventID == nil ? kind : nil)
        return event
    }
}
