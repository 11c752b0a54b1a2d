package import ArgusAccount
import ArgusCore
package import ArgusTransport

/// A filter of events as a user writes it, with cameras by name.
package struct UnresolvedFilter: Sendable {
    /// A side finding of resolving a filter, to report to the user.
    package enum Notice: Sendable {
        /// The server has no event of this type, which argus does not know.
        case unknownType(String)
        /// All cameras of the server.
        case cameras([Camera])
        /// All entities of the server.
        case entities([Entity])
        /// All rules of the server, and those of them that were chosen and are enabled.
        case rules([AlertRule], chosen: RuleSet)
    }

    /// The filter without its cameras.
    package var filter: EventFilter
    /// Lists of names of cameras, their ids, or starts of ids, separated by commas.
    package var cameras: [String]
    /// The types, in lower case, that argus does not know, though a server may.
    package var unknownTypes: [String]
    /// Names of people and vehicles, their ids, starts of ids, or words of `EntityWord`.
    package var entities: [String] = []
    package var rules: RuleChoice?
    /// True if a feed holds every event back until the server has had the time to raise its own alarm.
    package var settles = false

    package init(_ filter: EventFilter, cameras: [String] = [], unknownTypes: [String] = []) {
        (self.filter, self.cameras, self.unknownTypes) = (filter, cameras, unknownTypes)
    }

    /// A word for a kind of entities.
    package enum EntityWord: String, Sendable, CaseIterable {
        /// Nobody recognised.
        case none
        /// Those with a name.
        case named
        case vip, blocked
    }

    /// True if the server can change what the filter means.
    var isVolatile: Bool { !entities.isEmpty || rules != nil }

    /// The filter with the ids of the cameras; a removed camera is named by its id.
    /// - Throws: `FilterError`.
    package func resolved(
        with session: Session, notify: (Notice) -> Void
    ) async throws(FilterError) -> EventFilter {
        let events = EventService(session: session)
        var filter = filter
        try await resolveVolatile(in: &filter, with: session, notify: notify)
        do throws(APIError) {
            for type in unknownTypes where try await !events.hasEvents(ofType: type) {
                notify(.unknownType(type))
            }
        } catch {
            throw .events(error)
        }
        guard !cameras.isEmpty else { return filter }
        let known: [Camera]
        do throws(APIError) {
            known = try await CameraService(session: session).plainList().values
        } catch {
            throw .cameras(error)
        }
        notify(.cameras(known))
        for name in NameLookup.entries(of: cameras, among: known.compactMap(\.name)) {
            let found = NameLookup.find(name, in: known, id: \.id, name: \.name)
            if let camera = found.only {
                filter.cameraIDs.append(camera.id)
                continue
            }
            let isGone: Bool
            do throws(APIError) {
                isGone = found.isEmpty ? try await events.hasEvents(ofCamera: name) : false
            } catch {
                throw .events(error)
            }
            guard isGone else { throw .name(name, found, among: known) }
            filter.cameraIDs.append(name)
        }
        return filter
    }
}

// What a server may change while a feed goes on.
extension UnresolvedFilter {
    /// Resolves rules and entities; what was resolved before a failure is in the filter.
    /// - Throws: `FilterError`.
    func resolveVolatile(
        in filter: inout EventFilter, with session: Session, notify: (Notice) -> Void
    ) async throws(FilterError) {
        if let rules {
            filter.rules = try await ruleSet(rules, after: filter.rules, with: session, notify)
        }
        if !entities.isEmpty {
            filter.entities = try await entityCondition(with: session, notify: notify)
        }
    }

    private func ruleSet(
        _ rules: RuleChoice, after before: RuleSet?, with session: Session,
        _ notify: (Notice) -> Void
    ) async throws(FilterError) -> RuleSet {
        let known: [AlertRule]
        do throws(APIError) {
            known = try await RuleService(session: session).list().values
        } catch {
            throw .rules(error)
        }
        // A feed follows the rules that it began with, whatever they are called now.
        let chosen =
            if let before, !rules.names.contains(RuleChoice.all) {
                RuleSet(known, of: before.ids, in: rules.zone)
            } else {
                try RuleSet(known, rules)
            }
        notify(.rules(known, chosen: chosen))
        return chosen
    }

    private func entityCondition(
        with session: Session, notify: (Notice) -> Void
    ) async throws(FilterError) -> EntityCondition {
        var condition = EntityCondition()
        let none = EntityWord.none.rawValue
        let isKnown = entities.flatMap { $0.split(separator: ",") }.allSatisfy { $0 == none }
        guard !isKnown else {
            condition.includesNone = true
            return condition
        }
        let known: [Entity]
        do throws(APIError) {
            known = try await EntityService(session: session).list().values
        } catch {
            throw .entities(error)
        }
        notify(.entities(known))
        for name in NameLookup.entries(of: entities, among: known.compactMap(\.name)) {
            switch EntityWord(rawValue: name) {
            case .some(.none): condition.includesNone = true
            case .named: condition.ids.formUnion(known.filter { $0.name != nil }.map(\.id))
            case .vip: condition.ids.formUnion(known.filter { $0.isVIP == true }.map(\.id))
            case .blocked: condition.ids.formUnion(known.filter { $0.isBlocked == true }.map(\.id))
            case nil:
                let found = NameLookup.find(name, in: known, id: \.id, name: \.name)
                guard let entity = found.only else {
                    throw .entityName(name, found, among: known)
                }
                condition.ids.insert(entity.id)
            }
        }
        return condition
    }
}

extension EventFilter {
    /// True if an event may match because nobody was recognised in it.
    var includesStrangers: Bool {
        entities?.includesNone == true
            || rules?.rules.contains { $0.conditions.entity == .unknown } == true
    }
}

/// The reason why a filter cannot be resolved, or events cannot be read by it.
package enum FilterError: Error, Sendable {
    /// The list of events failed.
    case events(APIError)
    /// The list of cameras failed.
    case cameras(APIError)
    /// The name names none of the cameras, or several, which are given before all of them.
    case name(String, [Camera], among: [Camera])
    /// The list of recognised people and vehicles failed.
    case entities(APIError)
    /// The name names none of the entities, or several, which are given before all of them.
    case entityName(String, [Entity], among: [Entity])
    /// The list of alert rules failed.
    case rules(APIError)
    /// The name names none of the rules, or several, which are given before all of them.
    case ruleName(String, [AlertRule], among: [AlertRule])

    /// The server's failure; nil if its answers were usable.
    package var cause: APIError? {
        switch self {
        case .events(let error), .cameras(let error), .entities(let error), .rules(let error):
            error
        case .name, .entityName, .ruleName: nil
        }
    }
}
