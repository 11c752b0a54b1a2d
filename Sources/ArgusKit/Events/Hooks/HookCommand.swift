package import ArgusCore
import Glibc

/// The command that a watch runs for each event: a program and its arguments, without a shell
/// (docs/watching.md, "A command for each event").
package struct HookCommand: Sendable {
    /// The time between SIGTERM and SIGKILL for a hook that has to end.
    static let grace = Duration.seconds(5)
    /// The usual longest time that a command may take.
    package static let usualTimeout = Duration.seconds(60)

    package let program: String
    private let arguments: [String]
    private let timeout: Duration
    private let clock: RunClock

    /// Finds the program of a command: a path, or a name in the absolute folders of PATH.
    ///
    /// `timeout` is the longest time that it may take.
    /// - Throws: `HookCommandError` if it cannot be started.
    package init(
        _ words: [String], in environment: Environment, within timeout: Duration, _ clock: RunClock
    ) throws(HookCommandError) {
        (self.timeout, self.clock) = (timeout, clock)
        let name = words.first ?? ""
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let places =
            name.contains("/")
            ? [name]
            : path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
        guard !name.isEmpty, let found = places.first(where: FileContents.exists) else {
            throw .notFound(name)
        }
        program = places.first(where: ProgramSearch.isProgram) ?? found
        arguments = Array(words.dropFirst())
        try Self.expectRunnable(program)
    }

    private static func expectRunnable(_ path: String) throws(HookCommandError) {
        guard ProgramSearch.isProgram(path) else { throw .notExecutable(path) }
        // A program that may be run but not read is left to the kernel.
        guard let file = try? OwnedDescriptor(path, O_RDONLY),
            let start = try? readPart(of: file.rawValue, named: path, from: 0, count: 256)
        else { return }
        guard start.starts(with: Array("#!".utf8)) else {
            // As shells do: a file without NUL is a script.
            if !start.isEmpty, start.contains(0) { return }
            throw .noInterpreter(path)
        }
        let line = start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let interpreter = words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard ProgramSearch.isProgram(interpreter) else {
            throw .interpreterNotFound(path, interpreter)
        }
    }

    /// Runs the command with `input` on its stdin and `variables` in its environment, and ends it when
    /// its time is over or the task is cancelled.
    package func run(input: [UInt8], variables: [[CChar]]) async -> HookEnding {
        let inherited = Environment.processWords(removing: HookVariables.removed)
        let running: Subprocess
        do {
            // Its output is no result of argus's.
            running = try SpoolFile(inMemory: input).withStream { stream throws(Errno) in
                try Subprocess(
                    program, arguments, variables: inherited + variables,
                    streams: [(stream, STDIN_FILENO), (STDERR_FILENO, STDOUT_FILENO)], group: .new)
            }
        } catch {
            return .failed("cannot be started: \(error)")
        }
        let alarm = Task { [timeout, clock] in
            do { try await clock.sleep(timeout) } catch { return false }
            running.terminate(grace: Self.grace)
            return true
        }
        let ending = await withTaskCancellationHandler {
            await running.ending()
        } onCancel: {
            running.terminate(grace: Self.grace)
        }
        alarm.cancel()
        if await alarm.value {
            return .failed("took longer than \(DurationText.short(timeout))")
        }
        return switch ending {
        case .status(0): .done
        case .status(let status): .failed("ended with status \(status)")
        case .signal(let number): .failed("was ended by signal \(number)")
        }
    }
}

/// The reason why a command cannot be started.
package enum HookCommandError: Error, Sendable, Equatable, CustomStringConvertible {
    case notFound(String)
    case notExecutable(String)
    /// A script without a `#!` line, which only a shell would run.
    case noInterpreter(String)
    case interpreterNotFound(String, String)

    package var description: String {
        switch self {
        case .notFound(let name):
            "cannot run \(name.inQuotes): there is no such "
                + (name.contains("/") ? "file" : "program in PATH")
        case .notExecutable(let path): "cannot run \(path.inQuotes): it is not executable"
        case .noInterpreter(let path):
            "cannot run \(path.inQuotes): it is neither a program nor a script with a '#!' line"
        case .interpreterNotFound(let path, let interpreter):
            "cannot run \(path.inQuotes): its interpreter \(interpreter.inQuotes) is not there"
        }
    }
}

/// The manner in which the hook of an event ended.
package enum HookEnding: Sendable, Equatable {
    /// With status 0.
    case done
    /// For this reason, as the end of a sentence: `ended with status 3`; of a hook of several parts,
    /// with the names of those that are done.
    case failed(String, done: Set<String> = [])
    /// The watch ended first.
    case interrupted
}
