import ArgusKit
import CommandLineKit

/// One run of argus: understands the words, does the work, and tells how it ended.
struct Run: Sendable {
    var words: [String]
    var world: World

    /// Runs to the end; the one place where a failure becomes text and a status.
    func finish() async -> ExitKind {
        do throws(Failure) {
            try await start()
            try world.streams.flush()
            return .done
        } catch {
            world.streams.tell(error, asJSON: ErrorStyle.isJSON(words, world.environment))
            return error.kind
        }
    }

    private func start() async throws(Failure) {
        let line: ParsedLine<GlobalOptions, Invocation>
        do throws(UsageError) {
            line = try Tool.commandLine.parse(words)
        } catch {
            throw Failure(error)
        }
        switch line {
        case .run(let globals, let invocation, path: _):
            let context = Context(globals: globals, world: world)
            let result: Result<Void, Failure>
            do throws(Failure) {
                result = .success(try await invocation(context))
            } catch {
                result = .failure(error)
            }
            await context.close()
            try result.get()
        case .help(let command, let isLong):
            let text = Context(globals: GlobalOptions(), world: world).helpText
            try world.streams.write(isLong ? text.long(command) : text.short(command))
        case .verbMissing(let command):
            let text = Context(globals: GlobalOptions(), world: world).helpText
            world.streams.writeError(text.short(command))
            throw Failure(.usage, "", reason: "verb_missing")
        case .version:
            try world.streams.write(VersionCommand.line)
        case .external(_, let name, let arguments):
            throw ExternalCommands.run(name, arguments, world.environment)
        }
    }
}

extension Failure {
    /// A command line that cannot be understood.
    init(_ error: UsageError) {
        self.init(.usage, error.message, hint: error.hint(for: Tool.name))
    }
}

/// Decides before parsing whether errors are told in JSON (contract section 4).
enum ErrorStyle {
    /// Scans the words before `--`, then the environment; the configuration has no say.
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
