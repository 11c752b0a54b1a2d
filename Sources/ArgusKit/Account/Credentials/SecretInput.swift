package import ArgusCore
import Glibc
import Synchronization

/// Prompts at the terminal, and reads secrets from standard input.
package struct SecretInput: Sendable {
    /// False if prompts are forbidden (`--no-input`, `ARGUS_NO_INPUT`).
    package var mayAsk: Bool
    private let terminalPath: String
    private let standardInput: Int32

    private static let lineLimit = 4096
    private static let oneAtATime = Mutex(())

    /// Makes the input of a run; only tests change the terminal and the descriptor.
    package init(mayAsk: Bool, terminalPath: String = "/dev/tty", standardInput: Int32 = 0) {
        self.mayAsk = mayAsk
        self.terminalPath = terminalPath
        self.standardInput = standardInput
    }

    /// Reads a secret from standard input to its end.
    ///
    /// - Throws: `.secret`.
    package func readStandardInput(
        as alphabet: SecretText.Alphabet
    ) throws(AccountError) -> Redacted<String> {
        let source = "standard input"
        let bytes = try rethrowing(
            readToEnd(of: standardInput, named: source, limit: SecretText.sizeLimit + 2),
            as: { AccountError.secret(source, .file($0)) })
        return try SecretText.parse(bytes, as: alphabet, from: source)
    }

    /// Prompts for a secret at the terminal without echo.
    ///
    /// The prompt is sanitised; `remedy`, such as `--password-stdin`, is for the error.
    /// - Throws: `AccountError`; `.noTerminal` without a terminal or if prompts are forbidden.
    package func askSecret(
        _ prompt: String, insteadOf remedy: String
    ) throws(AccountError) -> Redacted<String> {
        Redacted(try askLine(prompt, echo: false, insteadOf: remedy))
    }

    /// True if there is a terminal to prompt at, and prompts are allowed.
    package var canAsk: Bool {
        mayAsk && (try? OwnedDescriptor(terminalPath, O_RDWR | O_NOCTTY)) != nil
    }

    /// Checks, before work begins, that a later prompt is possible.
    ///
    /// - Throws: `.noTerminal`, as the prompt would.
    package func expectTerminal(
        for question: String, insteadOf remedy: String
    ) throws(AccountError) {
        guard canAsk else { throw .noTerminal(question: question, remedy: remedy) }
    }

    /// Prompts for a line at the terminal, such as a user name or `yes`; long lines of the prompt are
    /// broken at blanks.
    ///
    /// - Throws: As `askSecret`.
    package func askLine(
        _ prompt: String, echo: Bool = true, insteadOf remedy: String
    ) throws(AccountError) -> String {
        guard mayAsk, let terminal = try? OwnedDescriptor(terminalPath, O_RDWR | O_NOCTTY) else {
            throw .noTerminal(question: Self.question(of: prompt), remedy: remedy)
        }
        let number = terminal.rawValue
        let width = Terminal.size(of: number)?.columns ?? .max
        let prompt = prompt.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            DisplayWidth.lines(of: String($0), width: width)
        }.joined(separator: "\n")
        let line = Self.oneAtATime.withLock { _ -> [UInt8]? in
            guard TerminalState.beginPrompt(prompt, echo ? .lines : .hiddenLines, on: number) else {
                return nil
            }
            defer {
                TerminalState.endPrompt()
                if !echo { _ = retryingInterrupts { write(number, "\n", 1) } }
            }
            return Self.readLine(number)
        }
        guard let line else { throw .nothingEntered }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw .secret("what was typed", .notText)
        }
        return text
    }

    /// The question of a prompt: its last line, without the input mark.
    private static func question(of prompt: String) -> String {
        var question = prompt.split(separator: "\n").last ?? ""
        for ending in [" ", ":", " Type yes"] where question.hasSuffix(ending) {
            question.removeLast(ending.count)
        }
        return String(question)
    }

    /// Reads one line without its end; nil if the terminal was closed before one.
    private static func readLine(_ terminal: Int32) -> [UInt8]? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count <= lineLimit {
            guard retryingInterrupts({ read(terminal, &byte, 1) }) == 1 else { return nil }
            if byte == 0x0A || byte == 0x0D { return line }
            line.append(byte)
        }
        return nil
    }
}
