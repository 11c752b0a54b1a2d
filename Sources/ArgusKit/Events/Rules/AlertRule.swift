package import ArgusCore

/// An alert rule of a server: conditions on events, and the actions for an event that fulfils them.
///
///     {"id":"f0d86edd-…","name":"night people","is_enabled":true,"conditions":{…},
///      "actions":{"dashboard_notification":true,"webhook":null},"cooldown_minutes":5,
///      "last_triggered_at":null,"trigger_count":0,"entity_id":null,"entity_match_mode":"any"}
package struct AlertRule: Sendable, Equatable {
    package var id: String
    package var name: String
    package var isEnabled: Bool
    package var conditions: RuleConditions
    package var actions: RuleActions
    /// The shortest time between two alarms, in minutes.
    package var cooldownMinutes: Int
    package var lastTriggeredAt: Timestamp?
    /// The number of alarms that the server itself has raised.
    package var triggerCount: Int?
    package var createdAt: Timestamp?
    package var updatedAt: Timestamp?
    /// What argus cannot do with the rule, or does not know of it, in words.
    package var problems: [String] = []

    /// The cooldown that the server gives a rule without one.
    private static let usualCooldown = 5

    /// Decodes a rule; nil without an id.
    package init?(_ view: JSONView) {
        guard let id = view["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        name = view["name"]?.string ?? id
        let (enabled, cooldown) = (view["is_enabled"] ?? .null, view["cooldown_minutes"] ?? .null)
        isEnabled = enabled.bool ?? enabled.isNull
        conditions = RuleConditions(ofRule: view)
        actions = RuleActions(view["actions"] ?? .null)
        cooldownMinutes = cooldown.count ?? Self.usualCooldown
        lastTriggeredAt = view["last_triggered_at"]?.timestamp
        triggerCount = view["trigger_count"]?.count
        createdAt = view["created_at"]?.timestamp
        updatedAt = view["updated_at"]?.timestamp
        problems = conditions.unsupported.map {
            "it matches nothing: argus cannot apply \($0)"
        }
        if enabled.bool == nil, !enabled.isNull {
            problems.append("argus cannot read is_enabled, and leaves the rule out")
        }
        if cooldown.count == nil, !cooldown.isNull {
            problems.append(
                "argus cannot read cooldown_minutes, and takes \(Self.usualCooldown) minutes")
        }
        view.forEachMember { name, value in
            guard !Self.members.contains(name.text), !value.isEmptyCondition else { return }
            problems.append("argus does not know \(name.text): it may match too much")
        }
    }

    /// The members of a rule that are read, or named by its conditions.
    private static let members =
        [
            "id", "name", "is_enabled", "conditions", "actions", "cooldown_minutes",
            "last_triggered_at", "trigger_count", "created_at", "updated_at", "entity_id",
            "entity_name", "entity_match_mode",
        ] + RuleConditions.hidden

    package var cooldown: Duration { .seconds(60 * cooldownMinutes) }
}

/// The actions of a rule.
package struct RuleActions: Sendable, Equatable {
    package var notifiesDashboard = false
    package var webhook: Webhook?
    /// True if the server's object has more than an address in its webhook, or in the place of one.
    package var mayHoldSecrets = false

    /// The address to which a rule posts each event.
    package struct Webhook: Sendable, Equatable {
        package var url: String
        package var headers: [Header] = []

        /// True if the server gives a header in a form that only itself can read.
        package var hasEncryptedHeader: Bool { headers.contains(where: \.isEncrypted) }

        /// True if header fields are given in a form that argus cannot read.
        package var hasUnreadableHeaders = false
    }

    /// A header field of a webhook; its value is a secret.
    package struct Header: Sendable, Equatable {
        package var name: String
        package var value: Redacted<String>

        package init(name: String, value: Redacted<String>) {
            (self.name, self.value) = (name, value)
        }

        package var isEncrypted: Bool { value.reveal().hasPrefix("encrypted:") }
    }

    package init() {}

    /// Decodes the actions; a webhook without an address is none.
    init(_ view: JSONView) {
        notifiesDashboard = view["dashboard_notification"]?.bool ?? false
        guard let hook = view["webhook"], !hook.isEmptyCondition else { return }
        mayHoldSecrets = hook.kind != .object
        hook.forEachMember { name, value in
            mayHoldSecrets = mayHoldSecrets || name.text != "url" && !value.isEmptyCondition
        }
        guard let url = hook["url"]?.string, !url.isEmpty else { return }
        var webhook = Webhook(url: url)
        if let fields = hook["headers"], !fields.isEmptyCondition {
            webhook.hasUnreadableHeaders = fields.kind != .object
            fields.forEachMember { name, value in
                guard let text = value.string else { return webhook.hasUnreadableHeaders = true }
                webhook.headers.append(Header(name: name.text, value: Redacted(text)))
            }
        }
        self.webhook = webhook
    }
}

/// The conditions of a rule, all of which must hold; an empty one always does.
package struct RuleConditions: Sendable, Equatable {
    /// The recognised person or vehicle that a rule is about.
    package enum Entity: Sendable, Equatable {
        /// Any, or none.
        case any
        /// None: a stranger.
        case unknown
        /// This one; the name is nil if the server does not know it.
        case specific(id: String, name: String?)
    }

    /// Types of objects seen, as the server spells them.
    package var objectTypes: [String] = []
    /// Ids.
    package var cameras: [String] = []
    package var hours: QuietHours?
    /// 1 for Monday to 7 for Sunday.
    package var days: [Int] = []
    /// Percent.
    package var minConfidence: Int?
    package var entity = Entity.any
    /// True for a rule about packages whose carrier is known.
    package var isPackageDelivery = false
    package var carriers: [String] = []
    /// The conditions that argus does not know or cannot read, with their values where these are the
    /// reason; sorted.
    package var unsupported: [String] = []

    package init() {}
}

// Decoding.
extension RuleConditions {
    /// The entity filters of the whole rule that today's server keeps to itself.
    static let hidden = ["entity_ids", "entity_names"]

    /// Decodes the conditions of a rule, some of which are members of the rule itself.
    init(ofRule view: JSONView) {
        if let conditions = view["conditions"], !conditions.isNull {
            if conditions.kind == .object {
                conditions.forEachMember { name, value in
                    if !value.isEmptyCondition, !read(name.text, value) { reject(name.text) }
                }
            } else {
                reject("conditions")
            }
        }
        for name in Self.hidden where !(view[name]?.isEmptyCondition ?? true) { reject(name) }
        readEntity(of: view)
        unsupported.sort()
    }

    private mutating func reject(_ name: String) { unsupported.append(name) }

    /// Takes a condition; false if it cannot be read.
    private mutating func read(_ name: String, _ value: JSONView) -> Bool {
        switch RuleCondition(rawValue: name) {
        case .objectTypes: Self.read(value.wholeList(of: \.string), into: &objectTypes)
        case .cameras: Self.read(value.wholeList(of: \.string), into: &cameras)
        case .carriers: Self.read(value.wholeList(of: \.string), into: &carriers)
        case .days:
            Self.read(
                value.wholeList { $0.int.flatMap { (1...7).contains($0) ? $0 : nil } },
                into: &days)
        case .minConfidence: Self.read(value.int, into: &minConfidence)
        case .hours: readHours(value)
        case .ruleType: readType(value)
        case .entity, nil: false
        }
    }

    private static func read<Value>(_ value: Value?, into place: inout Value) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }

    private static func read<Value>(_ value: Value?, into place: inout Value?) -> Bool {
        place = value
        return value != nil
    }

    private mutating func readHours(_ value: JSONView) -> Bool {
        guard value.kind == .object else { return false }
        var ends: [String: String] = [:]
        var others: [String] = []
        value.forEachMember { name, value in
            if ["start", "end"].contains(name.text), let text = value.string {
                ends[name.text] = text
            } else if !value.isEmptyCondition {
                others.append(name.text)
            }
        }
        for name in others { reject("\(RuleCondition.hours.rawValue).\(name)") }
        // Without a time it has only what was named above.
        guard !ends.isEmpty else { return true }
        hours = QuietHours(from: ends["start"], to: ends["end"])
        return hours != nil
    }

    private mutating func readType(_ value: JSONView) -> Bool {
        switch value.string {
        case "any": return true
        case "package_delivery":
            isPackageDelivery = true
            return true
        case let word?:
            reject("\(RuleCondition.ruleType.rawValue) \(word.inQuotes)")
            return true
        case nil: return false
        }
    }

    private mutating func readEntity(of view: JSONView) {
        let mode = view[RuleCondition.entity.rawValue] ?? .null
        switch mode.string {
        case "any": break
        case "unknown": entity = .unknown
        case "specific":
            guard let id = view["entity_id"]?.string, !id.isEmpty else {
                return reject("\(RuleCondition.entity.rawValue) 'specific' without an entity")
            }
            entity = .specific(id: id, name: view["entity_name"]?.string)
        case let word?: reject("\(RuleCondition.entity.rawValue) \(word.inQuotes)")
        case nil:
            // An entity without a mode is a condition that argus would have to guess.
            if !mode.isNull || !(view["entity_id"]?.isEmptyCondition ?? true) {
                reject(RuleCondition.entity.rawValue)
            }
        }
    }
}

extension JSONView {
    /// An empty value is no condition, as for the server; `false` may be one.
    fileprivate var isEmptyCondition: Bool {
        switch kind {
        case .null: true
        case .string: string?.isEmpty ?? true
        case .array: elements.first { _ in true } == nil
        case .object: !hasMember
        case .number, .bool: false
        }
    }

    private var hasMember: Bool {
        var hasMember = false
        scanMembers { _, _ in
            hasMember = true
            return false
        }
        return hasMember
    }

    /// The elements of an array, all of which `read` must accept; nil for another value.
    fileprivate func wholeList<Value>(of read: (JSONView) -> Value?) -> [Value]? {
        guard kind == .array else { return nil }
        var list: [Value] = []
        for element in elements {
            guard let value = read(element) else { return nil }
            list.append(value)
        }
        return list
    }
}
