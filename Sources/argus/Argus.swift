import ArgusKit
import CommandLineKit
import Glibc

/// The entry: words in, a status out.
@main
enum Argus {
    static func main() async {
        Signals.prepareProcess()
        let words = Array(CommandLine.arguments.dropFirst())
        let status = await Run(words: words, world: .real()).finish()
        exit(status.rawValue)
    }
}
