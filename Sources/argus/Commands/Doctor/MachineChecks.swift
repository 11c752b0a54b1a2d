import ArgusAccount
import ArgusArchive
import ArgusCore
import ArgusKit
import ArgusTransport

/// The checks of `argus doctor` that need no server.
struct MachineChecks {
    let context: Context

    private var system: SystemEnvironment { context.system }

    var before: [Finding] {
        configuration + variables + folders + secretFiles + archive + queue
    }

    /// The finding about the archive that the configuration names, from its index alone.
    private var archive: [Finding] {
        guard (try? context.settings[.archiveFolder]) ?? nil != nil else { return [] }
        do throws(Failure) {
            return [try archiveFinding()]
        } catch {
            return [.failure("archive", error)]
        }
    }

    private func archiveFinding() throws(Failure) -> Finding {
        let folder = try ArchiveOptions().folder(in: context)
        let archive = try attempt(Archive(reading: folder))
        let servers = try attempt(archive.servers())
        let count = try attempt(archive.eventCount())
        let now = context.now()
        let late = servers.first {
            ArchiveFreshness(.init(last: $0.lastSync), at: now).isLate
        }
        let message = "\(folder.path) has \(count) \(count == 1 ? "event" : "events")"
        guard let late else {
            guard servers.isEmpty else { return .ok("archive", message) }
            return .warning("archive", "\(folder.path) is empty", "run 'argus archive sync'")
        }
        let time = late.lastSync?.displayText(in: context.timeZone) ?? "never completed"
        return .warning(
            "archive", "\(message); the last sync with '\(late.name)': \(time)",
            ArchiveFreshness.remedy)
    }

    /// Hooks and changes that wait or have failed, and unreadable files of them; empty without any.
    private var queue: [Finding] {
        let (items, unreadable) = Queue(QueueOptions(), in: context).all()
        let stopped = Dictionary(grouping: items.filter(\.needsWatch)) { $0.state ?? "" }
        let findings =
            unreadable.map { Finding.warning("queue", "\($0)", $0.remedy) }
            + stopped.sorted { $0.key < $1.key }.map { state, items in
                let words = items.count == 1 ? "1 command waits" : "\(items.count) commands wait"
                return .warning(
                    "queue", "\(words), but no watch '\(state)' runs",
                    "run 'argus events watch' with --state \(state), or 'argus queue drop'")
            }
        let others = items.filter { !$0.needsWatch }
        guard !others.isEmpty else { return findings }
        let failed = others.count(where: { $0.status != .waiting })
        let words = "\(others.count - failed) waiting, \(failed) set aside or in conflict"
        guard failed > 0 else { return findings + [.ok("queue", words)] }
        return findings + [.warning("queue", words, "run 'argus queue list'")]
    }

    private static let searchTime = Duration.seconds(1)

    /// The checks after those of the server; the network is searched for a second.
    func after() async -> [Finding] {
        async let shells = completions()
        return [await discovery(), terminal] + (await shells) + [manual]
            + OptionalPart.findings(
                in: system.environment)
    }

    private var configuration: [Finding] {
        let name = "configuration"
        do {
            let path = try attempt(context.configuration.path())
            let (settings, faults) = try attempt(context.configuration.read())
            let unused = settings.aliases.keys.sorted().filter(Tool.isCommand)
            let findings =
                faults.map {
                    Finding.failure(name, Failure(.usage, "\($0)", hint: "run 'argus config edit'"))
                }
                + unused.map {
                    .warning(
                        name, "the alias '\($0)' has no effect: it is the name of a command",
                        "run 'argus config unset alias.\($0)'")
                }
            guard findings.isEmpty else { return findings }
            let message =
                FileContents.exists(path) ? path : "there is no config file; the defaults apply"
            return [.ok(name, message)]
        } catch {
            guard error.kind == .failed else { return [.failure(name, error)] }
            return [.warning(name, error.message, "set HOME to a folder of yours")]
        }
    }

    /// Variables with an impossible value stop every command, but for `TZ`.
    private var variables: [Finding] {
        let precedence = Precedence(environment: system.environment, settings: Settings())
        let zone = system.localZone.fault.map { fault in
            Finding.warning("environment", fault, "set TZ to a name such as Europe/Paris")
        }
        return Setting.allCases.compactMap { setting in
            guard let variable = setting.variable, let fault = precedence.fault(of: setting) else {
                return nil
            }
            return .failure(
                "environment",
                Failure(.usage, "\(variable) \(fault)", hint: "unset \(variable)"))
        } + [zone].compactMap(\.self)
    }

