import ArgusCore
import ArgusTransport
import CommandLineKit

/// One run of argus, from its arguments to its exit status.
struct Run: Sendable {
    /// The remaining work after the arguments are parsed.
    enum Plan: Sendable {
        case over(ExitKind)
        case work(@Sendable () async -> ExitKind)
    }

    let line: CommandLineReading
    let system: SystemEnvironment

    /// Handles what needs only the arguments, and never waits, so that `main` starts no thread for it.
    func plan() -> Plan {
        do throws(Failure) {
            if case .failure(let error) = line.meaning { printNotices(error.notices) }
            switch try attempt(line.meaning.get()) {
            case .run(let globals, let invocation, let path, let notices):
                try expectReadableVariables()
                try globals.expectServers(for: invocation, of: path)
                try globals.expectReadableFiles()
                try expectResources(for: invocation)
                let context = Context(
                    globals: globals, system: system, command: path.joined(separator: " "))
                notices.forEach(context.console.notice)
                return .work {
                    var failure: Failure?
                    do throws(Failure) {
                        try await invocation.work(context)
                    } catch {
                        failure = error
                    }
                    let servers = await context.close()
                    let kind = end(failure)
                    await context.sendWaiting(to: servers)
                    return kind
                }
            case .help(let command, let isLong): try printHelp(of: command, isLong: isLong)
            case .verbMissing(let command):
                let text = Context(globals: GlobalOptions(), system: system).helpText
                system.streams.writeError(text.short(command))
                throw Failure.verbMissing
            case .version: try system.streams.write(VersionCommand.line)
            case .external(let globals, let name, let arguments):
                try expectReadableVariables()
                try ExternalCommands.run(name, arguments, globals, system.environment)
            }
            return .over(end(nil))
        } catch {
            return .over(end(error))
        }
    }

    /// The one place where a failure becomes text and a status.
    private func end(_ failure: Failure?) -> ExitKind {
        defer { Pager.finish() }
        do throws(Failure) {
            if let failure { throw failure }
            try system.streams.flush()
            return .done
        } catch {
            if error.kind != .done, !error.isReported { report(error) }
            return error.kind
        }
    }

    /// Prints a failure, as sentences or as the one line for scripts.
    private func report(_ failure: Failure) {
        // Output from before the failure precedes its message.
        try? system.streams.out.flush()
        Pager.finish()
        let streams = system.streams
        let isTerminal = streams.terminal.isErrorTerminal
        if ErrorStyle.isJSON(line.words, system.environment, isTerminal: isTerminal) {
            streams.writeError(line: failure.json)
        } else if failure.reason != Failure.verbMissing.reason {
            var globals = GlobalOptions()
            // The line may be one that cannot be parsed.
            globals.color = ErrorStyle.color(line.words)
            let terminal = Context(globals: globals, system: system).terminal
            streams.writeError(failure.text(on: terminal, width: streams.statusLine.width))
        }
    }

    /// Prints the notices of a line that cannot be run.
    private func printNotices(_ notices: [String]) {
        guard !notices.isEmpty else { return }
        var globals = GlobalOptions()
        globals.isQuiet = line.words.contains { ["-q", "--quiet"].contains($0) }
        notices.forEach(Context(globals: globals, system: system).console.notice)
    }

    private func printHelp(of command: CommandDescription, isLong: Bool) throws(Failure) {
        var globals = GlobalOptions()
        globals.hasNoPager = line.words.contains { ["--no-pager", "-q", "--quiet"].contains($0) }
        let context = Context(globals: globals, system: system)
        let text = context.helpText
        try context.writePaged(isLong ? text.long(command) : text.short(command))
    }

    /// Checks that the system grants what the work needs, and starts the thread of the signals, and one
    /// that loads libcurl while this one reads files.
    private func expectResources(for invocation: Invocation) throws(Failure) {
        func failure(_ shortage: String) -> Failure {
            Failure(
                .failed, shortage,
                hint: "'ulimit -a' shows the limits; raise them, or end other programs")
        }
        if let shortage = ProcessResources.shortage() { throw failure(shortage) }
        try attempt(Signals.start()) { failure("the system grants no thread: \($0)") }
        if invocation.sendsRequests { startThread(CurlThread.loadLibrary) }
    }

    /// Checks that no variable contains invalid UTF-8 and could mislead argus.
    private func expectReadableVariables() throws(Failure) {
        guard let name = system.environment.misleading else { return }
        throw Failure(.usage, "the value of \(name) is not UTF-8 text")
    }
}
