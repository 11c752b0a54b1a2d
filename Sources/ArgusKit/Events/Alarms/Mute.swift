package import ArgusAccount
package import ArgusCore

/// A time without alarms, for this user on this machine and one server.
package struct Mute: Sendable, Equatable {
    /// Its number in lists, from 1.
    package var number: Int
    /// The id of the server's record.
    package var server: String
    package var from: Timestamp
    package var until: Timestamp
    /// The id of the only camera that is muted; nil for all.
    package var cameraID: String?
    package var cameraName: String?
    /// The only type that is muted; nil for all.
    package var type: String?
    package var reason: String?

    package init(
        number: Int = 0, server: String, from: Timestamp, until: Timestamp,
        cameraID: String? = nil, cameraName: String? = nil, type: String? = nil,
        reason: String? = nil
    ) {
        (self.number, self.server, self.from, self.until) = (number, server, from, until)
        (self.cameraID, self.cameraName) = (cameraID, cameraName)
        (self.type, self.reason) = (type, reason)
    }

    /// Returns true while it lasts; also just before it, where the clock was set back by less than its
    /// length since.
    package func isActive(at now: Timestamp) -> Bool {
        from - (until - from) < now && now < until
    }

    /// Returns true for an event that it silences: one that is taken up while it lasts, or was captured
    /// then and comes late.
    package func covers(_ event: Event, at now: Timestamp) -> Bool {
        if let cameraID, event.cameraID != cameraID { return false }
        if let type, !event.isOfType(type) { return false }
        // A time in the future is that of a wrong clock.
        let captured = min(event.timestamp ?? now, now)
        return isActive(at: now) || from <= captured && captured < until
    }

    /// Its reason, else what is muted.
    package var title: String { reason ?? scope }

    /// What is muted, in words: `person on Front Door`, or `everything`.
    package var scope: String {
        let camera = cameraID.map { "on \(cameraName ?? $0)" }
        let words = [type, camera].compactMap(\.self)
        if words.isEmpty { return "everything" }
        return (type == nil ? "everything " : "") + words.joined(separator: " ")
    }
}

/// The times without alarms, kept in one file of the state folder.
package struct MuteStore: Sendable {
    /// The longest wait for another process to change them.
    private static let timeout = Duration.seconds(10)
    /// The time for which a mute that has ended still counts for events that come late.
    private static let lateness = Duration.seconds(7 * 86_400)

    private let folder: Paths.Folder

    package init(in state: Paths.Folder) { folder = state }

    /// All of them that may still count, by number.
    /// - Throws: `AccountError` if the file cannot be read.
    package func all() throws(AccountError) -> [Mute] {
        guard let file else { return [] }
        return try rethrowing(Self.read(file), as: AccountError.storeFile).mutes
    }

    /// Adds a mute, with the next number, and returns it.
    /// - Throws: `AccountError`.
    package func add(_ mute: Mute) async throws(AccountError) -> Mute {
        try await change { mutes in
            var mute = mute
            mute.number = (mutes.map(\.number).max() ?? 0) + 1
            mutes.append(mute)
            return mute
        }
    }

    /// Ends those that are active and of which `isChosen` returns true, and returns them.
    /// - Throws: `AccountError`.
    package func end(
        at now: Timestamp, where isChosen: (Mute) -> Bool
    ) async throws(AccountError) -> [Mute] {
        try await change { mutes in
            var ended: [Mute] = []
            for index in mutes.indices
            where mutes[index].isActive(at: now) && isChosen(mutes[index]) {
                mutes[index].until = now
                ended.append(mutes[index])
            }
            mutes.removeAll { $0.until + Self.lateness < now }
            return ended
        }
    }

    private var file: StateFile<MuteDocument>? {
        folder.file("mutes.json").map { StateFile($0, for: .state) }
    }

    private static func read(
        _ file: StateFile<MuteDocument>
    ) throws(FileSystemError) -> MuteDocument {
        if case .value(let document) = try file.read() { document } else { MuteDocument() }
    }

    private func change<Value>(
        _ change: (inout [Mute]) -> Value
    ) async throws(AccountError) -> Value {
        try await folder.withLock(
            "mutes.lock", timeout: Self.timeout,
            unlocked: { error throws(AccountError) in throw .storeFile(error) }
        ) { () async throws(AccountError) in
            guard let file else {
                var none: [Mute] = []
                return change(&none)
            }
            do throws(FileSystemError) {
                var document = try Self.read(file)
                let value = change(&document.mutes)
                try file.write(document)
                return value
            } catch {
                throw .storeFile(error)
            }
        }
    }
}

/// The file of mutes.
///
///     {"version":1,"mutes":[{"number":1,"server":"sz6tejcs","from":"…","until":"…",
///      "camera_id":"7323d311-…","camera_name":"Front Door","type":"person","reason":"party"}]}
struct MuteDocument: StateDocument {
    var mutes: [Mute] = []

    init() {}

    init(state: JSONValue) throws(StateUnreadable) {
        var document = try JSONObject(document: state)
        mutes = try document.list("mutes").required().map { value throws(StateUnreadable) in
            var object = try JSONObject(value)
            return Mute(
                number: Int(clamping: try object.integer("number").required()),
                server: try object.text("server").required(),
                from: try object.time("from").required(),
                until: try object.time("until").required(),
                cameraID: try object.text("camera_id"), cameraName: try object.text("camera_name"),
                type: try object.text("type"), reason: try object.text("reason"))
        }
    }

    var state: JSONValue {
        var document = JSONObject.document()
        document.put(
            "mutes",
            .list(
                mutes.map { mute in
                    var object = JSONObject()
                    object.put("number", .integer(Int64(mute.number)))
                    object.put("server", mute.server)
                    object.put("from", mute.from)
                    object.put("until", mute.until)
                    object.put("camera_id", mute.cameraID)
                    object.put("camera_name", mute.cameraName)
                    object.put("type", mute.type)
                    object.put("reason", mute.reason)
                    return object.value
                }))
        return document.value
    }
}
