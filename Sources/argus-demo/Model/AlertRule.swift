import Glibc

/// A rule of the server's alarm, which looks at events made over the API only.
struct AlertRule: Sendable {
    enum EntityMatch: String, Sendable, CaseIterable {
        case any, specific, unknown
    }

    let id = Identifier.random()
    var name: String
    var isEnabled = true
    /// All conditions, null where anything matches.
    var conditions: JSON
    var actions: JSON
    var cooldownMinutes = 5
    var entityMatch = EntityMatch.any
    var entityID: String?
    var lastTriggeredAt: Moment?
    var triggerCount = 0
    var createdAt: Moment
    var updatedAt: Moment

    func json(_ entities: Entities) -> JSON {
        let entity = entityID.flatMap { entities[$0] }
        return [
            "id": .text(id.text), "name": .text(name), "is_enabled": .bool(isEnabled),
            "conditions": conditions, "actions": actions,
            "cooldown_minutes": .integer(cooldownMinutes),
            "last_triggered_at": JSON(lastTriggeredAt?.text),
            "trigger_count": .integer(triggerCount), "created_at": .text(createdAt.text),
            "updated_at": .text(updatedAt.text), "entity_id": JSON(entityID),
            "entity_match_mode": .text(entityMatch.rawValue),
            "entity_name": JSON(entity?.nameInRules),
        ]
    }

    func isCoolingDown(now: Moment) -> Bool {
        lastTriggeredAt.map { now < $0 + Int64(cooldownMinutes) * 60 } ?? false
    }

    /// Matches an event against all conditions, as the server does: with its time in UTC.
    func matches(_ event: Event, _ store: EventStore, _ entities: Entities) -> Bool {
        func allows(_ name: String, _ isWanted: (JSON) -> Bool) -> Bool {
            guard let values = conditions[name]?.elements, !values.isEmpty else { return true }
            return values.contains(where: isWanted)
        }
        let carrier = Analysis.all[Int(event.analysis)].carrier
        let names = event.objects.names
        let weekday = event.time.fields.tm_wday
        let isDelivery = event.kind == .package && carrier != nil
        return allows("object_types") { names.contains($0.string ?? "") }
            && allows("cameras") { $0.string == store.label(of: event).id }
            && isActive(at: event.time)
            && allows("days_of_week") { $0.int == (weekday == 0 ? 7 : Int(weekday)) }
            && Int(event.confidence) >= conditions["min_confidence"]?.int ?? 0
            && matches(entity: entities.recognized[event.id])
            && (isDelivery || conditions["rule_type"] != "package_delivery")
            && allows("carriers") { $0.string == carrier }
    }

    /// True in the rule's time of day, both minutes included; it may begin in the evening and end
    /// in the morning.
    private func isActive(at time: Moment) -> Bool {
        func minutes(_ name: String) -> Int? {
            let parts = conditions["time_of_day"]?[name]?.string?.split(separator: ":")
            let numbers = (parts ?? []).compactMap { Int($0) }
            return numbers.count == 2 ? numbers[0] * 60 + numbers[1] : nil
        }
        guard let start = minutes("start"), let end = minutes("end") else { return true }
        let minute = Int(time.seconds / 60 % 1440)
        return start <= end
            ? (start...end).contains(minute) : minute >= start || minute <= end
    }

    private func matches(entity: Identifier?) -> Bool {
        switch entityMatch {
        case .any: true
        case .specific: entityID == nil || entity?.text == entityID
        case .unknown: entity == nil
        }
    }
}

/// What the server does some seconds after it stored an event that a rule matches.
struct Alarm: Sendable {
    struct Webhook: Sendable {
        var url: String
        var headers: [(name: String, value: String)]
        var body: JSON
    }

    var time: Moment
    /// WebSocket messages.
    var messages: [String] = []
    var webhooks: [Webhook] = []
}

extension State {
    /// Applies all rules to a new event, and returns the time of its alarm; nil if none matches.
    mutating func applyRules(to event: Event, now: Moment) -> Moment? {
        var alarm = Alarm(time: now + 2)
        var hasMatched = false
        for index in rules.indices where rules[index].isEnabled {
            let rule = rules[index]
            guard !rule.isCoolingDown(now: now), rule.matches(event, events, entities) else {
                continue
            }
            hasMatched = true
            rules[index].lastTriggeredAt = now
            rules[index].updatedAt = now
            rules[index].triggerCount += 1
            if rule.actions["dashboard_notification"] == true {
                alarm.messages.append(notification(of: event, rule, at: alarm.time))
            }
            if let hook = webhook(for: event, rule) { alarm.webhooks.append(hook) }
        }
        guard hasMatched else { return nil }
        alarms.append(alarm)
        return alarm.time
    }

    private func entity(of rule: AlertRule) -> Entity? {
        rule.entityID.flatMap { entities[$0] }
    }

    /// The WebSocket message `notification`.
    private func notification(of event: Event, _ rule: AlertRule, at time: Moment) -> String {
        let entity = entity(of: rule)
        let text = events.text(of: event)
        var (title, description) = (rule.name, String(text.prefix(200)))
        switch rule.entityMatch {
        case .any: break
        case .specific where entity != nil:
            title = "\(entity?.name ?? "Known entity") detected"
            description = "\(title): \(text.prefix(150))"
        case .specific: break
        case .unknown: title = "Unknown person detected"
        }
        let message: JSON = [
            "type": "notification",
            "data": [
                "id": .text(Identifier.random().text), "event_id": .text(event.id.text),
                "rule_id": .text(rule.id.text), "rule_name": .text(title),
                "event_description": .text(description),
                "thumbnail_url": event.thumbnailPath == nil
                    ? nil : .text("/api/v1/events/\(event.id.text)/thumbnail"),
                "created_at": .text(time.naiveText), "read": false,
                "entity": rule.entityMatch == .any
                    ? nil
                    : [
                        "id": JSON(entity?.id.text), "name": JSON(entity?.name),
                        "match_mode": .text(rule.entityMatch.rawValue),
                    ],
            ],
            "timestamp": .text(time.offsetText),
        ]
        return message.description(.spaced)
    }

    private func webhook(for event: Event, _ rule: AlertRule) -> Alarm.Webhook? {
        guard let url = rule.actions["webhook"]?["url"]?.string else { return nil }
        let camera = JSON.text(events.label(of: event).id)
        let entity = entity(of: rule)
        let shown: JSON =
            switch rule.entityMatch {
            case .specific where entity != nil:
                [
                    "id": JSON(entity?.id.text), "name": JSON(entity?.name),
                    "type": JSON(entity?.type), "match_mode": "specific",
                ]
            case .unknown:
                ["id": nil, "name": "Unknown", "type": "unknown", "match_mode": "unknown"]
            default: nil
            }
        let body: JSON = [
            "event_id": .text(event.id.text), "timestamp": .text(event.time.naiveText),
            // The server has the id at hand only.
            "camera": ["id": camera, "name": camera],
            "description": .text(events.text(of: event)),
            "confidence": .integer(Int(event.confidence)),
            "objects_detected": .list(event.objects.names.map(JSON.text)),
            "thumbnail_url": .text("/api/v1/events/\(event.id.text)/thumbnail"),
            "rule": ["id": .text(rule.id.text), "name": .text(rule.name)], "entity": shown,
        ]
        var headers: [(name: String, value: String)] = []
        if case .object(let members) = rule.actions["webhook"]?["headers"] {
            headers = members.map { ($0.name, $0.value.string ?? "") }
        }
        return Alarm.Webhook(url: url, headers: headers, body: body)
    }
}
