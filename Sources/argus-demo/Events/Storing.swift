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
    mutating func store(_ event: Event, now: Moment) {
        var event = event
        var alertTime = event.marks.contains(.alert) ? now : nil
        if happens(settings.mishaps.flips) {
            event.marks.remove(.alert)
            let time = now + below(10)
            flips.append((event.id, time))
            alertTime = time
        }
        events.insert(event)
        let isAnnounced = !happens(settings.mishaps.unannounced)
        if isAnnounced { outbox.append(Announcement.newEvent(event, events, at: now)) }
        journal.append([
            "id": .text(event.id.text), "stored_at": .text(now.text),
            "captured_at": .text(event.time.text), "alert": .bool(alertTime != nil),
            "alert_at": JSON(alertTime?.text), "announced": .bool(isAnnounced),
        ])
    }

    /// Sets `alert_triggered` of the events whose time for it has come.
    mutating func flip(until now: Moment) {
        for (id, time) in flips where time <= now {
            guard let index = events.index(of: id.text) else { continue }
            events.mark(at: index, .alert)
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
