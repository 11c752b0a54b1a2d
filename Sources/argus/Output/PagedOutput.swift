import ArgusKit

extension Context {
    /// Pipes stdout through the user's pager until `Pager.finish`, if it is a terminal.
    func startPager() {
        let environment = system.environment
        let isDumb = ["", "dumb"].contains(environment["TERM"] ?? "")
        guard system.streams.terminal.isOutputTerminal, !isDumb, !globals.isQuiet else { return }
        // Code that needs the configuration reports its faults.
        let chosen = (try? settings[.pager]?.text) ?? environment["PAGER"] ?? "less"
        guard chosen != "cat" else { return }
        Pager.start(chosen, environment: environment)
    }

    /// Prints a text that is a command's whole result, through the pager if it is long.
    func writePaged(_ text: String) throws(Failure) {
        if text.count(where: { $0 == "\n" }) >= system.streams.terminal.height { startPager() }
        try write(text)
    }
}
