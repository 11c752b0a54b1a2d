import ArgusKit
import CommandLineKit

extension SignedInServer {
    func keys(withRevoked: Bool) async throws(Failure) -> ListedRows<APIKey> {
        try await attempt("list API keys", await session.call(APIKeyRoutes.list, withRevoked))
    }
}

extension [APIKey] {
    /// The key with an id, a name, a prefix of an id, or the prefix that lists show; revoked keys
    /// do not make a name ambiguous.
    func named(_ word: String) throws(Failure) -> APIKey {
        if let known = first(where: { $0.prefix == word }) { return known }
        var found = NameLookup.find(word, in: self, id: \.id, name: \.name)
        if found.count > 1 {
            let active = filter { $0.isActive != false && $0.revokedAt == nil }
            found = NameLookup.find(word, in: active, id: \.id, name: \.name)
        }
        return try found.expectOne(word, .key) { "\($0.id) (\($0.prefix ?? ""))" }
    }
}

extension NamedThing {
    fileprivate static let key = NamedThing(
        one: "API key", several: "keys", listHint: "'argus keys' lists them")
}
