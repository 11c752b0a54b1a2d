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

    /// Puts an event into the past and takes another such one away, so that pages shift under
    /// those who read them; the events of the beginning stay.
    func churn() {
        withState { state in
            guard !state.events.rows.isEmpty else { return }
            let place = Int(state.chance.next() % UInt64(state.events.rows.count))
            let time = state.events.rows[place].time
            // Half of them share their moment with another: pages end within such moments, too.
            let isTied = state.chance.next() % 2 == 0
            let moment = isTied ? time : Moment(microseconds: time.microseconds - 1)
            let event = History.event(at: moment, state.cameras, &state.events, &state.chance)
            state.events.insert(event)
            state.passing.append(event.id)
            guard state.passing.count > State.mostPassing else { return }
            let gone = state.passing.remove(
                at: Int(state.chance.next() % UInt64(state.passing.count)))
            if let index = state.events.index(of: gone.text) { state.events.remove(at: index) }
        }
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
            "timestamp": .text(now.offsetText),
        ]
        return message.description(.spaced)
    }
}
