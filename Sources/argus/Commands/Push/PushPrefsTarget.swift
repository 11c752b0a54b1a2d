import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusPush
import ArgusTransport
import CommandLineKit

/// The options that name the owner of preferences.
struct PushPrefsTarget: OptionGroup, VerbOptions {
    var device: String?
    var subscription: String?
    var endpoint: PushEndpoint?
    /// A receiver of argus's own deliveries, whose preferences no server has.
    var token: String?

    static let own: [Flag<PushPrefsTarget>] = [
        .option("device", value: "DEVICE", sets: \.device, "A device's name or id")
            .completing(.dynamic("devices")),
        .option(
            "subscription", value: "ID", sets: \.subscription,
            "A subscription's id, or the start of it"
        ).completing(.dynamic("subscriptions")),
        .option("endpoint", value: "URL", sets: \.endpoint, "The endpoint of a subscription")
            .sensitive(),
        .option("receiver", value: "ID", sets: \.token, "A receiver of 'notify receivers list'")
            .formerly("token"),
    ]

    func validate() throws(UsageError) {
        let given = [device != nil, subscription != nil, endpoint != nil, token != nil]
        guard given.count(where: \.self) < 2 else {
            throw UsageError("give only one of --device, --subscription, --endpoint and --receiver")
        }
    }

    /// The named receiver, else the device or subscription registered here, else this machine.
    func resolve(
        on server: SignedInServer, in context: Context
    ) async throws(Failure) -> PushPrefsReceiver {
        let stored = try await attempt(awaiting: await context.secrets.storedPush(of: server))
        if let word = subscription {
            return stored.receiver(try await server.endpoint(ofSubscription: word, among: stored))
        }
        guard let word = device else { return try unnamed(stored, on: server, in: context) }
        return stored.receiver(
            try await hardwareID(word, on: server, in: context),
            own: context.ownDeviceID(on: server))
    }

    /// The receiver, resolved without the server; nil if only the server knows the name.
    func resolveOffline(
        on server: SignedInServer, in context: Context
    ) async throws(Failure) -> PushPrefsReceiver? {
        let stored = try await attempt(awaiting: await context.secrets.storedPush(of: server))
        if let word = subscription {
            let found = NameLookup.find(
                word, in: stored.subscriptions, id: { $0.subscriptionID ?? "" }, name: { _ in nil })
            return found.only.map { stored.receiver($0.endpoint) }
        }
        guard let word = device else { return try unnamed(stored, on: server, in: context) }
        let seen = try context.seen("device", on: server).offline(word, .device)
        guard let id = seen.map({ $0.text("device_id") ?? $0.id }) ?? (try? DeviceIDText.read(word))
        else { return nil }
        return stored.receiver(id, own: context.ownDeviceID(on: server))
    }

    private func unnamed(
        _ stored: StoredPush, on server: SignedInServer, in context: Context
    ) throws(Failure) -> PushPrefsReceiver {
        if let endpoint { return stored.receiver(endpoint) }
        if stored.registrations.isEmpty, !stored.subscriptions.isEmpty {
            return stored.receiver(try stored.onlySubscription().endpoint)
        }
        let own = context.ownDeviceID(on: server)
        return stored.receiver(try stored.device(nil, option: "--device", own: own), own: own)
    }

    /// Returns the hardware id of a device; a full UUID needs no list, which not every server has.
    private func hardwareID(
        _ word: String, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> String {
        do {
            let device = try await DeviceList(server, in: context).named(word).row.device
            return device.hardwareID ?? device.id
        } catch  where error.kind == .notFound || error.kind == .unsupported {
            guard let id = try? DeviceIDText.read(word) else { throw error }
            return id
        }
    }
}

/// A receiver of pushes whose preferences a command shows or changes.
struct PushPrefsReceiver: Sendable {
    var target: PushPreferencesTarget
    /// Its name in the queue; nil for an endpoint that this machine has not subscribed, which is a
    /// secret.
    var owner: SetPreferences.Owner?
    /// True if it was registered here, or is this machine.
    var isMine: Bool
    var isRegistered: Bool

