import ArgusKit

/// One pairing on the screen: its states for programs, its code and its end for people.
struct PairingRun {
    private let desk: PairingDesk
    private let printer: Printer<PairingState>
    private var context: Context { desk.context }
    private var unverified: UnverifiedServer { desk.unverified }

    init(_ desk: PairingDesk, _ printer: Printer<PairingState>) {
        self.desk = desk
        self.printer = printer
    }

    /// Gets a code, shows it and, unless the person does not want to, waits for its end.
    func start(_ device: PairingDevice, waits: Bool) async throws(Failure) {
        let pairing = try await desk.begin(device)
        do throws(CredentialStoreError) {
            try await desk.pendings.add(pairing)
        } catch {
            // The tokens go to the same store: better told now than when somebody has confirmed.
            throw Failure(error)
        }
        if waits { return try await wait(for: pairing) }
        context.notice(
            "confirm the code in the server's dashboard, or with 'argus pair confirm' where you "
                + "are signed in; then run 'argus pair resume'")
        guard try context.isForMachines() else {
            return try context.write(pairing.code.text)
        }
        try printer.write(state(.waiting, pairing))
        try printer.finish()
    }

    /// Waits for the end of a pairing.
    func wait(for pairing: PendingPairing) async throws(Failure) {
        let format = try context.format()
        let display = PairingDisplay(
            context.system.streams, terminal: context.terminal, isQuiet: context.globals.isQuiet)
        if context.globals.isQuiet, !format.isMachine {
            try context.write(pairing.code.text)
        }
        var problem: Failure?
        func noticeAlways(_ stage: PairingState.Stage, _ paired: PairingDesk.Paired? = nil) {
            do throws(Failure) {
                try printer.write(state(stage, pairing, paired))
            } catch {
                // What changes something is finished first; the reader is missed afterwards.
                problem = problem ?? error
            }
        }
        if format == .ndjson { noticeAlways(.waiting) }
        display.begin(pairing, on: unverified.title, now: context.now())
        let result: Result<PairingDesk.Paired, Failure>
        do throws(PairingWait.Failure) {
            result = try await desk.wait(
                for: pairing,
                { progress in
                    switch progress {
                    case .waiting(let left): display.countDown(left)
                    case .confirmed where format == .ndjson: noticeAlways(.confirmed)
                    case .confirmed: break
                    case .unanswered(let why):
                        context.debug("'\(unverified.title)' does not answer: \(why)")
                    }
                }, tick: display.isLive ? .seconds(1) : PairingWait.interval)
        } catch {
            display.end()
            if let stage = error.stage, format.isMachine {
                noticeAlways(stage)
                try? printer.finish()
            }
            throw await failure(error, of: pairing)
        }
        display.end()
        let paired = try result.get()
        await desk.forget(pairing)
        if format.isMachine { noticeAlways(.paired, paired) }
        if let problem { throw problem }
        try finish(paired)
    }

    /// Exchanges a code that the dashboard shows.
    func redeem(_ code: PairingCode, by device: PairingDevice) async throws(Failure) {
        let paired = try await desk.redeem(code, by: device)
        if try context.isForMachines() {
            try printer.write(state(.paired, code, device, paired))
        }
        try finish(paired)
    }

    private func finish(_ paired: PairingDesk.Paired) throws(Failure) {
        let username = paired.session.username ?? "an unknown user"
        guard try context.isForMachines() else {
            return context.notice("paired with '\(paired.record.name)' as '\(username)'")
        }
        try printer.finish()
    }

    private func failure(
        _ error: PairingWait.Failure, of pairing: PendingPairing
    ) async -> Failure {
        let again = "start again with 'argus pair \(unverified.client.address)'"
        if case .request(let error) = error {
            var failure = await desk.failure(error, doing: "wait for the confirmation")
            failure.hint = failure.hint ?? "'argus pair resume' goes on while the code is good"
            return failure
        }
        await desk.forget(pairing)
        switch error {
        case .expired:
            return Failure(
                .timeout, "the pairing code expired before anybody confirmed it", hint: again,
                reason: "code_expired")
        case .vanished:
            return Failure(
                .rejected,
                "the pairing was rejected, or forgotten by the server '\(unverified.title)'",
                hint: again, reason: "pairing_rejected")
        case .answerLost, .request:
            return Failure(
                .unreachable, "the answer of '\(unverified.title)' with the tokens was lost",
                hint: again, reason: "tokens_lost")
        }
    }

    private func state(
        _ stage: PairingState.Stage, _ pairing: PendingPairing, _ paired: PairingDesk.Paired? = nil
    ) -> PairingState {
        var state = state(stage, pairing.code, pairing.device, paired)
        state.expiresAt = pairing.expiresAt
        return state
    }

    private func state(
        _ stage: PairingState.Stage, _ code: PairingCode, _ device: PairingDevice,
        _ paired: PairingDesk.Paired?
    ) -> PairingState {
        PairingState(
            stage: stage, code: code, server: paired?.record.name ?? unverified.name,
            url: unverified.client.address.description, device: device,
            username: paired?.session.username, deviceID: paired?.session.deviceRowID)
    }
}

extension PairingWait.Failure {
    /// The state that a pairing ended in; nil where it goes on at the server.
    fileprivate var stage: PairingState.Stage? {
        switch self {
        case .expired: .expired
        case .vanished: .rejected
        case .answerLost, .request: nil
        }
    }
}
