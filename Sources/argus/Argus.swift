import ArgusKit
import CommandLineKit
import Glibc

/// The entry: words in, a status out.
@main
enum Argus {
    static func main() {
        Signals.prepareProcess()
        let line = CommandLineReading(Array(CommandLine.arguments.dropFirst())) {
            Paths(Environment.process).configurationFile
        }
        let transfers = CurlThread()
        if line.asksServer {
            // Loading libcurl takes longer than all else that happens until the first request. It
            // begins here and now, and a second thread does the rest meanwhile: a new thread may
            // have to wait for a processor, this one has it.
            let isStarted: Void? = try? startDetachedThread { work(line, transfers) }
            if isStarted != nil {
                transfers.run()
                while true { pause() }
            }
        }
        work(line, transfers)
    }

    /// Does what the line asks for, on the calling thread.
    private static func work(_ line: CommandLineReading, _ transfers: CurlThread) -> Never {
        let run = Run(line, .real(transfers))
        switch run.plan() {
        case .over(let status): leave(status)
        case .work(let context, let invocation):
            let tasks = TaskLoop()
            Task(executorPreference: tasks) { leave(await run.work(context, invocation)) }
            tasks.run()
        }
    }

    /// Ends the process at once: everything has been written out, and the exit handlers of libcurl's
    /// TLS library would clear its memory under the transport's thread.
    private static func leave(_ status: ExitKind) -> Never {
        _exit(status.rawValue)
    }
}
