package import ArgusAccount
import ArgusArchive
package import ArgusCore
import ArgusEvents
import ArgusTransport

/// Answers TAB from files alone, without the network, the keyring or the bus.
package struct CompletionService: Sendable {
    package typealias Candidate = CompletionCache.Candidate

    private let environment: Environment
    private let paths: Paths
    private let serverOption: String?
    private let source: Source

    /// The place of the names of events, cameras and types.
    package enum Source: Sendable {
        /// The names that earlier runs have stored.
        case cache
        /// An archive; without a folder, that of the configuration.
        case archive(String?)
    }

    /// Makes a service for one line, with the value of its `--server` option.
    package init(
        _ environment: Environment, _ paths: Paths, server: String?, from source: Source = .cache
    ) {
        self.environment = environment
        self.paths = paths
        serverOption = server
        self.source = source
    }

    /// The candidates of a kind, such as `cameras`, that start with a word in any case, in order.
    ///
    /// An unknown kind has none. Names that cannot be displayed unchanged on one line are left out.
    /// A candidate without text is a message for the user. `operands` are those before the word.
    package func candidates(
        of kind: String, beginning word: String, after operands: [String]
    ) -> [Candidate] {
        let start = word.caseFolded
        let found = all(kind, word, operands).filter {
            $0.text.caseFolded.hasPrefix(start) && Sanitizer.isPlain($0.text)
        }.map { Candidate(text: $0.text, description: $0.description.map(Sanitizer.visible)) }
        // The newest events are enough: shells prompt before they list a hundred.
        let shown = kind == "events" && word.isEmpty ? Array(found.prefix(21)) : found
        return shown + (message(instead: kind).map { [Candidate(text: "", description: $0)] } ?? [])
    }

    /// The lists of the cache from which kinds of candidates come.
    private static let listed: [String: CompletionCache.Kind] = [
        "cameras": .cameras, "camera-choice": .cameras, "camera-list": .cameras,
        "devices": .devices, "entities": .entities, "entity-list": .entities, "events": .events,
        "rules": .rules, "rule-list": .rules,
        "api-keys": .keys, "sessions": .sessions,
        "subscriptions": .subscriptions,
    ]

    /// The reason why nothing of a kind is known yet, and the command that fetches it.
    private func message(instead kind: String) -> String? {
        let listed = Self.listed[kind]
        guard listed != nil || ["servers", "server-choice"].contains(kind), archive == nil else {
            return nil
        }
        if let list = serverList, list.servers.isEmpty {
            return "no server is known yet; see 'argus login --help'"
        }
        guard let server, let cache, let stored = listed, !cache.knows(stored) else { return nil }
        let name = Sanitizer.visible(server.name)
        let noun = stored.rawValue
        let command = stored == .subscriptions ? "push subscriptions" : "\(noun) list"
        return "no \(noun) of '\(name)' are known yet; 'argus \(command)' fetches them"
    }

    private func all(_ kind: String, _ word: String, _ operands: [String]) -> [Candidate] {
        switch kind {
        case "servers": return servers
        case "server-choice": return serverChoices(withPrefix: word)
        case "stores": return words(of: .credentialStore)
        case "keys": return keys
        case "values": return operands.first.map { values(of: ConfigurationKey($0)) } ?? []
        case "aliases": return aliases
        case "cameras": return cameras
        case "camera-list": return cameraList(withPrefix: word)
        case "camera-choice": return cameraChoices(withPrefix: word)
        case "entity-list":
            return nameList(
                withPrefix: word, of: .entities,
                and: UnresolvedFilter.EntityWord.allCases.map(\.rawValue))
        case "rule-list": return nameList(withPrefix: word, of: .rules, and: [RuleChoice.all])
        case "zones":
            return LocalZone.names(environment: environment.variables).map { Candidate(text: $0) }
        case "events": return events(withPrefix: word)
        case "states": return WatchStates(in: paths.state).names.map { Candidate(text: $0) }
        case "queue": return queue
        case "times":
            return [
                "1h", "24h", "7d", "now", "today", "yesterday", "last-night", "last-week",
                "last-month", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
                "sunday", "yesterday 22:00",
            ].map { Candidate(text: $0) }
        case "types": return types(withPrefix: word)
        case "routes":
            let method = operands.first?.uppercased()
            return routes(withPrefix: word).filter { route in
                route.description?.split(separator: " ").contains { $0 == method ?? "" } == true
            }
        case "calls":
            return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].map { Candidate(text: $0) }
                + routes(withPrefix: word)
        default: return Self.listed[kind].flatMap { cache?.candidates($0) } ?? []
        }
    }
}

