package import ArgusCore

/// Counts the sign-ins of all processes, because servers allow this machine only 5 in 15 minutes,
/// successful ones included (docs/compatibility.md, trap 10).
///
/// ```json
/// {"version": 1, "origins": {"https://home.example": [1795125600000000]}}
/// ```
package struct SignInBudget: Sendable {
    /// The number of sign-ins that argus makes on its own; the fifth is left to the user.
    package static let limit = 4
    package static let window = Duration.seconds(900)

    private let folder: Paths.Folder
    private let sleep: FileLock.Sleep

    /// Keeps the count in `sign-ins.json` in the state folder.
    package init(
        _ folder: Paths.Folder, sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) }
    ) {
        self.folder = folder
        self.sleep = sleep
    }

    /// Counts a sign-in that the user requested, which is never refused here.
    package func count(_ origin: Origin, at now: Timestamp) async {
        _ = await change(origin, now, limit: .max)
    }

    /// Counts a sign-in that argus makes on its own; false if there were too many, or if they cannot
    /// be counted.
    package func admits(_ origin: Origin, at now: Timestamp) async -> Bool {
        await change(origin, now, limit: Self.limit)
    }

    private func change(_ origin: Origin, _ now: Timestamp, limit: Int) async -> Bool {
        guard let path = folder.file("sign-ins.json") else { return false }
        let file = StateFile<Counts>(path, for: .state)
        do throws(FileSystemError) {
            return try await folder.withLock(
                "sign-ins.lock", timeout: .seconds(5), sleep: sleep,
                unlocked: { error throws(FileSystemError) in throw error }
            ) { () throws(FileSystemError) in
                // A malformed file counts as empty.
                var counts = Counts()
                if case .value(let known) = try file.read() { counts = known }
                guard counts.add(origin, now, limit: limit) else { return false }
                try file.write(counts)
                return true
            }
        } catch {
            return false
        }
    }
}

extension StateEnvironment {
    /// The shared count of sign-ins.
    package var budget: SignInBudget { SignInBudget(folder, sleep: sleep) }
}

/// The moments of sign-ins, in microseconds, by origin.
private struct Counts: StateDocument {
    private var origins: [String: [Int64]] = [:]

    init() {}

    init(state: JSONValue) throws(StateUnreadable) {
        var document = try JSONObject(document: state)
        var counted = try JSONObject(document.take("origins").required())
        for name in counted.rest.keys {
            for moment in try counted.list(name) ?? [] {
                guard case .integer(let microseconds) = moment else { throw StateUnreadable() }
                origins[name, default: []].append(microseconds)
            }
        }
    }

    var state: JSONValue {
        var document = JSONObject.document()
        document.put("origins", .object(origins.mapValues { .list($0.map(JSONValue.integer)) }))
        return document.value
    }

    /// Counts a sign-in; false if there were as many as allowed.
    mutating func add(_ origin: Origin, _ now: Timestamp, limit: Int) -> Bool {
        // A clock that was set back leaves times ahead of it: they count no longer than others.
        origins = origins.mapValues { moments in
            moments.filter {
                let age = now - Timestamp(microseconds: $0)
                return age < SignInBudget.window && age > .zero - SignInBudget.window
            }
        }.filter { !$0.value.isEmpty }
        guard origins[origin.description, default: []].count < limit else { return false }
        origins[origin.description, default: []].append(now.microseconds)
        return true
    }
}
