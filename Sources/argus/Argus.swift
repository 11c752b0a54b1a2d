import ArgusAccount
import ArgusCore
import ArgusTransport
import CommandLineKit
import Glibc

/// The entry point: arguments in, an exit status out.
@main
enum Argus {
    static func main() {
        Signals.prepareProcess()
        CoreDumps.forbid()
        CreationMask.keepOwnPermissions()
        work(CurlThread())
    }

    /// Runs the command line of this process on the calling thread.
    private static func work(_ transfers: CurlThread) -> Never {
        let line = CommandLineReading(
            ArgumentList.words,
            unreadable: CommandLineReading.unreadableWord(of: ArgumentList.raw)
        ) { configurationFile }
        let system = SystemEnvironment.real(transfers)
        switch Run(line: line, system: system).plan() {
        case .over(let status): leave(status)
        case .work(let work):
            let tasks = SingleThreadExecutor()
            Task(executorPreference: tasks) {
                let status = await work()
                // A page that was fetched ahead, but is no longer needed, may renew a sign-in.
                await SignalHold.finish(sleep: system.pause)
                leave(status)
            }
            tasks.run()
        }
    }

    /// The config file with the aliases, unless a variable is misleading.
    private static var configurationFile: String? {
        let environment = Environment.process
        return environment.misleading == nil ? Paths(environment).configurationFile : nil
    }

    /// Ends the process at once: everything has been written out, and the exit handlers of libcurl's
    /// TLS library would clear its memory under the transport's thread.
    private static func leave(_ status: ExitKind) -> Never {
        _exit(status.rawValue)
    }
}
