import ArgusKit
import CommandLineKit
import Glibc

/// The entry: words in, a status out.
@main
enum Argus {
    static func main() {
        Signals.prepareProcess()
        let words = Array(CommandLine.arguments.dropFirst())
        let run = Run(words: words, world: .real())
        switch run.plan() {
        case .over(let status): exit(status.rawValue)
        case .work(let context, let invocation):
            // An async main would hand this thread to a run loop, which starts three more.
            Task { @concurrent in exit(await run.work(context, invocation).rawValue) }
            while true { pause() }
        }
    }
}
