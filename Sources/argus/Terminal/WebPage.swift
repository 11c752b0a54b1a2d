import ArgusAccount
import ArgusCore
import ArgusTransport
import CommandLineKit
import Synchronization

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
        if let known = try WebPages(knownFor: server, in: context) {
            self = known
        } else {
            self.context = context
            (address, isGuess) = await Self.found(near: server, in: context)
        }
    }

    /// The pages that are known without asking: where they were set to be, or at the one address that a
    /// relay, or a proxy on the usual port of its scheme, has for both.
    private init?(knownFor server: SignedInServer, in context: Context) throws(Failure) {
        self.context = context
        isGuess = false
        if let set = server.record?.dashboard {
            address = set
        } else if let text = try context.settings[.dashboardURL]?.text {
            address = try attempt(ServerAddress(parsing: text)) {
                Failure(.usage, "dashboard_url: \($0)")
            }
        } else {
            let own = server.address
            guard server.via != .local || own.origin.port == own.origin.scheme.defaultPort else {
                return nil
            }
            address = own
        }
    }

    /// The address of the pages beside a server's API.
    private static func found(
        near server: SignedInServer, in context: Context
    ) async -> (address: ServerAddress, isGuess: Bool) {
        var address = server.address
        let usual = Origin(scheme: .http, host: address.origin.host, port: usualPort)
        let probe = CandidateProbe(context.system.makeTransport(.none, nil))
        if await probe.look(at: usual).isReachable { return (ServerAddress(usual), false) }
        address.origin.port = address.origin.scheme.defaultPort
        return (address, true)
    }

    /// Finds the pages for links, beside the command's own requests; nil where the output has no links.
    static func links(
        to server: SignedInServer, in context: Context
    ) throws(Failure) -> PageLinks? {
        let isShown = context.globals.fields == nil && context.terminal.isOutputTerminal
        guard isShown, try !context.isForMachines() else { return nil }
        // A faulty setting is reported by what opens a page.
        return PageLinks(try? WebPages(knownFor: server, in: context)) {
            let pages = try? await WebPages(of: server, in: context)
            return pages?.isGuess == false ? pages : nil
        }
    }

    /// As `links`, for the ids in tables and lines.
    static func linksOfIDs(
        to server: SignedInServer, in context: Context
    ) throws(Failure) -> PageLinks? {
        let style = context.terminal.style
        guard style.isOn, style.hasLinks, context.collected == nil else { return nil }
        return try links(to: server, in: context)
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

/// The pages that things link to, or a search for them.
final class PageLinks: Sendable {
    private let pages: SharedPages
    private let search: Task<Void, Never>?

    private final class SharedPages: Sendable {
        let found: Mutex<WebPages?>

        init(_ pages: WebPages?) { found = Mutex(pages) }
    }

    /// Takes pages that are known, or searches for them.
    fileprivate init(_ known: WebPages?, else find: @escaping @Sendable () async -> WebPages?) {
        let pages = SharedPages(known)
        self.pages = pages
        search =
            known != nil
            ? nil
            : Task {
                let found = await find()
                pages.found.withLock { $0 = found }
            }
    }

    deinit { search?.cancel() }

    /// The pages as far as they are known: a list does not wait for them.
    var known: WebPages? { pages.found.withLock(\.self) }

    /// The pages, once the search has ended.
    var value: WebPages? {
        get async {
            await search?.value
            return known
        }
    }

    func cancel() { search?.cancel() }
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
