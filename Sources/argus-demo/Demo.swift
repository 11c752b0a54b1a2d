import Glibc

/// A make-believe ArgusAI server for first steps, tests and benchmarks.
@main
enum Demo {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Does what the command line asks for and returns the exit status.
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
        do {
            let server = try Server(options, port: options.port ?? 8000)
            write(server.url + "\n", to: STDOUT_FILENO)
            pause()
            return 0
        } catch {
            complain(error.message)
            return 1
        }
    }

    /// One line for the person at the terminal.
    static func complain(_ message: String) {
        write("argus-demo: \(message)\n", to: STDERR_FILENO)
    }

    /// Writes at once: what is said must not wait in a buffer while the server runs.
    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
