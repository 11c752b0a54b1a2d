package import ArgusCore

/// The API key that replaces a sign-in once it has ended, stored beside its session.
///
/// Its name is stored before the server makes it, so that no unknown key is left there.
///
/// ```json
/// {"version": 1, "name": "argus home on attic (k3v7q2ma)", "id": "6a…", "api_key": "…"}
/// ```
package struct StoredKey: Hashable, Sendable {
    /// Its unique name on the server.
    package var name: String
    /// Nil while the server makes the key.
    package var id: String?
    /// Nil while the server makes the key.
    package var secret: Redacted<String>?

    /// The sentence about a key that is erased here and stays valid on a server.
    package func notice(of server: String) -> String {
        let end = id.map { "; end it with 'argus keys revoke \($0)'" } ?? ""
        return "the API key '\(name)' of '\(server)' stays valid\(end)"
    }
}

extension StoredKey: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        self.init(
            name: try object.text("name").required(), id: try object.text("id"),
            secret: try object.text("api_key").map { Redacted($0) })
    }

    package var state: JSONValue {
        var object = JSONObject.document()
        object.put("name", name)
        object.put("id", id)
        object.put("api_key", secret?.reveal())
        return object.value
    }
}

extension StoredKey {
    /// The encoded key.
    var encoded: Redacted<[UInt8]> { Redacted(state.document(.compact)) }
}

extension CredentialStore {
    /// The API key of a server's sign-in; nil if it has none.
    ///
    /// - Throws: `AccountError`.
    package func storedKey(of server: ServerID) async throws(AccountError) -> StoredKey? {
        try await document(CredentialKey(server, .apiKey))
    }

    /// Stores the API key of a server's sign-in.
    ///
    /// - Throws: `AccountError`.
    package func keep(
        _ key: StoredKey, of server: ServerID
    ) async throws(AccountError) {
        try await write(key.encoded, for: CredentialKey(server, .apiKey))
        try await expectKept(key.encoded, for: CredentialKey(server, .apiKey))
    }
}
