import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusPush
import ArgusTransport
import CommandLineKit

/// The devices of a server, as one command sees them.
struct DeviceList: Sendable {
    let server: SignedInServer
    let rows: [(row: DeviceRow, view: JSONView)]
    let unreadableRows: Int

    /// Fetches the devices, and remembers their names.
    init(_ server: SignedInServer, in context: Context) async throws(Failure) {
        let listed = try await server.attempt("list devices", await server.devices.list())
        self.server = server
        // The list is complete without what this machine has stored.
        let stored = try? await context.secrets.storedPush(of: server)
        rows = listed.map { (context.row(of: $0.value, on: server, stored), $0.view) }
        unreadableRows = listed.unreadableRows
        context.remember(listed.values, of: server)
    }

    func remember(_ changed: Device, in context: Context) {
        context.remember(
            rows.map { $0.row.device.id == changed.id ? changed : $0.row.device }, of: server)
    }

    /// The device with an id of either kind, else a name, else a prefix of an id of either kind.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if there are several.
    func named(_ word: String) throws(Failure) -> (row: DeviceRow, view: JSONView) {
        try find(word).expectOne(word, .device, among: rows.compactMap(\.row.device.name)) {
            "\($0.row.device.id) (\($0.row.device.name ?? "unnamed"))"
        }
    }

    private func find(_ word: String) -> [(row: DeviceRow, view: JSONView)] {
        if let own = rows.first(where: { $0.row.device.hasID(word) }) { return [own] }
        let byRow = NameLookup.find(word, in: rows, id: \.row.device.id, name: \.row.device.name)
        let byHardware = NameLookup.find(
            word, in: rows, id: { $0.row.device.hardwareID ?? "" }, name: { _ in nil })
        guard !byHardware.isEmpty else { return byRow }
        guard let first = byRow.first?.row.device else { return byHardware }
        // A name takes precedence over a prefix of an id.
        if first.name?.caseFolded == word.caseFolded { return byRow }
        let both = byRow + byHardware
        return Set(both.map(\.row.device.id)).count == 1 ? byRow : both
    }
}

extension SignedInServer {
    /// The tokens of a pairing; nil for any other sign-in.
    fileprivate var pairing: StoredSession? {
        guard case .session(let session) = credential, session.kind == .mobile else { return nil }
        return session
    }
}

extension NamedThing {
    static let device = NamedThing(
        one: "device", several: "devices", listHint: "'argus devices list' shows names and ids")
}

extension Context {
    /// A device, marked if it is this machine or holds this sign-in.
    ///
    /// `stored` are the push registrations that this machine made.
    func row(
        of device: Device, on server: SignedInServer, _ stored: StoredPush? = nil
    ) -> DeviceRow {
        let holdsSignIn = device.hasID(server.pairing?.deviceRowID)
        let isRegistered = device.hardwareID.map { stored?.registrations(of: $0).isEmpty == false }
        return DeviceRow(
            device: device, isThisDevice: holdsSignIn || device.hasID(ownDeviceID(on: server)),
            holdsSignIn: holdsSignIn,
            getsPushes: device.hasPushToken ?? (isRegistered == true ? true : nil))
    }

    /// The hardware id of this machine on a server: that of the pairing, if there is one.
    func ownDeviceID(on server: SignedInServer) -> String {
        guard let pairing = server.pairing, let name = server.record?.name else {
            return system.device().id
        }
        return pairing.hardwareID ?? pairingID(of: name)
    }

    /// The hardware id of a pairing with the server of this name.
    func pairingID(of name: String) -> String {
        system.device().pairingID(of: system.paths.state.file(name) ?? name)
    }
}

extension Argument {
    private static var deviceSummary: String {
        "A device's name, either of its ids, or the start of one"
    }

    static func devices(_ path: OptionPath<[String]>) -> Self {
        .repeated("DEVICE", atLeast: 1, appends: path, deviceSummary)
            .completing(.dynamic("devices"))
    }

    static func device(_ path: OptionPath<Required<String>>) -> Self {
        .required("DEVICE", sets: path, deviceSummary).completing(.dynamic("devices"))
    }
}
