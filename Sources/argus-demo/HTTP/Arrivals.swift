extension Service {
    /// Records a new event and announces it to the WebSocket clients.
    func recordEvent(now: Moment = .now) {
        change { state in
            let cameras = state.cameras.filter(\.isOnline)
            guard !cameras.isEmpty, state.arrivals < options.arrivals else { return }
            state.arrivals += 1
            let time = state.captureTime(now: now)
            var event = History.event(at: time, cameras, &state.events, &state.chance)
            if time != now { event.created = now }
            state.store(event, now: now)
        }
    }

    /// Adds an event to the past and removes an earlier such addition, so that pages shift under
    /// their readers; the initial events stay.
    func churn() {
        withState { state in
            guard !state.events.rows.isEmpty else { return }
            let place = Int(state.chance.next() % UInt64(state.events.rows.count))
            let time = state.events.rows[place].time
            // Half of them share their time with another, so that pages end between events of one
            // instant.
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

/// The messages for WebSocket clients.
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
