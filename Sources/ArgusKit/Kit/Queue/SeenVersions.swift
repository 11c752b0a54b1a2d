package import ArgusAccount
package import ArgusCore
import Glibc

/// The states of objects that this user has last seen at servers: what a waiting write may replace.
///
/// Code that reads or changes an object notes its members here, in a file for each server and kind
/// of object. No clock is compared, and nothing depends on the file but safety: a state that was not
/// noted, or was lost, makes a later write a conflict unless the server has what it wants. So
/// writing takes no lock: every list of cameras would wait for it. Of two notes at once one may be lost.
package struct SeenVersions: Sendable {
    /// The most objects of a kind; the oldest ones are forgotten first.
    private static let countLimit = 256
    private static let sizeLimit = 1 << 23

    private let folder: String

    /// Names the folder, which the first state makes; nil if nothing can be kept.
    package init?(in state: Paths.Folder) {
        guard let folder = state.file("seen") else { return nil }
        self.folder = folder
    }

    /// The members of an object, such as `camera c1`, that were seen at a server.
    package func values(of object: String, at server: String) -> [String: JSONValue] {
        objects(Self.kind(of: object), at: server).last { $0.name == object }?.values ?? [:]
    }

    /// The objects of a kind, such as `camera`.
    package func objects(_ kind: String, at server: String) -> [SeenObject] {
        file(kind, at: server).value?.objects ?? []
    }

    /// Notes members of an object; others stay as they were seen.
    ///
    /// Without a note a later write is safe, so failures are ignored.
    package func note(_ values: [String: JSONValue], of object: String, at server: String) {
        let seen = SeenObject(name: object, values: values)
        note(merging: [seen], of: Self.kind(of: object), at: server)
    }

    /// Notes members of objects of a kind; other members and objects stay as they were seen.
    func note(merging new: [SeenObject], of kind: String, at server: String) {
        guard !new.isEmpty else { return }
        var objects = objects(kind, at: server)
        for object in new {
            if let index = objects.firstIndex(where: { $0.name == object.name }) {
                objects[index].values.merge(object.values) { $1 }
            } else {
                objects.append(object)
            }
        }
        note(all: objects, of: kind, at: server)
    }

    /// Notes all objects of a kind in place of those that were known.
    ///
    /// Long ones count as never seen.
    package func note(all objects: [SeenObject], of kind: String, at server: String) {
        let kept = objects.filter { $0.state.isShort }
        let file = file(kind, at: server)
        let new = SeenObjects(objects: Array(kept.suffix(Self.countLimit)))
        // Most runs see what the last one saw, and reading costs a fraction of writing.
        guard file.value != new else { return }
        try? file.write(new)
        // What killed processes have left; reads would not see it, and writes are rare.
        AbandonedFiles.sweep("\(folder)/\(server)")
    }

    /// Forgets everything of a server.
    package func erase(_ server: String) {
        for name in FolderNames.all(in: "\(folder)/\(server)") {
            unlink("\(folder)/\(server)/\(name)")
        }
        rmdir("\(folder)/\(server)")
    }

    /// The first word of an object's name.
    private static func kind(of object: String) -> String { String(object.prefix { $0 != " " }) }

    private func file(_ kind: String, at server: String) -> StateFile<SeenObjects> {
        StateFile("\(folder)/\(server)/\(kind).json", for: .cache, sizeLimit: Self.sizeLimit)
    }
}

/// An object of a server, by the name of `QueueableWrite.object`, with the members that were seen.
package struct SeenObject: Hashable, Sendable {
    package var name: String
    package var values: [String: JSONValue]

    /// The object's own id: its name without the kind.
    package var id: String { String(name.drop { $0 != " " }.dropFirst()) }

    /// The member `name` or another text, such as the other id of a device.
    package func text(_ member: String) -> String? {
        if case .text(let text) = values[member] { text } else { nil }
    }
}

/// The document of the objects of a kind.
///
///     {"version":1,"objects":[{"object":"camera c1","values":{"enabled":true,"name":"Garage"}}]}
private struct SeenObjects: Equatable {
    var objects: [SeenObject]
}

extension SeenObjects: StateDocument {
    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        objects = try object.list("objects").required().map(SeenObject.init(state:))
    }

    var state: JSONValue {
        var object = JSONObject.document()
        object.put("objects", .list(objects.map(\.state)))
        return object.value
    }
}

extension SeenObject: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        name = try object.text("object").required()
        values = try JSONObject(try object.take("values").required()).rest
    }

    package var state: JSONValue {
        var object = JSONObject()
        object.put("object", .text(name))
        object.put("values", .object(values))
        return object.value
    }
}
