import ArgusAccount
import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusKit
@testable import ArgusPush
@testable import ArgusTransport

/// A queue of one server, which answers from a script.
struct ReplayFixture {
    let folder: TemporaryFolder
    let store: WriteStore
    let seen: SeenVersions
    let transport = FakeTransport()

    init() throws {
        folder = try TemporaryFolder()
        store = try #require(WriteStore(in: .folder(folder.path)))
        seen = try #require(SeenVersions(in: .folder(folder.path)))
    }

    var writes: [QueuedWrite] { store.writes(of: "sz6tejcs").writes }

    func path(_ camera: String) -> String { "/api/v1/cameras/\(camera)" }

    /// Sends what is due, and returns the results with the end of the run.
    func run(
        as user: String = "anna", at now: Timestamp = ManualClock.origin
    ) async throws -> [String] {
        let server = try #require(ServerID("sz6tejcs"))
        let sleep: FileLock.Sleep = { _ in }
        let sender = WriteSender(
            .test(transport), server: server, state: .folder(folder.path), now: { now },
            sleep: sleep, endpoint: { _ in nil })
        let replay = WriteReplay(
            store, by: sender, to: server, as: .init(name: user), now: { now }, sleep: sleep,
            jitter: { 1 })
        let results = MessageLog()
        let end = try await replay.run(timeout: .zero) { write, outcome in
            results.add("\(write.number) \(Self.word(outcome))")
        }
        let word =
            switch end {
            case .complete: "complete"
            case .stopped: "stopped"
            case .busy: "busy"
            }
        return results.all + [word]
    }

    static func word(_ outcome: WriteReplay.Outcome) -> String {
        switch outcome {
        case .sent: "sent"
        case .alreadyDone: "done"
        case .conflict: "conflict"
        case .failed: "failed"
        case .refused: "refused"
        case .otherUser: "other"
        }
    }

    func stub(_ camera: String = "c1", isEnabled: Bool, changed: String = "2026-01-01T00:00:00Z") {
        transport.stub(
            .get, path(camera),
            body: "{\"id\":\"\(camera)\",\"is_enabled\":\(isEnabled),"
                + "\"updated_at\":\"\(changed)\"}")
    }

    /// Adds a write over what was seen last, if anything was.
    func add(_ write: QueueableWrite, over values: [String: JSONValue] = [:]) async throws {
        if !values.isEmpty { seen.note(values, of: write.object, at: "sz6tejcs") }
        _ = try await store.add(.sample(write))
    }

    /// Adds a write of a camera, over what was seen last.
    func add(_ isOn: Bool, over wasOn: Bool? = nil, camera: String = "c1") async throws {
        try await add(
            .camera(SetCameraEnabled(camera: camera, isOn: isOn)),
            over: wasOn.map { ["enabled": .bool($0)] } ?? [:])
    }

    /// Adds a write of the sound of a device, over a sound that is on.
    func addSound() async throws {
        var change = PushPreferencesChange()
        change.hasSound = false
        try await add(
            .preferences(SetPreferences(.device("d"), change)), over: ["sound": .bool(true)])
    }

    static let preferences = "/api/v1/push/mobile/preferences"

    func stubPreferences(_ method: HTTPRequest.Method = .post, sound: Bool) {
        transport.stub(
            method, Self.preferences, body: "{\"timezone\":\"UTC\",\"sound_enabled\":\(sound)}")
    }
}
