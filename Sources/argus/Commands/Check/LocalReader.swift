import ArgusAccount
import ArgusArchive
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusPush

/// Reads what is kept on this machine of a server, for the checks of the house.
struct LocalReader {
    let context: Context
    /// The server; nil if it could not be opened.
    let server: SignedInServer?

    func readings(_ memory: inout CheckMemory) async -> LocalReadings {
        var readings = LocalReadings()
        if let server { readings.signIn = await signIn(to: server) }
        readWatches(&readings)
        readArchive(&readings, &memory)
        await readReceivers(&readings)
        return readings
    }

    private func signIn(to server: SignedInServer) async -> LocalReadings.SignIn {
        let renewal = "run '\(server.renewingCommand)'"
        if await server.session.isServedByKey {
            let warning = await server.endWarning(in: context) ?? "it has ended"
            return .ending(warning, near: true, renewal: renewal)
        }
        guard let end = await context.secrets.end(of: server) else {
            return .lasting("from \(server.credentialSource)")
        }
        let date = NearTimeFormat(now: context.now(), zone: context.timeZone).text(end.until)
        let words =
            if case .renewableUntil(let last) = end.cause, last > end.until {
                "works until \(date), and argus renews it"
            } else { "ends \(date), and argus cannot renew it" }
        return .ending(words, near: end.isNear, renewal: renewal)
    }

    private func readWatches(_ readings: inout LocalReadings) {
        let states = WatchStates(in: context.system.paths.state)
        let record = server?.record?.id.text
        let setAside = Queue(QueueOptions(), in: context).all().items
            .filter { $0.state != nil && $0.status == .setAside }
        for name in states.names {
            do throws(FileSystemError) {
                let state = try states.summary(of: name)
                guard state.server != nil else {
                    readings.unreadable.append(
                        (.watches, name, "its file is damaged, or of a newer argus"))
                    continue
                }
                guard record == nil || state.server == record else { continue }
                readings.watches.append(
                    .init(
                        name: name, isRunning: state.isRunning, lastPass: state.lastPass,
                        setAside: setAside.count { $0.state == name },
                        runsRules: state.filter?.hasPrefix(RulesRun.purpose) == true))
            } catch {
                readings.unreadable.append((.watches, name, "\(error)"))
            }
        }
    }

    private func readArchive(_ readings: inout LocalReadings, _ memory: inout CheckMemory) {
        guard (try? context.settings[.archiveFolder]) ?? nil != nil else { return }
        do throws(Failure) {
            let archive = try attempt(
                try Archive(reading: try ArchiveOptions().folder(in: context)))
            let syncs = try attempt(archive.servers())
            let record = server?.record?.id.text
            guard let own = syncs.first(where: { $0.record == record }) else {
                // An archive of other servers is not this house's.
                if syncs.isEmpty { readings.archive = memory.note(sync: nil) }
                return
            }
            readings.archive = memory.note(sync: own.lastSync)
        } catch {
            readings.unreadable.append((.archive, nil, error.message))
        }
    }

    private func readReceivers(_ readings: inout LocalReadings) async {
        do throws(Failure) {
            let registry = try await attempt(awaiting: await context.receivers().load())
            readings.receivers = registry.tokens.map { token in
                .init(
                    name: token.device.name ?? String(token.id.prefix(8)),
                    inactiveSince: token.isActive ? nil : token.inactiveSince ?? token.updatedAt,
                    failures: token.failureCount, reason: token.lastFailureReason)
            }
        } catch {
            readings.unreadable.append((.push, nil, error.message))
        }
    }
}
