import ArgusKit
import CommandLineKit

/// The options that name the owner of preferences.
struct PushPrefsTarget: OptionGroup, Equatable {
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
        .option(
            "token", value: "ID", sets: \.token,
            "A receiver that argus delivers to itself"),
    ]

    func validate() throws(UsageError) {
        let given = [device != nil, subscription != nil, endpoint != nil, token != nil]
        guard given.count(where: \.self) < 2 else {
            throw UsageError("give only one of --device, --subscription, --endpoint and --token")
        }
    }

    /// The named target, else the device or subscription registered here, else this machine.
    func resolve(
        on server: SignedInServer, in context: Context
    ) async throws(Failure) -> (target: PushPreferencesTarget, isMine: Bool, isRegistered: Bool) {
        let kept = try await attempt(awaiting: await context.secrets.storedPush(of: server))
        var named = endpoint
        if let word = subscription {
            named = try await server.endpoint(ofSubscription: word, among: kept)
        }
        if let endpoint = named {
            let isMine = kept.subscriptions.contains { $0.endpoint == endpoint }
            return (.endpoint(endpoint), isMine, true)
        }
        if let word = device {
            let id = try await hardwareID(word, on: server, kept, in: context)
            let isMine = kept.isMine(id, own: context.ownDeviceID(on: server))
            return (.device(id), isMine, !isMine || !kept.registrations(of: id).isEmpty)
        }
        if kept.registrations.isEmpty, !kept.subscriptions.isEmpty {
            return (.endpoint(try kept.onlySubscription().endpoint), true, true)
        }
        let id = try kept.device(nil, option: "--device", own: context.ownDeviceID(on: server))
        return (.device(id), true, !kept.registrations(of: id).isEmpty)
    }

    /// A full UUID needs no list, which not every server has.
    private func hardwareID(
        _ word: String, on server: SignedInServer, _ kept: StoredPush, in context: Context
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

extension Context {
    func preferences(of server: SignedInServer) -> PushPreferencesService {
        PushPreferencesService(session: server.session, now: now, sleep: sleep)
    }

    /// The name of a target for the queue; nil for an endpoint that this machine has not subscribed,
    /// which is a secret.
    func owner(
        of target: PushPreferencesTarget, on server: SignedInServer
    ) async -> QueueableWrite.Owner? {
        switch target {
        case .device(let id): return .device(id)
        case .endpoint(let endpoint):
            let stored = try? await secrets.storedPush(of: server)
            let own = stored?.subscriptions.first { $0.endpoint == endpoint }
            return own?.subscriptionID.map { .subscription($0) }
        }
    }

    /// Notes preferences that a command has read or changed, for writes that wait.
    func note(
        _ preferences: PushPreferences, of target: PushPreferencesTarget,
        on server: SignedInServer
    ) async {
        guard let owner = await owner(of: target, on: server) else { return }
        note(on: server) { $0.note(preferences, of: owner, at: $1) }
    }

    func pushPreferencesFields() throws(Failure) -> [Field<PushPreferencesRow>] {
        try isForMachines() ? PushPreferencesView.fields : PushPreferencesView.tableFields
    }

    func row(
        _ target: PushPreferencesTarget, _ preferences: PushPreferences, _ cameraNames: [String]?,
        isRegistered: Bool
    ) -> PushPreferencesRow {
        PushPreferencesRow(
            target: target, preferences: preferences, cameraNames: cameraNames,
            now: effect(of: preferences, cameraNames, isRegistered: isRegistered))
    }

    /// The preferences of a receiver of argus's own deliveries; no server is asked for the names of
    /// cameras.
    func row(_ token: DeliveryToken) -> PushPreferencesRow {
        PushPreferencesRow(
            token: token, preferences: token.preferences, cameraNames: nil,
            now: effect(of: token.preferences, nil, isRegistered: true))
    }

    private func effect(
        of preferences: PushPreferences, _ cameraNames: [String]?, isRegistered: Bool
    ) -> PushPreferencesEffect {
        PushPreferencesEffect(
            preferences, at: now(), zone: system.zone(named: preferences.timezone),
            cameraNames: cameraNames, isRegistered: isRegistered)
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
