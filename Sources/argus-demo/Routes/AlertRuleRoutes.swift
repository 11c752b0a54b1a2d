/// The alert rules of today's server.
enum AlertRuleRoutes {
    static func list(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var input = Validation()
        let isEnabled = input.flag(request.field("is_enabled"))
        try input.finish()
        let rules = state.rules.reversed().filter { isEnabled == nil || $0.isEnabled == isEnabled }
        return .json([
            "data": .list(rules.map { $0.json(state.entities) }),
            "total_count": .integer(rules.count),
        ])
    }

    static func create(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let name = body.required("name", length: 1...200)
        let isEnabled = body.flag("is_enabled") ?? true
        let conditions = body.nested("conditions", conditions)
        let actions = body.nested("actions", actions)
        let cooldown = body.integer("cooldown_minutes", in: 0...1440, default: 5)
        let entity = body.optional("entity_id")
        let match = entityMatch(&body) ?? .any
        try body.finish()
        guard match != .specific || entity?.isEmpty == false else {
            body.reportWhole("entity_id is required when entity_match_mode is 'specific'")
            throw body.refusal
        }
        let rule = AlertRule(
            name: name, isEnabled: isEnabled, conditions: conditions ?? anyEvent,
            actions: actions ?? notificationOnly, cooldownMinutes: cooldown, entityMatch: match,
            entityID: match == .specific ? entity : nil, createdAt: request.now,
            updatedAt: request.now)
        state.rules.append(rule)
        return .created(rule.json(state.entities))
    }

    static func show(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        .json(state.rules[try find(request, state)].json(state.entities))
    }

    /// Changes what the request names; null leaves a member as it is.
    static func update(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let name = body.optional("name", length: 1...200)
        let isEnabled = body.flag("is_enabled")
        let conditions = body["conditions"] == .null ? nil : body.nested("conditions", conditions)
        let actions = body["actions"] == .null ? nil : body.nested("actions", actions)
        let cooldown = body.optionalInteger("cooldown_minutes", in: 0...1440)
        let entity = body.optional("entity_id")
        let match = entityMatch(&body)
        try body.finish()
        let index = try find(request, state)
        var rule = state.rules[index]
        rule.name = name ?? rule.name
        rule.isEnabled = isEnabled ?? rule.isEnabled
        rule.conditions = conditions ?? rule.conditions
        rule.actions = actions ?? rule.actions
        rule.cooldownMinutes = cooldown ?? rule.cooldownMinutes
        rule.entityMatch = match ?? rule.entityMatch
        rule.entityID = rule.entityMatch == .specific ? entity ?? rule.entityID : nil
        rule.updatedAt = request.now
        state.rules[index] = rule
        return .json(rule.json(state.entities))
    }

    static func delete(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        state.rules.remove(at: try find(request, state))
        return .noContent
    }

    /// Applies a rule to the newest events, without its cooldown and its actions.
    static func test(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var limit = 50
        if !request.body.isEmpty {
            var body = try BodyReader(request)
            limit = body.integer("limit", in: 1...100, default: 50)
            try body.finish()
        }
        let rule = state.rules[try find(request, state)]
        let newest = state.events.rows.suffix(limit).reversed()
        let matching = newest.filter { rule.matches($0, state.events, state.entities) }
        return .json([
            "rule_id": .text(rule.id.text), "events_tested": .integer(newest.count),
            "events_matched": .integer(matching.count),
            "matching_event_ids": .list(matching.map { .text($0.id.text) }),
        ])
    }

    private static func find(_ request: Request, _ state: State) throws(Refusal) -> Int {
        let id = request.parameter("rule_id")
        return try state.rules.firstIndex { $0.id.text == id }
            .orRefuse("Alert rule \(id) not found")
    }
}

extension AlertRuleRoutes {
    private static let anyEvent: JSON = [
        "rule_type": "any", "carriers": nil, "object_types": nil, "cameras": nil,
        "time_of_day": nil, "days_of_week": nil, "min_confidence": nil,
    ]

    private static let notificationOnly: JSON = ["dashboard_notification": true, "webhook": nil]

    private static func entityMatch(_ body: inout BodyReader) -> AlertRule.EntityMatch? {
        let modes = AlertRule.EntityMatch.allCases.map(\.rawValue)
        guard let mode = body["entity_match_mode"], mode != .null else { return nil }
        return .init(rawValue: body.word("entity_match_mode", oneOf: modes))
    }

    private static func conditions(_ body: inout BodyReader) -> JSON {
        let type = body.optional("rule_type")
        let types = ["any", "package_delivery"]
        if let type, !types.contains(type) {
            body.reportValue(
                "rule_type", "Invalid rule_type '\(type)'. Valid types: \(set(types))")
        }
        let carriers = choices(
            "carriers", "carrier", "Valid carriers", ["fedex", "ups", "usps", "amazon", "dhl"],
            &body)
        let objects = choices(
            "object_types", "object type", "Valid types",
            ["animal", "package", "person", "vehicle", "unknown"], &body)
        let cameras = body.texts("cameras")
        let hours: JSON? =
            body["time_of_day"] == .null
            ? nil
            : body.nested("time_of_day") { body in
                ["start": .text(clock("start", &body)), "end": .text(clock("end", &body))]
            }
        let days = body.integers("days_of_week")
        if let day = days?.first(where: { !(1...7).contains($0) }) {
            body.reportValue(
                "days_of_week", "Day must be between 1 (Monday) and 7 (Sunday), got \(day)")
        }
        let confidence = body.optionalInteger("min_confidence", in: 0...100)
        return [
            "rule_type": .text(type ?? "any"), "carriers": JSON(carriers),
            "object_types": JSON(objects), "cameras": JSON(cameras), "time_of_day": hours ?? .null,
            "days_of_week": days.map { .list($0.map(JSON.integer)) } ?? .null,
            "min_confidence": JSON(confidence),
        ]
    }

    private static func actions(_ body: inout BodyReader) -> JSON {
        let notifies = body.flag("dashboard_notification") ?? true
        let webhook: JSON? =
            body["webhook"] == .null
            ? nil
            : body.nested("webhook") { body in
                let url = body.required("url", length: 1...2000)
                if !url.isEmpty, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
                    body.reportValue("url", "URL must start with http:// or https://")
                }
                return ["url": .text(url), "headers": body.dictionary("headers") ?? .null]
            }
        return ["dashboard_notification": .bool(notifies), "webhook": webhook ?? .null]
    }

    /// Reads a list of words, and reports the first that is unknown.
    private static func choices(
        _ name: String, _ singular: String, _ heading: String, _ words: [String],
        _ body: inout BodyReader
    ) -> [String]? {
        let given = body.texts(name)
        if let word = given?.first(where: { !words.contains($0) }) {
            body.reportValue(name, "Invalid \(singular) '\(word)'. \(heading): \(set(words))")
        }
        return given
    }

    /// The words in the form of a Python set.
    private static func set(_ words: [String]) -> String {
        "{\(words.map { "'\($0)'" }.joined(separator: ", "))}"
    }

    private static func clock(_ name: String, _ body: inout BodyReader) -> String {
        let text = body.required(name)
        let pattern = #"^([01]\d|2[0-3]):([0-5]\d)$"#
        if body[name]?.string != nil, !ClockTime.isTime(text, isStrict: true) {
            body.report(
                "string_pattern_mismatch", name, "String should match pattern '\(pattern)'",
                context: ["pattern": .text(pattern)])
        }
        return text
    }
}
