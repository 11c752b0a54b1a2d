import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit

// Names that a command finds without the server, for writes that wait.
extension CompletionCache {
    /// The id of an event by itself or by a unique prefix of a cached one, which is no shorter than
    /// with the server; nil if it is unknown.
    func eventID(_ word: String) -> String? {
        let found = NameLookup.find(word, in: events, id: \.id, name: { _ in nil })
        if let event = found.only,
            word.count >= EventService.shortestPrefix || event.id.lowercased() == word.lowercased()
        {
            return event.id
        }
        return word.isUUID ? word.lowercased() : nil
    }
}

extension [SeenObject] {
    /// The camera or device with a name, either id, or the start of its id; nil if none was seen.
    func offline(_ word: String, _ thing: NamedThing) throws(Failure) -> SeenObject? {
        if let own = first(where: { $0.text("device_id")?.lowercased() == word.lowercased() }) {
            return own
        }
        let found = NameLookup.find(word, in: self, id: \.id, name: { $0.text("name") })
        if found.isEmpty { return nil }
        return try found.expectOne(word, thing) { "\($0.id) (\($0.text("name") ?? "unnamed"))" }
    }
}

// The objects that commands have seen at a server.
extension Context {
    /// The cameras or devices of a server, as they were last seen.
    func seen(_ kind: String, on server: SignedInServer) -> [SeenObject] {
        guard let id = server.record?.id else { return [] }
        return SeenVersions(in: system.paths.state)?.objects(kind, at: id.text) ?? []
    }

    /// The names of cameras as commands have seen them at any known server, else their ids.
    func seenCameraNames(_ ids: [String]) -> [String] {
        guard !ids.isEmpty, let seen = SeenVersions(in: system.paths.state) else { return ids }
        let servers = (try? directory.load())?.servers ?? []
        let known = servers.flatMap { seen.objects("camera", at: $0.id.text) }
        return ids.map { id in known.first { $0.id == id }?.text("name") ?? id }
    }

    /// Notes what a command has seen, so that a later write may wait without the server.
    func note(on server: SignedInServer, _ work: (SeenVersions, ServerID) -> Void) {
        guard let id = server.record?.id, let seen = SeenVersions(in: system.paths.state) else {
            return
        }
        work(seen, id)
    }

    /// Keeps the names of all cameras for TAB, and their settings for writes that wait.
    func remember(_ cameras: [Camera], of server: SignedInServer) {
        cache(for: server)?.remember(cameras: cameras)
        note(on: server) { $0.note(cameras, at: $1) }
    }

    /// Keeps the names of all devices for TAB and for writes that wait.
    func remember(_ devices: [Device], of server: SignedInServer) {
        cache(for: server)?.remember(devices: devices)
        note(on: server) { $0.note(devices, at: $1) }
    }
}
