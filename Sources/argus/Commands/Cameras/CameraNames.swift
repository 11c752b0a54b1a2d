import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusTransport
import CommandLineKit

extension Context {
    /// All cameras of a server with its own objects, without their health; remembers their names
    /// and settings.
    func cameras(of server: SignedInServer) async throws(Failure) -> ListedRows<Camera> {
        let listed = try await server.attempt("list cameras", await server.cameras.plainList())
        remember(listed.values, of: server)
        return listed
    }
}

extension [Camera] {
    /// The camera with an exact id, else an exact name, else a unique prefix of an id.
    func named(_ name: String) throws(Failure) -> Camera {
        let found = NameLookup.find(name, in: self, id: \.id, name: \.name)
        guard let camera = found.only else { throw found.failure(naming: name, among: self) }
        return camera
    }

    /// The failure of a name that these cameras, none or several of all, have.
    func failure(naming name: String, among all: [Camera]) -> Failure {
        failure(naming: name, .camera, among: all.compactMap(\.name)) {
            "\($0.id) (\($0.name ?? "unnamed"))"
        }
    }
}

extension NamedThing {
    static let camera = NamedThing(
        one: "camera", several: "cameras", listHint: "'argus cameras list' shows names and ids")
}

extension Argument {
    static func cameras(_ path: OptionPath<[String]>, atLeast count: Int = 1) -> Self {
        .repeated("CAMERA", atLeast: count, appends: path, "A camera's name, id or start of an id")
            .completing(.dynamic("cameras"))
    }
}
