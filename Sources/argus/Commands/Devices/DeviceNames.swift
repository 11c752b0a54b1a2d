import ArgusKit
import CommandLineKit

/// The devices of a server, as one command sees them.
struct DeviceList: Sendable {
    let server: SignedInServer
    let service: DeviceService
    let rows: [(row: DeviceRow, view: JSONView)]
    /// How many rows of the list were no devices.
    let unreadableRows: Int

    /// Asks the server, and keeps the names for TAB.
    init(_ server: SignedInServer, in context: Context) async throws(Failure) {
        let service = DeviceService(session: server.session)
        let listed = try await server.attempt("list devices", await service.list())
        self.server = server
        self.service = service
        rows = listed.map { (context.row(of: $0.value, on: server), $0.view) }
        unreadableRows = listed.unreadableRows
        context.cache(for: server)?.remember(devices: listed.values)
    }

    /// The device that a person means: an id of either kind, then a name, then the beginning of an
    /// id of either kind.
    ///
    /// - Throws: `Failure` 3 when there is none, 2 when there are several (contract section 1).
    func named(_ word: String) throws(Failure) -> (row: DeviceRow, view: JSONView) {
        try find(word).only(word, .device) {
            "\($0.row.device.id) (\($0.row.device.name ?? "unnamed"))"
        }
    }

    private func find(_ word: String) -> NameLookup<(row: DeviceRow, view: JSONView)> {
        if let own = rows.first(where: { $0.row.device.hasID(word) }) { return .one(own) }
        let byRow = NameLookup.find(
            word, in: rows, id: \.row.device.id, name: \.row.device.name)
        let byHardware = NameLookup.find(
            word, in: rows, id: { $0.row.device.hardwareID ?? "" }, name: { _ in nil })
        switch (byRow, byHardware) {
        case (_, .none): return byRow
        case (.none, _): return byHardware
        case (.one(let first), .one(let second))
        where first.row.device.id == second.row.device.id: return byRow
        // A name decides before the beginning of an id does.
        case (.one(let first), _) where first.row.device.name?.lowercased() == word.lowercased():
            return byRow
        case (.several(let found), _)
        where found.allSatisfy({ $0.row.device.name?.lowercased() == word.lowercased() }):
            return byRow
        default: return .several(byRow.all + byHardware.all)
        }
    }
}

extension NamedThing {
    fileprivate static let device = NamedThing(
        one: "device", several: "devices", listHint: "'argus devices list' shows names and ids")
}

extension NameLookup {
    fileprivate var all: [Element] {
        switch self {
        case .one(let found): [found]
        case .none: []
        case .several(let found): found
        }
    }
}

extension Context {
    /// A device, and whether it is this machine: by the id that argus gives itself, or by the one
    /// that the pairing of this sign-in got.
    func row(of device: Device, on server: SignedInServer) -> DeviceRow {
        var paired: String?
        if case .session(let session) = server.credential { paired = session.deviceRowID }
        return DeviceRow(
            device: device,
            isThisDevice: device.hasID(system.device().id) || device.hasID(paired))
    }
}

extension Argument {
    /// The operand that names devices.
    static func devices(
        _ place: @escaping @Sendable @autoclosure () -> Place<[String]>
    ) -> Self {
        .repeated(
            "DEVICE", atLeast: 1, appends: place(),
            "A device's name, either of its ids, or the start of one"
        ).completing(.dynamic("devices"))
    }

    /// The operand that names one device.
    static func device(
        _ place: @escaping @Sendable @autoclosure () -> Place<Required<String>>
    ) -> Self {
        .required(
            "DEVICE", sets: place(), "A device's name, either of its ids, or the start of one"
        ).completing(.dynamic("devices"))
    }
}