    /// A change as a write that may wait.
    func draft(_ change: PushPreferencesChange) throws(Failure) -> WriteDraft<PushPreferencesRow> {
        guard let owner else {
            throw Failure(
                .usage, "an endpoint is a secret, which the queue does not keep",
                hint: "leave out --queue, or name a subscription of this machine")
        }
        return WriteDraft(write: .preferences(SetPreferences(owner, change)))
    }

    /// Notes preferences that a command has read or changed, for writes that wait.
    func note(_ preferences: PushPreferences, on server: SignedInServer, in context: Context) {
        guard let owner else { return }
        context.note(on: server) { $0.note(preferences, of: owner, at: $1) }
    }
}

extension StoredPush {
    fileprivate func receiver(_ endpoint: PushEndpoint) -> PushPrefsReceiver {
        let own = subscriptions.first { $0.endpoint == endpoint }
        return PushPrefsReceiver(
            target: .endpoint(endpoint), owner: own?.subscriptionID.map { .subscription($0) },
            isMine: own != nil, isRegistered: true)
    }

    /// The device with an id; `own` is the id of this machine.
    fileprivate func receiver(_ id: String, own: String) -> PushPrefsReceiver {
        let isMine = isMine(id, own: own)
        return PushPrefsReceiver(
            target: .device(id), owner: .device(id), isMine: isMine,
            isRegistered: !isMine || !registrations(of: id).isEmpty)
    }
}

extension Context {
    func preferences(of server: SignedInServer) -> PushPreferencesService {
        PushPreferencesService(session: server.session, now: now, sleep: sleep)
    }

    /// The preferences of a receiver of argus's own deliveries, and their effect now.
    func row(of token: DeliveryToken) -> PushPreferencesRow {
        row(
            token: token, token.preferences, token.preferences.cameras.map(seenCameraNames))
    }

    /// Preferences of a target at a server, or of a receiver of argus's own deliveries, and their
    /// effect now.
    func row(
        _ target: PushPreferencesTarget? = nil, token: DeliveryToken? = nil,
        _ preferences: PushPreferences, _ cameraNames: [String]?, isRegistered: Bool = true
    ) -> PushPreferencesRow {
        PushPreferencesRow(
            target: target, token: token, preferences: preferences, cameraNames: cameraNames,
            now: PushPreferencesEffect(
                preferences, at: now(), zone: system.zone(named: preferences.timezone),
                cameraNames: cameraNames, isRegistered: isRegistered))
    }
}

extension SignedInServer {
    /// Runs an operation on a target's preferences; the hint for a missing target names the command
    /// that registers it.
    func attempt<Value>(
        _ doing: String, of target: PushPreferencesTarget, in context: Context,
        _ work: @autoclosure () async throws(APIError) -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await work()
        } catch {
            var failure = await failure(error, doing: doing)
            guard error.kind == .notFound else { throw failure }
            switch target {
            case .device(let id):
                let isThis = context.ownDeviceID(on: self).lowercased() == id.lowercased()
                failure.message =
                    "\(isThis ? "this machine" : "the device \(id)") is not registered with '\(name)'"
                failure.hint =
                    "register it with 'argus push register', or name another one with --device"
            case .endpoint(let endpoint):
                failure.message = "'\(name)' has no subscription of \(endpoint.shown)"
                failure.hint = "subscribe it with 'argus push subscribe'"
            }
            throw failure
        }
    }

    /// The names of the chosen cameras, or their ids; nil if all are chosen.
    func cameraNames(of preferences: PushPreferences) async throws(Failure) -> [String]? {
        guard let ids = preferences.cameras else { return nil }
        if ids.isEmpty { return [] }
        let known = try await attempt("list cameras", await cameras.plainList().values)
        return ids.map { id in known.first { $0.id == id }?.name ?? id }
    }
}
