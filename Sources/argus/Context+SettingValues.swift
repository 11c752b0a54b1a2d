import ArgusKit

// What TAB offers for the value of a setting.
extension Context {
    private typealias Candidate = CompletionCache.Candidate

    /// The values that a key may have where they can be told, else the one that it has.
    func values(of key: ConfigurationKey) -> [CompletionCache.Candidate] {
        let settings = (try? readConfiguration())?.settings
        switch key {
        case .setting(.server): return serverNames
        case .setting(let setting):
            let notes = [
                (settings?.entries[setting]?.text, "set now"), (setting.builtIn, "default"),
            ]
            var words = words(of: setting.kind)
            for case (let word?, _) in notes where !words.contains(word) { words.append(word) }
            return words.map { word in
                let said = notes.filter { $0.0 == word }.map(\.1)
                return Candidate(
                    text: word, description: said.isEmpty ? nil : said.joined(separator: ", "))
            }
        case .alias(let name):
            return settings?.aliases[name].map { [Candidate(text: $0.text)] } ?? []
        case .unknown: return []
        }
    }

    /// The places where secrets may be kept; helpers are programs that are installed.
    var storeNames: [CompletionCache.Candidate] {
        words(of: .credentialStore).map { Candidate(text: $0) }
    }

    private func words(of kind: Setting.Kind) -> [String] {
        switch kind {
        case .choice(let words): return words
        case .flag: return ["true", "false"]
        case .credentialStore:
            let programs = ProgramSearch.programs(
                beginning: HelperStore.programPrefix, in: system.environment)
            // What is no name of a helper is no store.
            let helpers = programs.compactMap {
                CredentialStoreKind("helper:\($0.dropFirst(HelperStore.programPrefix.count))")
            }
            return ([.file, .secretService] + helpers).map(\.text)
        case .text, .duration, .count, .relay: return []
        }
    }
}
