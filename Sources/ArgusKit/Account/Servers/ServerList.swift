package import ArgusCore

/// The records of all known servers.
package struct ServerList: Hashable, Sendable, StateDocument {
    package private(set) var servers: [ServerRecord] = []
    /// The server of `server use`.
    package private(set) var defaultID: ServerID?
    /// Records that this version cannot read; preserved as they are.
    var unreadableRecords: [JSONValue] = []
    var unknownMembers: [String: JSONValue] = [:]

    package init() {}

    /// The record of an id.
    package subscript(id: ServerID) -> ServerRecord? { servers.first { $0.id == id } }

    /// The server if none is named: the one of `server use`, else the only one.
    package var defaultServer: ServerRecord? {
        defaultID.flatMap { self[$0] } ?? servers.only
    }

    /// Finds servers by address (a word with `://`), else by id or name as `NameLookup` does.
    package func find(_ word: String) -> [ServerRecord] {
        word.contains("://")
            ? servers.filter { $0.endpoints.contains { $0.hasAddress(word) } }
            : NameLookup.find(word, in: servers, id: \.id.text, name: \.name)
    }

    /// The records of an address, one for each account.
    package func servers(at address: ServerAddress) -> [ServerRecord] {
        find(address.description)
    }

    /// Adds a record; the first one becomes the default.
    ///
    /// - Throws: `.invalidName` or `.nameTaken`.
    package mutating func add(_ record: ServerRecord) throws(AccountError) {
        try expectName(record.name, for: [record.id])
        servers.removeAll { $0.id == record.id }
        servers.append(record)
        if defaultID == nil { defaultID = record.id }
    }

    /// Changes a record but its id.
    ///
    /// - Throws: `.unknownServer` if another process has removed it, `.invalidName` or `.nameTaken`.
    package mutating func change(
        _ id: ServerID, _ change: (inout ServerRecord) -> Void
    ) throws(AccountError) {
        guard let index = servers.firstIndex(where: { $0.id == id }) else {
            throw .unknownServer(id)
        }
        var record = servers[index]
        change(&record)
        record.id = id
        try expectName(record.name, for: [id])
        servers[index] = record
    }

    /// Removes and returns a record, whose secrets the caller must erase.
    ///
    /// - Throws: `.unknownServer`.
    @discardableResult
    package mutating func remove(_ id: ServerID) throws(AccountError) -> ServerRecord {
        guard let index = servers.firstIndex(where: { $0.id == id }) else {
            throw .unknownServer(id)
        }
        if defaultID == id { defaultID = nil }
        return servers.remove(at: index)
    }

    /// Makes a record the default.
    ///
    /// - Throws: `.unknownServer`.
    package mutating func use(_ id: ServerID) throws(AccountError) {
        guard self[id] != nil else { throw .unknownServer(id) }
        defaultID = id
    }

    /// The wanted name or, if it is illegal or taken, one with its legal characters and a number.
    package func freeName(like wanted: String, for id: ServerID? = nil) -> String {
        let own = id.map { [$0] } ?? []
        if isName(wanted), !isTaken(wanted, besides: own) { return wanted }
        var base = String(wanted.map { Self.isLegal($0) ? $0 : "-" }.prefix(60))
        if base.isEmpty || !isName(base) { base = "server" }
        guard isTaken(base, besides: own) else { return base }
        var number = 2
        while isTaken("\(base)-\(number)", besides: own) { number += 1 }
        return "\(base)-\(number)"
    }

    /// Checks that a name is legal, and that no other server has it.
    ///
    /// - Throws: `.invalidName` or `.nameTaken`.
    package func expectName(_ name: String, for ids: [ServerID]) throws(AccountError) {
        guard isName(name) else { throw .invalidName(name) }
        guard !isTaken(name, besides: ids) else { throw .nameTaken(name) }
    }

    private func isTaken(_ name: String, besides ids: [ServerID]) -> Bool {
        servers.contains { !ids.contains($0.id) && $0.isCalled(name) }
    }

    private func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.allSatisfy(Self.isLegal)
            && !name.hasPrefix("-")
    }

    private static func isLegal(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
    }

    /// Reads the document of `servers.json`, except for damaged records.
    ///
    /// - Throws: `StateUnreadable` for another document.
    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        defaultID = try object.text("default").map { word throws(StateUnreadable) in
            try ServerID(word).required()
        }
        for element in try object.list("servers").required() {
            if let record = try? ServerRecord(state: element) {
                servers.append(record)
            } else {
                unreadableRecords.append(element)
            }
        }
        unknownMembers = object.rest
    }

    package var state: JSONValue {
        var object = JSONObject.document(unknownMembers)
        object.put("default", defaultID?.text)
        object.put("servers", .list(servers.map(\.state) + unreadableRecords))
        return object.value
    }
}