// Servers, and what was seen of one.
extension CompletionService {
    /// `latest` and the newest events with time, type and camera, newest first.
    private func events(withPrefix word: String) -> [Candidate] {
        let zone = LocalZone.find(environment: environment.variables).rules
        return [Candidate(text: "latest", description: "the last event")]
            + (archive?.events(withPrefix: word) ?? cache?.events ?? []).map { event in
                let time = Timestamp(serverText: event.time)?.displayText(in: zone)
                let words = [time ?? "", event.type, event.camera].filter { !$0.isEmpty }
                return Candidate(text: event.id, description: words.joined(separator: "  "))
            }
    }

    /// The items of the queue with their subjects, and the state of a hook.
    private var queue: [Candidate] {
        QueueStore(in: paths.state).items().items.map { item in
            let words = [item.subject, item.state].compactMap(\.self)
            return Candidate(text: item.id, description: words.joined(separator: "  "))
        }
    }

    /// The start of a list such as `a,b`, up to the word being typed, and its words in lower case.
    private func list(_ word: String) -> (begun: String, given: [String]) {
        let begun = word.lastIndex(of: ",").map { String(word[...$0]) } ?? ""
        return (begun, begun.lowercased().split(separator: ",").map(String.init))
    }

    private func types(withPrefix word: String) -> [Candidate] {
        let (begun, given) = list(word)
        return (EventFilter.knownTypes + (archive?.types ?? cache?.types ?? [])).distinct
            .filter { !given.contains($0.lowercased()) }
            .map { Candidate(text: begun + $0) }
    }

    private var servers: [Candidate] {
        serverList?.servers.map {
            Candidate(text: $0.name, description: $0.endpoints.first?.address)
        } ?? []
    }

    /// `all`, or the servers that a list begins with and one more of those that are left.
    private func serverChoices(withPrefix word: String) -> [Candidate] {
        let (begun, given) = list(word)
        let more = servers.filter { !given.contains($0.text.lowercased()) }
            .map { Candidate(text: begun + $0.text, description: $0.description) }
        let all = Candidate(text: "all", description: "every server, for lists")
        return more + (begun.isEmpty && more.count > 1 ? [all] : [])
    }

    private var serverList: ServerList? { try? ServerDirectory(paths.state) { _ in }.load() }

    /// The server that the line is about.
    private var server: ServerRecord? {
        guard let list = serverList else { return nil }
        let settings = try? Settings.load(paths.configurationFile)
        let precedence = Precedence(environment: environment, settings: settings ?? Settings())
        guard let name = try? precedence.value(of: .server, option: serverOption) else {
            // A file that cannot be read may name another server.
            return settings == nil ? nil : list.defaultServer
        }
        return list.find(name.text).only
    }

    /// The archive that the line is about; nil if it is about another thing, or cannot be read.
    private var archive: ArchiveNames? {
        guard case .archive(let option) = source else { return nil }
        let settings = (try? Settings.load(paths.configurationFile)) ?? Settings()
        let precedence = Precedence(environment: environment, settings: settings)
        let setting = try? precedence.value(of: .archiveFolder, option: option)
        guard let text = setting?.text else { return nil }
        return ArchiveNames(
            ArchiveFolder(setting: text, home: environment["HOME"]) ?? ArchiveFolder(text))
    }

    private var cache: CompletionCache? {
        server.flatMap { CompletionCache(paths.cache, server: $0.id) }
    }

    private var cameras: [Candidate] { archive?.cameras ?? cache?.cameras ?? [] }

    /// The typed list of cameras plus one of the others; a name may contain commas.
    private func cameraList(withPrefix word: String) -> [Candidate] {
        let (begun, given) = list(word)
        // A comma that is typed may be one of a name.
        let starts = [""] + word.indices.filter { word[$0] == "," }.map { String(word[...$0]) }
        return cameras.flatMap { camera in
            let isPlain = !camera.text.contains(",")
            let isGiven = [camera.text, camera.description ?? ""].contains {
                given.contains($0.lowercased())
            }
            return (isPlain ? (isGiven ? [] : [begun]) : starts).map {
                Candidate(text: $0 + camera.text, description: camera.description)
            }
        }
    }

