import ArgusAccount
import ArgusCore
import ArgusPush
import ArgusTransport
import CommandLineKit

extension PushSettings {
    /// The settings of a run: variables, the config file, and the files of the service manager.
    init(of context: Context) throws(Failure) {
        self = try attempt(PushSettings(context.credentialOverrides))
        func text(_ setting: Setting) throws(Failure) -> String? {
            try context.settings[setting]?.text
        }
        publicURL = try text(.pushPublicURL).flatMap { try? ServerAddress(parsing: $0) }
        vapidSubject = try text(.pushVAPIDSubject)
        apnsKeyFile = try text(.pushAPNsKeyFile) ?? apnsKeyFile
        apnsKeyID = try text(.pushAPNsKeyID)
        apnsTeamID = try text(.pushAPNsTeamID)
        apnsBundleID = try text(.pushAPNsBundleID)
        apnsUsesSandbox = try context.settings[.pushAPNsSandbox]?.isOn == true
        fcmCredentials = try text(.pushFCMCredentials) ?? fcmCredentials
        fcmProjectID = try text(.pushFCMProjectID)
    }
}

extension PushEnvironment {
    /// The network and clock of a run; all pushes share one transport.
    init(of context: Context) throws(Failure) {
        let (system, options) = (context.system, try ConnectionOptions(of: context))
        let transport = HopTransport(
            system.makeTransport(options.proxies, options.observation), LocalNames(system.browser))
        self.init(
            transport, userAgent: options.userAgent, now: system.now, sleep: system.sleep)
        debug = context.console.debug
        caFile = options.files.authorities
        timeout = options.timeout
        if let given = try context.settings[.retries], given.origin != .defaultValue {
            retries = options.retries
        }
        let hosts = try context.settings[.pushLocalHosts]?.text ?? ""
        localHosts = Set(hosts.lowercased().split { ", ".contains($0) }.map(String.init))
    }
}

extension PushProviders {
    convenience init(of context: Context, _ settings: PushSettings) throws(Failure) {
        let tokens = try context.receivers()
        let now = context.now
        self.init(
            settings, store: try context.providerTokens(),
            vapidKey: { () async throws(DeliveryError) in
                do throws(AccountError) {
                    return try await tokens.vapidKey(at: now()).key
                } catch {
                    throw DeliveryError(.failed, "the VAPID key cannot be read: \(error)")
                }
            }, try PushEnvironment(of: context))
    }
}

// The stores of pushes. They are sealed files whatever store sign-ins use.
extension Context {
    /// The registry of receivers of pushes.
    func receivers() throws(Failure) -> ReceiverStore {
        ReceiverStore(in: try attempt(secrets.stores.open(.file)), system.paths.state)
    }

    /// The receivers of pushes; warns if there are none, since nothing can be delivered then.
    func loadedReceivers() async throws(Failure) -> ReceiverRegistry {
        let registry = try await attempt(awaiting: await receivers().load())
        if registry.tokens.isEmpty {
            console.warn("there are no receivers; 'argus notify receivers add' adds one")
        }
        return registry
    }

    /// The records of deliveries.
    ///
    /// - Throws: `Failure` 1 without a state folder.
    func deliveryLog() throws(Failure) -> DeliveryLog {
        if case .none(let reason) = system.paths.state {
            throw Failure(.failed, "there is no folder for the records of deliveries: \(reason)")
        }
        return DeliveryLog(system.paths.state.file("push") ?? "")
    }

    /// The tokens for Apple and Google.
    func providerTokens() throws(Failure) -> ProviderTokenStore {
        ProviderTokenStore(
            in: try attempt(secrets.stores.open(.file)), system.paths.state, sleep: system.sleep,
            report: console.warn)
    }
}

extension ReceiverRegistry {
    /// The token with an id, a unique prefix of 4 or more of one, or the name of its device.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if there are several.
    func named(_ word: String) throws(Failure) -> DeliveryToken {
        let token = NamedThing(
            one: "receiver", several: "receivers",
            listHint: "'argus notify receivers list' shows ids and names")
        return try NameLookup.find(word, in: tokens, id: \.id, name: \.device.name)
            .expectOne(word, token, among: tokens.compactMap(\.device.name)) {
                "\($0.id) (\($0.service.name))"
            }
    }
}

extension ExitKind {
    /// The kind of a push that failed through no fault of its receiver.
    init(_ fault: DeliveryAnswer.Fault) {
        self =
            switch fault {
            case .credentials: .notSignedIn
            case .unreachable: .unreachable
            case .service: .serverError
            case .rateLimited: .rateLimited
            case .identity: .identity
            case .tooLarge: .rejected
            }
    }

    /// The kind of a push that failed for one receiver, by the status of the service's answer.
    init(ofReceiver status: Int?) {
        self =
            switch status {
            case .none: .unreachable
            case 429: .rateLimited
            case .some(500...): .serverError
            case .some: .rejected
            }
    }
}

extension DeliveryAnswer {
    /// The failure of a push; nil if it was accepted.
    func failure(to receiver: String) -> Failure? {
        let kind: ExitKind
        switch verdict {
        case .accepted: return nil
        case .gone: kind = .notFound
        case .tokenFailure: kind = ExitKind(ofReceiver: httpStatus)
        case .providerFailure(let fault): kind = ExitKind(fault)
        }
        var failure = Failure(
            kind, "cannot push to \(receiver): \(reason ?? "no reason was given")")
        failure.httpStatus = httpStatus
        return failure
    }
}