    private var folders: [Finding] {
        var sealed: [Finding] = []
        if let path = system.paths.state.file("credentials"), FileContents.exists(path) {
            sealed = [folder(path, true)].filter { $0.state != .ok }
        }
        return [("state", system.paths.state, true), ("cache", system.paths.cache, false)].map {
            name, place, isNeeded in
            switch place {
            case .none(let reason):
                return .warning(
                    "folders", "no \(name) is stored: \(reason)", "set HOME to a folder of yours")
            case .folder(let path): return folder(path, isNeeded)
            }
        } + sealed
    }

    private func folder(_ path: String, _ isNeeded: Bool) -> Finding {
        switch FolderAccess(path) {
        case .absent: .ok("folders", "\(path) will be created when needed")
        case .unreachable(let reason):
            .warning(
                "folders", "\(path): \(reason)", "change its mode or owner so that you can enter it"
            )
        case .untrusted(let error) where isNeeded:
            .failure("folders", Failure(.failed, "\(error)", hint: error.remedy))
        case .untrusted(let error): .warning("folders", "\(error)", error.remedy)
        case .readOnly(let reason):
            .warning(
                "folders", "\(path) cannot be written: \(reason)", "nothing new is stored there")
        case .open(let mode):
            .warning(
                "folders", "other users can enter \(path) (mode \(String(mode, radix: 8)))",
                "run \"chmod 700 '\(path)'\"")
        case .closed: .ok("folders", "only you can enter \(path)")
        }
    }

    private func discovery() async -> Finding {
        var found: [DiscoveredServer] = []
        do {
            try await system.browser.browse(.servers, for: Self.searchTime) { server in
                found.append(server)
                return true
            }
        } catch {
            return .warning("discovery", "\(error)", error.remedy)
        }
        guard !found.isEmpty else {
            let time = DurationText.short(Self.searchTime)
            return .ok(
                "discovery", "the avahi-daemon works; no server announced itself within \(time)",
                "today's servers do not: 'argus discover --service-file' prints a file for "
                    + "/etc/avahi/services on the server's machine")
        }
        let shown = found.prefix(3).map { "'\($0.name)' at \($0.origin)" }.joined(separator: ", ")
        let rest = found.count > 3 ? " and \(found.count - 3) more" : ""
        return .ok("discovery", "the avahi-daemon works, and found \(shown)\(rest)")
    }

    private var terminal: Finding {
        let terminal = system.streams.terminal
        guard terminal.isOutputTerminal || terminal.isErrorTerminal else {
            return .ok(
                "terminal", "no terminal: argus does not prompt, and tables are not shortened")
        }
        let name = system.environment["TERM"] ?? "unnamed"
        return .ok("terminal", "\(name), \(terminal.width) columns")
    }

    /// Queries all of the user's shells in parallel.
    private func completions() async -> [Finding] {
        let (name, environment) = ("completions", system.environment)
        let shells = UserShell.used(in: environment)
        let findings = await shells.mapInParallel(shells.count) { shell -> Finding in
            guard let state = await shell.completion(environment, within: Self.searchTime) else {
                return .warning(
                    name, "\(shell) did not start within \(DurationText.short(Self.searchTime))",
                    "to find out why, run 'time \(shell) -i -c exit'")
            }
            guard !state.isLoaded else { return .ok(name, "\(shell) completes argus") }
            return .warning(
                name, "\(shell) does not complete argus",
                "run 'argus completion --install \(shell)'")
        }
        return findings.isEmpty
            ? [.ok(name, "you use none of bash, zsh and fish")] : findings
    }

    private var manual: Finding {
        let home = system.environment["HOME"].map { $0 + "/.local/share" }
        let own = [ProgramSearch.ownFolder + "/../share", home].compactMap(\.self)
        let pages = (own + ["/usr/local/share", "/usr/share"]).map { $0 + "/man/man1/argus.1" }
        return pages.contains { FileContents.exists($0) || FileContents.exists($0 + ".gz") }
            ? .ok("manual", "the manual pages are installed")
            : .warning("manual", "the manual pages are not installed", "run 'make install'")
    }
}
