/// Counts the sign-ins of all processes, because servers allow few: 5 in 15 minutes, good ones
/// included, for everything on this machine together (backend-facts 0.4).
///
/// ```json
/// {"version": 1, "origins": {"https://home.example": [1795125600000000]}}
/// ```
package struct SignInBudget: Sendable {
    /// Sign-ins of its own accord that argus allows itself; the fifth is left to the person.
    package static let limit = 4
    package static let window = Duration.seconds(900)

    private let place: Paths.Place
    private let sleep: FileLock.Sleep

    /// Keeps the count in `sign-ins.json` in the state folder.
    package init(
        _ place: Paths.Place, sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) }
    ) {
        self.place = place
        self.sleep = sleep
    }

    /// Counts a sign-in that a person asked for, which is never refused here.
    package func count(_ origin: Origin, at now: Timestamp) async {
        _ = await change(origin, now, limit: .max)
    }

    /// Counts a sign-in of our own accord and allows it; false when too many were, or when they
    /// cannot be counted.
    package func admits(_ origin: Origin, at now: Timestamp) async -> Bool {
        await change(origin, now, limit: Self.limit)
    }

    private func change(_ origin: Origin, _ now: Timestamp, limit: Int) async -> Bool {
        guard case .folder(let folder) = place else { return false }
        do throws(FileSystemError) {
            try PrivateFolder.prepare(folder)
            let lock = try await FileLock(
                folder + "/sign-ins.lock", timeout: .seconds(5), sleep: sleep)
            let result = Result { () throws(FileSystemError) in
                try changeLocked(folder + "/sign-ins.json", origin, now, limit)
            }
            lock.release()
            return try result.get()
        } catch {
            return false
        }
    }

    private func changeLocked(
        _ path: String, _ origin: Origin, _ now: Timestamp, _ limit: Int
    ) throws(FileSystemError) -> Bool {
        var origins = try read(path)
        // A clock that was set back leaves times ahead of it: they count no longer than others.
        origins = origins.mapValues { moments in
            moments.filter {
                let age = now - Timestamp(microseconds: $0)
                return age < Self.window && age > .zero - Self.window
            }
        }.filter { !$0.value.isEmpty }
        guard origins[origin.description, default: []].count < limit else { return false }
        origins[origin.description, default: []].append(now.microseconds)
        var object = JSONObject()
        object.put("version", .integer(1))
        object.put("origins", .object(origins.mapValues { .list($0.map(JSONValue.integer)) }))
        try AtomicFile.write(
            object.value.document(.compact), to: path, for: .state, replacing: true)
        return true
    }

    /// The moments counted for each origin; a file that makes no sense is counted anew.
    private func read(_ path: String) throws(FileSystemError) -> [String: [Int64]] {
        do throws(FileSystemError) {
            let bytes = try FileContents(path, trust: .state, limit: 1 << 20).bytes
            return JSONValue(parsing: bytes).flatMap { try? Self.origins($0) } ?? [:]
        } catch {
            guard error.isAbsent else { throw error }
            return [:]
        }
    }

    private static func origins(
        _ state: JSONValue
    ) throws(StateUnreadable) -> [String: [Int64]] {
        var document = try JSONObject(state)
        var origins: [String: [Int64]] = [:]
        var counted = try JSONObject(document.take("origins").required())
        for name in counted.rest.keys {
            for moment in try counted.list(name) ?? [] {
                guard case .integer(let microseconds) = moment else { throw StateUnreadable() }
                origins[name, default: []].append(microseconds)
            }
        }
        return origins
    }
}
