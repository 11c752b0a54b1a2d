import ArgusKit
import CommandLineKit

// What TAB offers: files only, never the network, the keyring or the bus.
extension Context {
    private typealias Candidate = CompletionCache.Candidate

    /// What TAB offers for a kind of word, from what earlier runs saw; nothing is an answer too.
    ///
    /// `operands` are those that the line has before the word.
    func completionCandidates(
        of kind: String, beginning word: String, after operands: [String]
    ) -> [CompletionCache.Candidate] {
        switch kind {
        case "servers": return serverNames
        case "stores": return storeNames
        case "keys": return keys
        case "values": return operands.first.map { values(of: ConfigurationKey($0)) } ?? []
        case "aliases":
            return aliasNames.map { Candidate(text: $0.key, description: $0.value.text) }
        case "cameras": return cache?.cameras ?? []
        case "camera-choice": return cameraChoices(beginning: word)
        case "devices": return cache?.devices ?? []
        case "events":
            return [Candidate(text: "latest", description: "the last event")]
                + (cache?.events.map { Candidate(text: $0) } ?? [])
        case "routes": return routes(beginning: word, by: operands.first)
        case CompletionScripts.expansionKind: return expansion(of: word).map { Candidate(text: $0) }
        case "calls":
            return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].map { Candidate(text: $0) }
                + routes(beginning: word)
        default: return []
        }
    }

    /// The servers that this user knows, by name.
    var serverNames: [CompletionCache.Candidate] {
        (try? knownServers())?.servers.map {
            Candidate(text: $0.name, description: $0.endpoints.first?.address)
        } ?? []
    }

    /// `all`, `none`, or the cameras that a list begins with and one more of those that are left.
    private func cameraChoices(beginning word: String) -> [CompletionCache.Candidate] {
        let alone = ["all", "none"]
        let begun = word.lastIndex(of: ",").map { String(word[...$0]) } ?? ""
        let given = begun.lowercased().split(separator: ",").map(String.init)
        let more = (cache?.cameras ?? []).filter { camera in
            ![camera.text, camera.description ?? ""].contains { given.contains($0.lowercased()) }
        }.map { camera in
            // A name that means something else in such a list is written as the id.
            let isPlain = !camera.text.contains(",") && !alone.contains(camera.text)
            return isPlain
                ? Candidate(text: begun + camera.text, description: camera.description)
                : Candidate(text: begun + (camera.description ?? ""), description: camera.text)
        }
        return (begun.isEmpty ? alone.map { Candidate(text: $0) } : []) + more
    }

    /// The routes that take a method.
    private func routes(
        beginning word: String, by method: String?
    ) -> [CompletionCache.Candidate] {
        guard let method = method?.uppercased() else { return [] }
        return routes(beginning: word).filter { route in
            route.description?.split(separator: " ").contains { $0 == method } == true
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
        if let record, let seen = CompletionCache(system.paths.cache, server: record.id)?.routes,
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
        let reading = CommandLineReading([name]) { system.paths.configurationFile }
        guard reading.words != [name], reading.words.allSatisfy(Sanitizer.isPlain)
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
        serverOfLine.flatMap { CompletionCache(system.paths.cache, server: $0.id) }
    }

    /// The server that the line is about.
    private var serverOfLine: ServerRecord? {
        guard let list = try? knownServers() else { return nil }
        return try? knownServer(try serverName()?.text, in: list)
    }
}
