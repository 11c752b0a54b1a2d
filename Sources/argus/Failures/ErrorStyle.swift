import ArgusKit

/// Decides, before parsing, if errors are JSON (docs/scripting.md, "The error line").
enum ErrorStyle {
    /// Scans the arguments before `--`, then the environment; ignores the configuration.
    static func isJSON(_ words: [String], _ environment: Environment) -> Bool {
        let machine = Set(["json", "ndjson", "csv", "tsv"])
        let options = words.prefix { $0 != "--" }
        var chosen: String?
        for (word, next) in zip(options, options.dropFirst().map(Optional.some) + [nil]) {
            if word == "--json" { chosen = "json" }
            if word == "--format", let next { chosen = next }
            if word.hasPrefix("--format=") { chosen = String(word.dropFirst("--format=".count)) }
        }
        if let chosen { return machine.contains(chosen) || environment["ARGUS_ERRORS"] == "json" }
        if let format = environment["ARGUS_FORMAT"], machine.contains(format) { return true }
        return environment["ARGUS_ERRORS"] == "json"
    }
}
