import ArgusAccount
import ArgusCore
import ArgusPush
import ArgusTransport

// The sentences for the notices of the kit's services.
extension Console {
    func report(_ notice: ServerConnector.Notice, _ reports: Collected<EndpointReport>) {
        switch notice {
        case .leftOut(let endpoint, let error):
            debug("\(endpoint.kind.rawValue) \(endpoint.address) is not used: \(error)")
        case .remembered(let target, let moment):
            debug("endpoint: \(target), last proved \(moment.displayText(in: timeZone))")
        case .selected(let report):
            reports.add(report)
            for line in report.lines { debug(line) }
        case .headersLeftOut(let names):
            warn(
                "\(names.joined(separator: ", ")) is not sent to the relay: argus sends its own; "
                    + "'argus server set --relay-header-stdin' takes other fields")
        case .notRemembered(let options, let path):
            warn("\(options) must be given again each time: '\(path)' is not a permanent file")
        case .waiting(.retry(let sentence)): debug(sentence)
        case .waiting(.rateLimit(let wait)):
            self.notice(
                "the server limits requests; waiting \(DurationText.short(wait))")
        }
    }

    func report(_ notice: ServerDirectory.Notice) {
        switch notice {
        case .damaged(let path): warn("'\(path)' is damaged and counts as empty")
        case .setAside(let path): warn("the damaged list of servers is now '\(path)'")
        case .unreadableRecords(1):
            warn("the record of 1 server cannot be read; it is kept unchanged")
        case .unreadableRecords(let count):
            warn("the records of \(count) servers cannot be read; they are kept unchanged")
        }
    }

    func report(_ notice: SealedFileStore.Notice) {
        switch notice {
        case .keySetAside(let path):
            warn("a damaged key file was set aside as '\(path)'; sign in again")
        case .notBound:
            debug(
                "this machine has no id in /etc/machine-id: a copy of the home folder would "
                    + "hold the sign-in too")
        }
    }

    func report(_ notice: SignOut.Notice) async {
        switch notice {
        case .unreadable(let server, let error):
            warn("the session of '\(server)' was not ended on the server: \(error)")
        case .keyStaysValid(let server):
            self.notice("the API key of '\(server)' stays valid until it is revoked on the server")
        case .storedKeyStays(let server, let key):
            warn(key.notice(of: server))
        case .pairingStays(let server):
            self.notice("'\(server)' cannot end a pairing: remove the device in its dashboard")
        case .notReached(let server, let reason):
            warn("the session on the server '\(server)' was not ended: \(reason)")
        case .notEnded(let server, let error):
            let failure = await server.failure(error, doing: "sign out")
            warn("the session on the server '\(server.name)' was not ended: \(failure.message)")
        case .acceptedUntil(let end, let server):
            self.notice(
                "'\(server)' may accept the access token until \(end.displayText(in: timeZone))")
        }
    }

    func report(_ notice: PushSignOut.Notice) async {
        switch notice {
        case .notTried(let reason):
            warn("the push registrations were not removed: \(reason)")
        case .failed(let item, let error, let server):
            let failure = await server.failure(error, doing: "remove \(item.rawValue)")
            warn("\(item.rawValue) was not removed: \(failure.message)")
        case .ended(let item, .nothing, let server):
            self.notice("\(item.rawValue) was already gone on '\(server.name)'")
        case .ended(let item, let ended, let server):
            self.notice("removed \(item.rawValue) on '\(server.name)'")
            if case .all = ended { self.notice(PushRegistrar.Ended.endOfAll(on: server.name)) }
        }
    }
}

extension PushRegistrar.Ended {
    /// The sentence for a server that ended more than the registration of one device.
    static func endOfAll(on server: String) -> String {
        "'\(server)' ended the push registrations of all devices of this account"
    }
}
