import ArgusKit
import CommandLineKit

// What TAB offers: files only, never the network, the keyring or the bus.
extension Context {
    private typealias Candidate = CompletionCache.Candidate

    /// What TAB offers for a kind of word, from what earlier runs saw; nothing is an answer too.
    func completionCandidates(
        of kind: String, beginning word: String
    ) -> [CompletionCache.Candidate] {
        switch kind {
        case "servers":
            return (try? knownServers())?.servers.map {
                Candidate(text: $0.name, description: $0.ways.first?.address)
            } ?? []
        case "keys": return keys
        case "aliases":
            return aliasNames.map { Candidate(text: $0.key, description: $0.value.text) }
        case "cameras": return cache?.cameras ?? []
        case "devices": return cache?.devices ?? []
        case "events":
            return [Candidate(text: "latest", description: "the last event")]
                + (cache?.events.map { Candidate(text: $0) } ?? [])
        case "routes": return routes(beginning: word)
        case CompletionScripts.expansionKind: return expansion(of: word).map { Candidate(text: $0) }
        case "calls":
            return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].map { Candidate(text: $0) }
                + routes(beginning: word)
        default: return []
        }
    }

    /// The routes as people write them: from the first slash, or below `/api/v1/`.
    private func routes(beginning word: String) -> [CompletionCache.Candidate] {
        let routes = knownRoutes
        guard !word.hasPrefix("/") else { return routes }
        let common = "/api/v1/"
        return routes.map { route in
            route.text.hasPrefix(common)
                ? Candidate(
                    text: String(route.text.dropFirst(common.count)),
                    description: route.description) : route
        }
    }

    /// The routes that the server has named, else those that its generation is known to have.
    private var knownRoutes: [CompletionCache.Candidate] {
        let record = serverOfLine
        if let record, let seen = CompletionCache(world.paths.cache, server: record.id)?.routes,
            !seen.isEmpty
        {
            return seen
        }
        // Many routes of the documents are those of today's server too, so that one of their own
        // decides.
        let used = Set((record?.knowledge.generations ?? [:]).values)
        let generation = [Generation.documented, .mobile].first { used.contains($0.rawValue) }
        return CompletionCache.candidates(
            for: WellKnownRoutes.list(of: generation ?? .current))
    }

    /// The words that an alias stands for; none for what is no alias, or has a word that is not a
    /// single line.
    private func expansion(of name: String) -> [String] {
        let reading = CommandLineReading([name]) { world.paths.configurationFile }
        guard reading.words != [name], reading.words.allSatisfy({ $0 == Sanitizer.visible($0) })
        else { return [] }
        return reading.words
    }

    /// The aliases that are no commands, by name.
    private var aliasNames: [(key: String, value: Settings.Entry)] {
        ((try? aliases()) ?? [:]).filter { !Tool.isCommand($0.key) }.sorted { $0.key < $1.key }
    }

    private var keys: [CompletionCache.Candidate] {
        Setting.configurable.map { setting in
            guard case .choice(let words) = setting.kind else {
                return Candidate(text: setting.rawValue)
            }
            return Candidate(text: setting.rawValue, description: words.joined(separator: " "))
        }
            + ((try? aliases()) ?? [:]).sorted { $0.key < $1.key }.map {
                Candidate(text: "alias.\($0.key)", description: $0.value.text)
            }
    }

    /// What was seen of the server that the line is about.
    private var cache: CompletionCache? {
        serverOfLine.flatMap { CompletionCache(world.paths.cache, server: $0.id) }
    }

    /// The server that the line is about.
    private var serverOfLine: ServerRecord? {
        guard let list = try? knownServers() else { return nil }
        return try? knownServer(try serverName()?.text, in: list)
    }
}
