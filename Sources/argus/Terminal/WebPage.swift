import ArgusAccount
import ArgusCore
import ArgusTransport
import CommandLineKit

extension Flag {
    /// The option `--web` of verbs that show things.
    static func web(_ path: OptionPath<Bool>) -> Flag {
        .toggle("web", sets: path, "Open the server's page, or print its URL")
    }
}

/// The web pages of a server.
struct WebPages {
    /// The port on which ArgusAI serves its pages unless a proxy is in front of them.
    private static let usualPort: UInt16 = 3000

    private let address: ServerAddress
    /// True if nothing answered where the pages are looked for.
    private let isGuess: Bool
    private let context: Context

    /// Finds the pages: where they were set to be, else on the host of the server, which is asked.
    init(of server: SignedInServer, in context: Context) async throws(Failure) {
        self.context = context
        if let set = server.record?.dashboard {
            (address, isGuess) = (set, false)
        } else if let text = try context.settings[.dashboardURL]?.text {
            address = try attempt(ServerAddress(parsing: text)) {
                Failure(.usage, "dashboard_url: \($0)")
            }
            isGuess = false
        } else {
            (address, isGuess) = await Self.found(near: server, in: context)
        }
    }

    /// The address of the pages beside a server's API; a relay, or a proxy on the usual port of its
    /// scheme, has both at one address.
    private static func found(
        near server: SignedInServer, in context: Context
    ) async -> (address: ServerAddress, isGuess: Bool) {
        var address = server.address
        guard server.via == .local, address.origin.port != address.origin.scheme.defaultPort else {
            return (address, false)
        }
        let usual = Origin(scheme: .http, host: address.origin.host, port: usualPort)
        let probe = CandidateProbe(context.system.makeTransport(.none, nil))
        if await probe.look(at: usual).isReachable { return (ServerAddress(usual), false) }
        address.origin.port = address.origin.scheme.defaultPort
        return (address, true)
    }

    /// Finds the pages for the links below objects, beside the command's own requests; nil where the
    /// output has no links, or where nothing answers.
    static func links(
        to server: SignedInServer, in context: Context
    ) throws(Failure) -> Task<WebPages?, Never>? {
        let isShown = context.globals.fields == nil && context.terminal.isOutputTerminal
        guard isShown, try !context.isForMachines() else { return nil }
        return Task {
            let pages = try? await WebPages(of: server, in: context)
            return pages?.isGuess == false ? pages : nil
        }
    }

    /// The address of the page of an event, as in the server's own pushes.
    func url(ofEvent id: String) -> String { url(["events"], query: [("highlight", id)]) }

    /// The address of the page of a camera.
    func url(ofCamera id: String) -> String { url(["cameras", id]) }

    private func url(_ path: [String], query: [(name: String, value: String)] = []) -> String {
        address.origin.description + address.target(path, query: query)
    }

    /// Opens a page in the browser; without one, prints its URL.
    func open(_ url: String) throws(Failure) {
        let (system, environment) = (context.system, context.system.environment)
        let hasDesktop = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        if hasDesktop, system.streams.terminal.isOutputTerminal,
            let program = ProgramSearch.path(of: "xdg-open", in: environment),
            (try? Subprocess.runInForeground(program, [url], environment: environment)) == 0
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
