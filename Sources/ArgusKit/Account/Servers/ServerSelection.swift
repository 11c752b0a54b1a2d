import ArgusCore
import ArgusTransport

extension ServerList {
    /// The record with a name, an id, a prefix of an id or an address; without a word, the default.
    ///
    /// - Throws: `ServerError` unless exactly one record matches.
    package func record(of word: String?) throws(ServerError) -> ServerRecord {
        guard let word else {
            if let record = defaultServer { return record }
            throw servers.isEmpty ? .noneKnown : .noDefault
        }
        let found = find(word)
        if let record = found.only { return record }
        throw found.isEmpty
            ? .absent(word, known: servers.map(\.name)) : .ambiguous(word, found)
    }
}

/// The server of a sign-in, from the command line and the settings.
package struct SignInTarget: Sendable {
    /// The operand: a URL, a host, or the name of a known server.
    package var url: String?
    /// The setting `server`, if there is no operand.
    package var server: String?
    /// The new name of the record.
    package var name: String?
    /// Selects among several accounts at an address.
    package var username: String?
    package var allowsPlainHTTP: Bool
    /// The command that signs in, for hints.
    package var command: String

    package init(
        url: String?, server: String? = nil, name: String? = nil, username: String? = nil,
        allowsPlainHTTP: Bool = false, command: String = "login"
    ) {
        self.url = url
        self.server = server
        self.name = name
        self.username = username
        self.allowsPlainHTTP = allowsPlainHTTP
        self.command = command
    }
}

extension ServerConnector {
    /// Prepares a sign-in to a known or a new server.
    ///
    /// Of several accounts at a URL, that of the target's name or user determines the client
    /// certificate.
    ///
    /// - Throws: `ServerError`; nothing is sent.
    package func unverifiedServer(
        for target: SignInTarget, in list: ServerList
    ) async throws(ServerError) -> UnverifiedServer {
        guard let word = target.url ?? target.server else {
            guard !list.servers.isEmpty else { throw .addressMissing(command: target.command) }
            return try await knownServer(list.record(of: nil), for: target, in: list)
        }
        // Without a scheme a word is a known server, else a host.
        if !word.contains("://"), target.url == nil || !list.find(word).isEmpty {
            return try await knownServer(list.record(of: word), for: target, in: list)
        }
        let address = try parse(word)
        let known = list.servers(at: address)
        try list.expectFree(target.name, for: known)
        let allowance = target.allowsPlainHTTP ? try await allowance(for: address.origin) : nil
        try await check(
            address, known.flatMap(\.plainHTTPAllowances) + (allowance.map { [$0] } ?? []),
            command: target.command)
        let own =
            known.first { record in target.name.map(record.isCalled) ?? false }
            ?? known.first { target.username != nil && $0.account?.username == target.username }
            ?? known.first
        let endpoint =
            own?.endpoints.first { $0.hasAddress(address.description) } ?? Endpoint(.local, address)
        return UnverifiedServer(
            name: target.name ?? known.first?.name ?? list.freeName(like: address.origin.host),
            client: try client(for: address, by: endpoint), isNameGiven: target.name != nil,
            isKnown: !known.isEmpty, endpoint: endpoint, allowance: allowance)
    }

    /// Prepares a sign-in to a known server, by any of its endpoints.
    private func knownServer(
        _ record: ServerRecord, for target: SignInTarget, in list: ServerList
    ) async throws(ServerError) -> UnverifiedServer {
        try list.expectFree(target.name, for: [record])
        var record = record
        var allowance: PlainHTTPAllowance?
        if target.allowsPlainHTTP {
            let plain = record.endpoints.lazy.compactMap(\.origin).first { $0.scheme == .http }
            if let plain { allowance = try await self.allowance(for: plain) }
        }
        if let allowance { record.plainHTTPAllowances.append(allowance) }
        var server = try unverifiedServer(record)
        server.name = target.name ?? record.name
        server.isNameGiven = target.name != nil
        server.allowance = allowance
        return server
    }

    /// Prepares a sign-in to a new server by a relay.
    ///
    /// - Throws: `ServerError` for plain http, except on this machine.
    package func unverifiedRelay(
        _ url: String, name: String?
    ) throws(ServerError) -> UnverifiedServer {
        let address = try parse(url)
        guard address.origin.scheme == .https || address.origin.isLoopback else {
            throw .plainRelay(address)
        }
        let endpoint = Endpoint(.relay, address)
        return UnverifiedServer(
            name: name ?? ServerList().freeName(like: address.origin.host),
            client: try client(for: address, by: endpoint), isNameGiven: name != nil,
            endpoint: endpoint)
    }

    /// Prepares a sign-in that an earlier run began, with its proof or the present one of a known
    /// record.
    ///
    /// - Throws: `ServerError`; nothing is sent.
    package func unverifiedServer(
        resuming record: ServerRecord, at endpoint: Endpoint, isNameGiven: Bool,
        in list: ServerList
    ) async throws(ServerError) -> UnverifiedServer {
        let address = try parse(endpoint.address)
        let known = list.servers(at: address)
        try await check(address, (known + [record]).flatMap(\.plainHTTPAllowances))
        let present = list[record.id]
        let endpoints = (present?.endpoints ?? []) + known.flatMap(\.endpoints)
        let settled = endpoints.first { $0.hasAddress(endpoint.address) } ?? endpoint
        return UnverifiedServer(
            name: record.name, client: try client(for: address, by: settled), record: present,
            isNameGiven: isNameGiven, isKnown: !known.isEmpty, endpoint: settled,
            allowance: record.plainHTTPAllowances.first { $0.origin == address.origin })
    }

    /// The permission by `--insecure-http` on this network; nil for https.
    /// - Throws: `ServerError.plainHTTP` while the network is not known.
    private func allowance(
        for origin: Origin
    ) async throws(ServerError) -> PlainHTTPAllowance? {
        guard origin.scheme == .http else { return nil }
        let network = await environment.lookedUpNetwork()
        return try rethrowing(
            PlainHTTPRule.allowance(for: origin, on: network), as: ServerError.plainHTTP)
    }
}

extension ServerList {
    /// Checks that a sign-in can be stored under a name, also by renewing one of the records.
    ///
    /// - Throws: `ServerError` for an invalid name or that of another server.
    package func expectFree(_ name: String?, for records: [ServerRecord]) throws(ServerError) {
        guard let name else { return }
        try rethrowing(expectName(name, for: records.map(\.id)), as: ServerError.account)
    }
}
