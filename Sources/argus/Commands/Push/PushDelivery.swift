import ArgusKit
import CommandLineKit

// Shared by the verbs for argus's own deliveries.
extension Context {
    /// The receivers to which argus delivers itself, in a sealed file whatever store sign-ins use.
    ///
    /// - Throws: `Failure` 1 for an unreadable passphrase.
    func deliveryTokens() throws(Failure) -> DeliveryTokenStore {
        DeliveryTokenStore(in: try attempt(secrets.stores.open(.file)), system.paths.state)
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
}

extension DeliveryTokens {
    /// The token with an id, a unique prefix of 4 or more of one, or the name of its device.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if there are several.
    func named(_ word: String) throws(Failure) -> DeliveryToken {
        let names = all.compactMap(\.device.name)
        return try NameLookup.find(word, in: all, id: \.id, name: \.device.name).expectOne(
            word, .token, among: names
        ) { "\($0.id) (\($0.service.name))" }
    }
}

extension DeliveryToken {
    /// The receiver in messages: its device's name, else the start of its id.
    var shownName: String { device.name ?? String(id.prefix(8)) }
}

extension NamedThing {
    fileprivate static let token = NamedThing(
        one: "token", several: "tokens", listHint: "'argus push tokens list' shows ids and names")
}