    /// The typed list of names plus one of the others, or of the `words`.
    private func nameList(
        withPrefix word: String, of kind: CompletionCache.Kind, and words: [String]
    ) -> [Candidate] {
        let (begun, given) = list(word)
        let names = (cache?.candidates(kind) ?? []).filter { !$0.text.contains(",") }
        return (words.map { Candidate(text: $0) } + names)
            .filter { !given.contains($0.text.lowercased()) }
            .map { Candidate(text: begun + $0.text, description: $0.description) }
    }

    /// `all`, `none`, or the typed list of cameras plus one of the others.
    private func cameraChoices(withPrefix word: String) -> [Candidate] {
        let alone = ["all", "none"]
        let (begun, given) = list(word)
        let more = (cache?.cameras ?? []).filter { camera in
            ![camera.text, camera.description ?? ""].contains { given.contains($0.lowercased()) }
        }.map { camera in
            // A name with another meaning in such a list is replaced by the id.
            let isPlain = !camera.text.contains(",") && !alone.contains(camera.text)
            return isPlain
                ? Candidate(text: begun + camera.text, description: camera.description)
                : Candidate(text: begun + (camera.description ?? ""), description: camera.text)
        }
        return (begun.isEmpty ? alone.map { Candidate(text: $0) } : []) + more
    }

    /// The routes as users write them: from the first slash, or below `/api/v1/`.
    private func routes(withPrefix word: String) -> [Candidate] {
        guard !word.hasPrefix("/") else { return routes }
        let common = "/api/v1/"
        return routes.map { route in
            let path = route.text
            return Candidate(
                text: path.hasPrefix(common) ? String(path.dropFirst(common.count)) : path,
                description: route.description)
        }
    }

    /// The routes that the server described, else those of its generation.
    private var routes: [Candidate] {
        if let seen = cache?.routes, !seen.isEmpty { return seen }
        // Today's server has many routes of the documents, so only a generation of its own is
        // decisive.
        let used = Set((server?.knowledge.generations ?? [:]).values)
        let generation = [Generation.documented, .mobile].first { used.contains($0.rawValue) }
        return CompletionCache.candidates(for: WellKnownRoutes.list(of: generation ?? .current))
    }
}

// The configuration.
extension CompletionService {
    /// The valid settings of a file that may have faults.
    private var settings: Settings {
        guard let path = paths.configurationFile, let text = try? Settings.text(of: path),
            let reading = try? Settings.read(text, path: path)
        else { return Settings() }
        return reading.settings
    }

    private var aliases: [Candidate] {
        settings.aliases.sorted { $0.key < $1.key }
            .map { Candidate(text: $0.key, description: $0.value.text) }
    }

    private var keys: [Candidate] {
        Setting.configurable.map { setting in
            var candidate = Candidate(text: setting.rawValue)
            if case .choice(let words) = setting.kind {
                candidate.description = words.joined(separator: " ")
            }
            return candidate
        } + aliases.map { Candidate(text: "alias.\($0.text)", description: $0.description) }
    }

    /// The possible values of a key if they are known, else its present one.
    private func values(of key: ConfigurationKey) -> [Candidate] {
        switch key {
        case .setting(.server): return servers
        case .setting(let setting):
            let notes = [
                (settings.entries[setting]?.text, "set now"), (setting.defaultValue, "default"),
            ]
            var candidates = words(of: setting.kind)
            for case (let word?, let note) in notes {
                if let index = candidates.firstIndex(where: { $0.text == word }) {
                    let notes = [candidates[index].description, note].compactMap { $0 }
                    candidates[index].description = notes.joined(separator: ", ")
                } else {
                    candidates.append(Candidate(text: word, description: note))
                }
            }
            return candidates
        case .alias(let name):
            return settings.aliases[name].map { [Candidate(text: $0.text)] } ?? []
        case .unknown: return []
        }
    }

    private func words(of kind: Setting.Kind) -> [Candidate] {
        let words: [String]
        switch kind {
        case .choice(let choices): words = choices
        case .flag: words = ["true", "false"]
        case .credentialStore:
            let prefix = HelperStore.programPrefix
            // A program whose name is not a valid helper name is not a store.
            let helpers = ProgramSearch.programs(withPrefix: prefix, in: environment)
                .compactMap { CredentialStoreKind("helper:\($0.dropFirst(prefix.count))") }
            words = ([.file, .secretService] + helpers).map(\.text)
        case .text, .duration, .count, .night, .relay, .address, .contact: words = []
        }
        return words.map { Candidate(text: $0) }
    }
}
