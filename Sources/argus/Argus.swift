import ArgusKit
import CommandLineKit
import Glibc

/// The entry: words in, a status out.
@main
enum Argus {
    static func main() {
        Signals.prepareProcess()
        let line = CommandLineReading(Array(CommandLine.arguments.dropFirst()))
        let thread = CurlThread()
        // Before the environment is read and Swift starts its threads: loading libcurl takes longer
        // than everything else that happens until the first request.
        if line.asksServer { thread.start() }
        let run = Run(line, .real(thread))
        switch run.plan() {
        case .over(let status): leave(status)
        case .work(let context, let invocation):
            // An async main would hand this thread to a run loop, which starts three more.
            Task { @concurrent in leave(await run.work(context, invocation)) }
            while true { pause() }
        }
    }

    /// Ends the process at once: everything has been written out, and the exit handlers of libcurl's
    /// TLS library would clear its memory under the transport's thread.
    private static func leave(_ status: ExitKind) -> Never {
        _exit(status.rawValue)
    }
}
