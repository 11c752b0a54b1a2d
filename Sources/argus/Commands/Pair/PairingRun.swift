import ArgusAccount
import ArgusCore
import ArgusTransport

/// The display of one pairing: its states for programs, its code and result for users.
struct PairingRun {
    private let server: UnverifiedServer
    private let service: PairingService
    private let printer: Printer<PairingState>
    private let keepsAlive: Bool
    private let context: Context

    init(
        with server: UnverifiedServer, _ printer: Printer<PairingState>, keepsAlive: Bool,
        in context: Context
    ) throws(Failure) {
        (self.server, self.printer) = (server, printer)
        (self.keepsAlive, self.context) = (keepsAlive, context)
        service = PairingService(
            server, try PendingPairings(of: context), try context.signInTransaction())
    }

    /// Requests a code, shows it and, if `waits`, waits for its end.
    func start(_ device: PairingDevice, waits: Bool) async throws(Failure) {
        let pairing = try await pairing(await service.begin(device))
        if waits { return try await wait(for: pairing) }
        context.console.notice(
            "confirm the code in the server's dashboard, or with 'argus pair confirm' where you "
                + "are signed in; then run 'argus pair resume'")
        guard try context.isForMachines() else { return try context.write(pairing.code.text) }
        try printer.writeOnly(
            state(.waiting, pairing.code, pairing.device, expiresAt: pairing.expiresAt))
    }

    func wait(for pairing: PendingPairing) async throws(Failure) {
        let format = try context.format()
        let display = PairingDisplay(
            context.system.streams, terminal: context.terminal, isQuiet: context.globals.isQuiet)
        if context.globals.isQuiet, !format.isMachine {
            try context.write(pairing.code.text)
        }
        var problem: Failure?
        func show(_ stage: PairingState.Stage, _ paired: PairingService.Paired? = nil) {
            let expiresAt = pairing.expiresAt
            do throws(Failure) {
                try printer.write(
                    state(stage, pairing.code, pairing.device, paired, expiresAt: expiresAt))
            } catch {
                // The pairing is completed first; a closed pipe is reported afterwards.
                problem = problem ?? error
            }
        }
        if format == .ndjson { show(.waiting) }
        display.begin(pairing, on: server.title, now: context.now())
        let paired: PairingService.Paired
        do throws(PairingError) {
            paired = try await service.wait(
                for: pairing,
                { progress in
                    switch progress {
                    case .waiting(let left): display.countDown(left)
                    case .confirmed: if format == .ndjson { show(.confirmed) }
                    case .unanswered(let why):
                        context.console.debug("'\(server.title)' does not answer: \(why)")
                    }
                }, tick: display.isLive ? .seconds(1) : PairingWait.interval)
        } catch {
            display.end()
            if let stage = error.stage, format.isMachine {
                show(stage)
                try? printer.finish()
            }
            throw await Failure(error, with: server)
        }
        display.end()
        if format.isMachine { show(.paired, paired) }
        if let problem { throw problem }
        try await finish(paired)
    }

    func redeem(_ code: PairingCode, by device: PairingDevice) async throws(Failure) {
        let paired = try await pairing(await service.redeem(code, by: device))
        if try context.isForMachines() {
            try printer.write(state(.paired, code, device, paired))
        }
        try await finish(paired)
    }

    private func pairing<Value>(
        _ work: @autoclosure () async throws(PairingError) -> Value
    ) async throws(Failure) -> Value {
        do { return try await work() } catch { throw await Failure(error, with: server) }
    }

    private func finish(_ paired: PairingService.Paired) async throws(Failure) {
        let (username, record) = (paired.session.username ?? "an unknown user", paired.record)
        if try context.isForMachines() {
            try printer.finish()
        } else {
            context.console.notice("paired with '\(record.name)' as '\(username)'")
        }
        let server = try context.signedInServer(
            record, .session(paired.session), from: record.credentialStore.name, renewing: true)
        try await server.keepAlive(isWanted: keepsAlive, in: context)
    }

    private func state(
        _ stage: PairingState.Stage, _ code: PairingCode, _ device: PairingDevice,
        _ paired: PairingService.Paired? = nil, expiresAt: Timestamp? = nil
    ) -> PairingState {
        PairingState(
            stage: stage, code: code, server: paired?.record.name ?? server.name,
            url: server.client.address.description, device: device,
            username: paired?.session.username, deviceID: paired?.session.deviceRowID,
            expiresAt: expiresAt)
    }
}

extension PendingPairings {
    /// The unfinished pairings of this user, stored where new sign-ins go.
    init(of context: Context) throws(Failure) {
        let kind = try context.settings.chosenStore() ?? .file
        let (store, console) = (try attempt(context.secrets.stores.open(kind)), context.console)
        self.init(
            in: store, context.system.paths.state, sleep: context.system.sleep,
            report: { console.warn("pairings that may have waited are lost: \($0)") })
    }
}

extension PairingError {
    /// The final state of a pairing; nil if it continues at the server.
    fileprivate var stage: PairingState.Stage? {
        switch self {
        case .expired: .expired
        case .vanished: .rejected
        default: nil
        }
    }
}
