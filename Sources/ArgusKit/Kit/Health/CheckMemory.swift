package import ArgusAccount
package import ArgusCore
import ArgusEvents
import Glibc

/// What checks of a server remember from one run to the next.
///
/// ```json
/// {"version": 1, "activity": {…}, "states": {"camera Garage": "fail"},
///  "pictures": {"7323d311-…": {"sha256": "9f86…", "since": "2026-11-26T10:00:00.000000Z"}},
///  "archive": {"last": "2026-11-26T10:00:00.000000Z", "interval": 600}}
/// ```
package struct CheckMemory: StateDocument, Equatable {
    /// A picture, by its checksum in hexadecimal, and since when the camera sends it.
    struct Picture: Equatable {
        var sha256: String
        var since: Timestamp
    }

    package var activity = HouseActivity()
    /// The states that the last run reported, by the names of the results.
    private var states: [String: String] = [:]
    /// The last pictures by the camera's id.
    var pictures: [String: Picture] = [:]
    /// The last sync of the archive, and the seconds between it and the one before.
    private var lastSync: Timestamp?
    private var syncInterval: Int64?

    package init() {}

    /// Takes what a run has read.
    package mutating func learn(_ readings: HouseReadings) {
        activity = readings.activity
        for case (let id, .success(let picture)) in readings.pictures {
            pictures[id] = Picture(sha256: picture.sha256, since: picture.since)
        }
    }

    /// Notes the last sync of an archive, and returns it with the usual time between two.
    package mutating func note(sync last: Timestamp?) -> LocalReadings.Sync {
        if let last, let lastSync, last > lastSync {
            // A sync by hand, soon after that of a timer, does not make the next one late.
            let usual = syncInterval ?? 86400
            syncInterval = max((last - lastSync).components.seconds, usual / 2)
        }
        lastSync = last ?? lastSync
        return LocalReadings.Sync(last: last, interval: syncInterval.map { .seconds($0) })
    }

    /// Records the states of a run, and returns the results whose state is another than before; a
    /// check that was not made before was ok.
    ///
    /// `complete` are the checks that were made of the whole house: what they found before, and find no
    /// more, has ended.
    package mutating func changes(
        in results: [CheckResult], complete: Set<CheckName>
    ) -> [CheckResult] {
        let ok = CheckResult.State.ok.rawValue
        var seen: Set<String> = []
        var changed = results.filter { result in
            // The first is the worst of several cameras of one name.
            guard seen.insert(result.name).inserted else { return false }
            let known = states.updateValue(result.state.rawValue, forKey: result.name)
            return (known ?? ok) != result.state.rawValue
        }
        let incomplete = results.filter {
            $0.isOfSeveral || $0.state == .unknown && $0.subject == nil
        }
        let judged = complete.subtracting(incomplete.map(\.check))
        for (name, state) in states.sorted(by: { $0.key < $1.key }) where !seen.contains(name) {
            let words = name.split(separator: " ", maxSplits: 1).map(String.init)
            guard let check = words.first.flatMap(CheckName.init(rawValue:)), judged.contains(check)
            else {
                continue
            }
            states[name] = nil
            guard state != ok else { continue }
            changed.append(CheckResult(.ok, check, words.dropFirst().first, "no longer found"))
        }
        return changed
    }

    /// The file of a server, by the id of its record; nil without a state folder.
    package static func file(of server: String, in state: Paths.Folder) -> StateFile<Self>? {
        state.file("check/\(server).json").map {
            StateFile($0, for: .state, sizeLimit: 16 << 20)
        }
    }

    /// Removes the file of a server.
    package static func forget(_ server: String, in state: Paths.Folder) {
        if let file = file(of: server, in: state) { unlink(file.path) }
    }
}

extension CheckMemory {
    package init(state: JSONValue) throws(StateUnreadable) {
        var document = try JSONObject(document: state)
        activity = try HouseActivity(state: document.take("activity").required())
        let states = try JSONObject(document.take("states").required())
        for case (let name, .text(let word)) in states.rest { self.states[name] = word }
        let pictures = try JSONObject(document.take("pictures").required())
        for (id, value) in pictures.rest {
            var picture = try JSONObject(value)
            self.pictures[id] = Picture(
                sha256: try picture.text("sha256").required(),
                since: try picture.time("since").required())
        }
        guard let value = document.take("archive") else { return }
        var archive = try JSONObject(value)
        lastSync = try archive.time("last")
        syncInterval = try archive.integer("interval").flatMap { $0 > 0 ? $0 : nil }
    }

    package var state: JSONValue {
        var document = JSONObject.document()
        document.put("activity", activity.state)
        document.put("states", .object(states.mapValues(JSONValue.text)))
        document.put(
            "pictures",
            .object(
                pictures.mapValues { picture in
                    var object = JSONObject()
                    object.put("sha256", picture.sha256)
                    object.put("since", picture.since)
                    return object.value
                }))
        var archive = JSONObject()
        archive.put("last", lastSync)
        archive.put("interval", syncInterval.map { JSONValue.integer($0) })
        document.put("archive", archive.value)
        return document.value
    }
}
