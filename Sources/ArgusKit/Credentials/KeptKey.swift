/// The API key that replaces a sign-in once it has ended, stored beside its session.
///
/// Its name is stored before the server makes it, so that no unknown key is left there.
///
/// ```json
/// {"version": 1, "name": "argus home on attic (k3v7q2ma)", "id": "6a…", "api_key": "…"}
/// ```
package struct KeptKey: Hashable, Sendable {
    /// Its unique name on the server.
    package var name: String
    /// Nil while the server makes the key.
    package var id: String?
    /// Nil while the server makes the key.
    package var secret: Redacted<String>?

    package init(name: String, id: String? = nil, secret: Redacted<String>? = nil) {
        (self.name, self.id, self.secret) = (name, id, secret)
    }

    /// Decodes `encoded`; nil for anything else.
    package init?(decoding bytes: Redacted<[UInt8]>) {
        guard let state = JSONValue(parsing: bytes.reveal()),
            var object = try? JSONObject(state), let name = try? object.text("name")
        else { return nil }
        self.init(
            name: name, id: try? object.text("id"),
            secret: (try? object.text("api_key")).map { Redacted($0) })
    }

    /// The sentence about a key that is erased here and stays valid on a server.
    package func notice(of server: String) -> String {
        let end = id.map { "; end it with 'argus keys revoke \($0)'" } ?? ""
        return "the API key '\(name)' of '\(server)' stays valid\(end)"
    }

    /// The encoded key.
    package var encoded: Redacted<[UInt8]> {
        var object = JSONObject()
        object.put("version", .integer(1))
        object.put("name", .text(name))
        object.put("id", id.map(JSONValue.text))
        object.put("api_key", secret.map { .text($0.reveal()) })
        return Redacted(object.value.document(.compact))
    }
}

extension CredentialStore {
    /// The API key of a server's sign-in; nil if it has none.
    ///
    /// - Throws: `CredentialStoreError`; `.senseless` if the value is not a key.
    package func keptKey(of server: ServerID) async throws(CredentialStoreError) -> KeptKey? {
        guard let value = try await read(CredentialKey(server, .apiKey)) else { return nil }
        guard let key = KeptKey(decoding: value) else { throw .senseless(store: name) }
        return key
    }

    /// Stores the API key of a server's sign-in.
    ///
    /// - Throws: `CredentialStoreError`.
    package func keep(
        _ key: KeptKey, of server: ServerID
    ) async throws(CredentialStoreError) {
        try await write(key.encoded, for: CredentialKey(server, .apiKey))
        try await expectKept(key.encoded, for: CredentialKey(server, .apiKey))
    }
}
