import ArgusKit
import CommandLineKit

extension Flag {
    /// The option `--web` of verbs that show things.
    static func web(_ path: OptionPath<Bool>) -> Flag {
        .toggle("web", sets: path, "Open the server's page, or print its URL")
    }
}

extension SignedInServer {
    /// Opens a page of the web interface in the browser; without one, prints its URL.
    func openPage(
        _ path: [String], query: [(name: String, value: String)] = [], in context: Context
    ) throws(Failure) {
        let url = address.origin.description + address.target(path, query: query)
        let (system, environment) = (context.system, context.system.environment)
        let hasDesktop = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        if hasDesktop, system.streams.terminal.isOutputTerminal,
            let program = ProgramSearch.path(of: "xdg-open", in: environment),
            (try? ForegroundProgram.run(program, [url], environment: environment)) == 0
        {
            return context.console.notice("opened \(url) in the browser")
        }
        try context.write(url + "\n")
    }
}

extension Context {
    /// - Throws: `Failure` 2 if a machine format or a field was requested.
    func expectTable(with option: String) throws(Failure) {
        guard try !isForMachines(), globals.fields == nil else {
            throw Failure(
                .usage, "\(option) prints no fields",
                hint: "leave out --format, --json and --fields")
        }
    }
}
