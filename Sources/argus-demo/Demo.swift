import Glibc

/// A make-believe ArgusAI server for first steps, tests and benchmarks.
@main
enum Demo {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ arguments: [String]) -> Int32 {
        let options: Options
        do {
            options = try Options(arguments)
        } catch {
            complain("\(error.message) (see argus-demo --help)")
            return 2
        }
        if options.wantsHelp {
            write(Usage.text, to: STDOUT_FILENO)
            return 0
        }
        Signals.hold()
        if !options.command.isEmpty { CommandRun.preparePath() }
        do {
            return try serve(options)
        } catch {
            complain(error.message)
            return 1
        }
    }

    private static func serve(_ options: Options) throws(SystemFailure) -> Int32 {
        let port = options.port ?? (options.command.isEmpty ? 8000 : 0)
        let server = try Server(options, port: port)
        if options.advertises { try Advertisement.publish(port: server.port) }
        let greeting = Greeting(server: server)
        if let path = options.readyPath {
            try PrivateFile.write(greeting.json.description() + "\n", to: path)
        }
        guard options.command.isEmpty else {
            return try CommandRun(server: server).run(options.command)
        }
        write(greeting.text, to: STDOUT_FILENO)
        while Signals.next().number == SIGCHLD {}
        return 0
    }

    static func complain(_ message: String) {
        write("argus-demo: \(message)\n", to: STDERR_FILENO)
    }

    /// Writes unbuffered, so that output appears while the server runs.
    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
