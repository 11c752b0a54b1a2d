package import ArgusAccount
package import ArgusCore
import Glibc

/// The problems of a server's cameras that earlier runs have reported, so that each is reported once.
///
/// ```json
/// {"version": 1, "problems": {"7323d311-…": "server_error"}}
/// ```
package struct CameraProblems: StateDocument, Equatable {
    /// The difference between a problem and that of the last run.
    package enum Change: Sendable {
        case same, began, ended
    }

    /// A word for each problem, by the camera's id.
    private var words: [String: String] = [:]

    package init() {}

    package init(state: JSONValue) throws(StateUnreadable) {
        var document = try JSONObject(document: state)
        var problems = try JSONObject(document.take("problems").required())
        for id in problems.rest.keys { words[id] = try problems.text(id) }
    }

    package var state: JSONValue {
        var document = JSONObject.document()
        document.put("problems", .object(words.mapValues(JSONValue.text)))
        return document.value
    }

    /// Records the problem of a camera, or nil for none; another problem than before has begun.
    package mutating func record(_ problem: String?, of camera: String) -> Change {
        let known = words[camera]
        words[camera] = problem
        if known == problem { return .same }
        return problem == nil ? .ended : .began
    }

    /// Forgets all cameras but these.
    package mutating func keep(_ cameras: Set<String>) {
        words = words.filter { cameras.contains($0.key) }
    }

    /// The file of a server, by the id of its record; nil without a state folder.
    package static func file(of server: String, in state: Paths.Folder) -> StateFile<Self>? {
        state.file("snapshots/\(server).json").map { StateFile($0, for: .state) }
    }

    /// Removes the file of a server.
    package static func forget(_ server: String, in state: Paths.Folder) {
        if let file = file(of: server, in: state) { unlink(file.path) }
    }
}
