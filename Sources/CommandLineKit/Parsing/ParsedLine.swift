/// The meaning of a command line.
package enum ParsedLine<Globals: Sendable, Invocation: Sendable>: Sendable {
    /// Run the command at the path, which includes the default verb of a noun, after printing the
    /// notices on former names.
    case run(Globals, Invocation, path: [String], notices: [String])
    case help(CommandDescription, isLong: Bool)
    /// A verb is missing: print the short help of the command, status 2.
    case verbMissing(CommandDescription)
    case version
    /// The first word is not a command of the tool: run `TOOL-NAME` with the words after it.
    case external(Globals, name: String, arguments: [String])
}

extension CommandLineTool {
    /// Parses the words after the tool's name; uses nothing outside the process.
    ///
    /// `-h`, `--help` and `--version` before a `--` take precedence over any error.
    ///
    /// - Throws: `UsageError` with the path of the recognised command.
    package func parse(_ words: [String]) throws(UsageError) -> ParsedLine<Globals, Invocation> {
        var scan = scanner(of: words)
        switch scan.special {
        case .shortHelp?: return .help(page(for: scan), isLong: false)
        case .longHelp?: return .help(page(for: scan), isLong: true)
        case .version?: return .version
        case nil: break
        }
        if var fault = scan.fault {
            fault.notices = scan.notices
            throw fault
        }
        scan.settle()
        do throws(UsageError) {
            var globals = defaults
            try apply(scan.parsedGlobals, of: flags, to: &globals)
            try validate(globals)
            if let words = scan.external, let name = words.first {
                return .external(globals, name: name, arguments: Array(words.dropFirst()))
            }
            guard let read = scan.node.read else {
                return .verbMissing(CommandDescription(scan.node, path: scan.path))
            }
            try scan.expectDashes()
            for given in scan.parsedGlobals {
                let info = flags[given.index].info
                if info.completion == .fields, !info.isUsed(by: scan.node.about) {
                    throw UsageError("\(given.spelling): the command prints no fields")
                }
            }
            return .run(
                globals, try read(scan.parsedFlags, scan.operands), path: scan.path,
                notices: scan.notices)
        } catch {
            var error = error
            error.notices = scan.notices
            if error.path.isEmpty {
                let example = error.example.map { scan.hint(operand: $0) }
                error.hint = error.hint ?? example ?? scan.meantOption
                error.path = scan.path
            }
            throw error
        }
    }

    /// The command that help explains: for a former one, its successor.
    private func page(for scan: Scanner<Invocation>) -> CommandDescription {
        CommandDescription(root, path: []).aliased(scan.path, aliases.filter(\.isFormer))
            ?? CommandDescription(scan.node, path: scan.path)
    }

    func scanner(of words: [String]) -> Scanner<Invocation> {
        Scanner(
            words, tool: info.name, root: root, aliases: aliases, globals: flags.map { $0.info },
            externals: info.externals.map { $0.name })
    }

    /// The usage error for an external command that does not exist either.
    ///
    /// `arguments` are the words after its name.
    package func unknownCommand(_ name: String, _ arguments: [String] = []) -> UsageError {
        if info.externals.contains(where: { $0.name == name }) {
            let program = "\(info.name)-\(name)"
            return UsageError(
                "the program '\(program)' is not installed",
                hint: "install it beside \(info.name), or in PATH (Debian: \(program))")
        }
        let root = CommandDescription(root, path: [])
        return unknownVerb(
            [name] + arguments, of: root, in: root, besides: info.externals.map(\.name))
    }
}
