import ArgusKit

extension Context {
    /// All cameras of a server with its own words for them, without asking who is online; their
    /// names are kept for TAB.
    func cameras(
        of server: SignedInServer
    ) async throws(Failure) -> ListedRows<Camera> {
        let listed = try await server.attempt("list cameras") { () async throws(APIError) in
            try await CameraService(session: server.session).plainList()
        }
        cache(for: server)?.remember(cameras: listed.values)
        return listed
    }
}

extension [Camera] {
    /// The camera that a person means: exact id, then exact name, then a unique prefix of an id.
    ///
    /// - Throws: `Failure` 3 when there is none, 2 when there are several (contract section 1).
    func named(_ name: String) throws(Failure) -> Camera {
        switch NameLookup.find(name, in: self, id: \.id, name: \.name) {
        case .one(let camera): return camera
        case .none:
            throw Failure(
                .notFound, "there is no camera \(name.inQuotes)",
                hint: "'argus cameras list' shows names and ids")
        case .several(let cameras):
            let candidates = cameras.map { "\($0.id) (\($0.name ?? "unnamed"))" }
            throw Failure(
                .usage,
                "\(name.inQuotes) names several cameras: \(candidates.joined(separator: ", "))",
                hint: "give the whole id")
        }
    }
}
