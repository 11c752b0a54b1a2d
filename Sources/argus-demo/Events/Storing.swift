extension Service {
    /// Records a new event and announces it to the WebSocket clients.
    func recordEvent(now: Moment = .now) {
        change { state in
            let cameras = state.cameras.filter { $0.isOnline && $0.fault != .stopped }
            guard !cameras.isEmpty, state.arrivals < options.arrivals else { return }
            state.arrivals += 1
            let time = state.captureTime(now: now)
            var event = History.event(at: time, cameras, &state.events, &state.chance)
            if time != now { event.created = now }
            if options.settings.alertsByRulesOnly { event.marks.remove(.alert) }
            state.loseDescription(of: &event)
            state.entities.recognize(event)
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
            let cameras = state.cameras.filter { $0.fault != .stopped }
            guard !cameras.isEmpty else { return }
            let event = History.event(at: moment, cameras, &state.events, &state.chance)
            state.events.insert(event)
            state.passing.append(event.id)
            guard state.passing.count > 200 else { return }
            let gone = state.passing.remove(
                at: Int(state.chance.next() % UInt64(state.passing.count)))
            if let index = state.events.index(of: gone.text) { state.events.remove(at: index) }
        }
    }
}

extension State {
    /// Chooses the capture time of an event that is stored now.
    mutating func captureTime(now: Moment) -> Moment {
        let (hour, day) = (3600 as Int64, 86_400 as Int64)
        if happens(settings.mishaps.late) {
            return now + -below(happens(25) ? 25 * hour : hour)
        }
        return happens(settings.mishaps.future) ? now + below(day) : now
    }

    /// Stores a new event, notes it for the event log, and announces it unless that goes wrong.
    ///
    /// Rules give it `alert_triggered` at `ruleTime`.
    mutating func store(_ event: Event, now: Moment, ruleTime: Moment? = nil) {
        var event = event
        var alertTime = event.marks.contains(.alert) ? now : ruleTime
        if let ruleTime { flips.append((event.id, ruleTime)) }
        if happens(settings.mishaps.flips) {
            event.marks.remove(.alert)
            let time = now + below(10)
            flips.append((event.id, time))
            alertTime = time
        }
        events.insert(event)
        let isAnnounced = !happens(settings.mishaps.unannounced)
        if isAnnounced { outbox.append(announcement(of: event, at: now)) }
        journal.append([
            "id": .text(event.id.text), "stored_at": .text(now.text),
            "captured_at": .text(event.time.text), "alert": .bool(alertTime != nil),
            "alert_at": JSON(alertTime?.text), "announced": .bool(isAnnounced),
        ])
    }

    /// The WebSocket message `NEW_EVENT`, with the first 100 characters of the description.
    private func announcement(of event: Event, at now: Moment) -> String {
        let message: JSON = [
            "type": "NEW_EVENT",
            "data": [
                "event_id": .text(event.id.text), "camera_id": .text(events.label(of: event).id),
                "description": .text(String(events.text(of: event).prefix(100))),
            ],
            "timestamp": .text(now.offsetText),
        ]
        return message.description(.spaced)
    }

    /// Sets `alert_triggered` of the events whose time for it has come, and sounds their alarms.
    mutating func flip(until now: Moment) {
        for alarm in alarms where alarm.time <= now {
            outbox += alarm.messages
            webhooks += alarm.webhooks
        }
        alarms.removeAll { $0.time <= now }
        for (id, time) in flips where time <= now {
            if let index = events.index(of: id.text) { events.mark(at: index, .alert) }
        }
        flips.removeAll { $0.at <= now }
    }

    /// Decides by chance; percentages of 0 leave the random numbers as they are.
    private mutating func happens(_ percentage: Int) -> Bool {
        percentage > 0 && chance.next() % 100 < percentage
    }

    /// A number of whole seconds from 1 to `limit`.
    private mutating func below(_ limit: Int64) -> Int64 {
        1 + Int64(chance.next() % UInt64(limit))
    }
}
