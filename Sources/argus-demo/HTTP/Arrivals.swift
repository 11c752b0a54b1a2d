extension Service {
    /// Lets a camera see something now, and tells the WebSocket clients.
    func recordEvent() {
        let now = Moment.now
        let messages = withState { state in
            let cameras = state.cameras.filter(\.isOnline)
            guard !cameras.isEmpty else { return [] as [String] }
            let event = History.event(at: now, cameras, &state.events, &state.chance)
            state.events.insert(event)
            return [Announcement.newEvent(event, state.events, at: now)]
        }
        for message in messages { hub.broadcast(message) }
    }
}

/// The texts that WebSocket clients get (backend-facts 9).
enum Announcement {
    /// `NEW_EVENT`, with the first 100 characters of the description.
    static func newEvent(_ event: Event, _ store: EventStore, at now: Moment) -> String {
        let message: JSON = [
            "type": "NEW_EVENT",
            "data": [
                "event_id": .text(event.id.text), "camera_id": .text(store.label(of: event).id),
                "description": .text(String(store.text(of: event).prefix(100))),
            ],
            "timestamp": .text(now.text(.offset)),
        ]
        return message.description(.spaced)
    }
}
