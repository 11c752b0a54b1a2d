import ArgusTestSupport
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("ServerDirectory")
struct ServerDirectoryTests {
    /// Collects what a directory reports.
    private final class Notices: Sendable {
        private let kept = Mutex<[ServerDirectory.Notice]>([])
        var all: [ServerDirectory.Notice] { kept.withLock { $0 } }
        func add(_ notice: ServerDirectory.Notice) { kept.withLock { $0.append(notice) } }
    }

    private func record(_ name: String) -> ServerRecord {
        var record = ServerRecord(
            name: name,
            endpoints: [
                Endpoint(.local, "https://192.168.1.5:8443", proof: .pin("AAAA=")),
                Endpoint(.relay, "https://relay.example", proof: .publicCertificate),
            ], addedAt: Timestamp(seconds: 1_795_125_600))
        record.plainHTTPAllowances = [
            PlainHTTPAllowance(
                origin: Origin(scheme: .http, host: "192.168.1.5", port: 8000),
                gatewayMAC: "aa:bb:cc:dd:ee:ff"),
            PlainHTTPAllowance(
                origin: Origin(scheme: .http, host: "fe80::1%eth0", port: 8000), gatewayMAC: nil),
        ]
        record.account = ServerAccount(kind: .apiKey, username: "admin", userID: "u-1")
        record.knowledge.generations = ["events.list": "current"]
        record.knowledge.serverVersion = "2.1"
        record.knowledge.learntAt = Timestamp(microseconds: 1_795_125_600_123_456)
        record.clockOffset = .milliseconds(-1500)
        return record
    }

    private func directory(_ path: String, _ notices: Notices) -> ServerDirectory {
        ServerDirectory(.folder(path)) { notices.add($0) }
    }

    @Test("what was added is read back whole, from a private file")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let notices = Notices()
        let home = record("home")
        let path = folder.file("state/argus")
        try await directory(path, notices).update { list throws(AccountError) in
            try list.add(home)
        }
        let list = try directory(path, notices).load()
        #expect(list.servers == [home])
        #expect(list.defaultServer == home)
        #expect(notices.all.isEmpty)
        #expect(try permissions(path) == 0o700)
        #expect(try permissions(path + "/servers.json") == 0o600)
    }

    @Test("a first load finds nothing and makes nothing")
    func firstLoad() throws {
        let folder = try TemporaryFolder()
        let notices = Notices()
        #expect(try directory(folder.file("argus"), notices).load() == ServerList())
        #expect(try folder.names() == [])
    }

    @Test("members and records of a newer argus survive a change")
    func keepsUnknown() async throws {
        let folder = try TemporaryFolder()
        let notices = Notices()
        let document = """
            {"version":1,"theme":{"a":[1,2.5,null,true]},"default":"abcd1111","servers":[
            {"id":"abcd1111","name":"home","colour":"red","added_at_us":5,
             "ways":[{"kind":"local","address":"https://h","proof":"public","hint":"x"}],
             "account":{"kind":"token","tier":3},"knowledge":{"mood":"good"}},
            {"id":"abcd2222","name":"odd","ways":[{"kind":"tunnel","address":"q","proof":"z"}]}]}
            """
        try folder.plant(document, "servers.json")
        try await directory(folder.path, notices).update { list throws(AccountError) in
            try list.change(try list.id(of: "home")) { $0.name = "casa" }
        }
        let text = try folder.text("servers.json")
        let written = JSONValue(parsing: Array(text.utf8))
        let expected = document.replacing("\"home\"", with: "\"casa\"")
        guard case .object(let members) = written, case .list(let servers)? = members["servers"],
            case .object(let first) = servers[0], case .object(let knowledge)? = first["knowledge"]
        else {
            Issue.record("another shape: \(text)")
            return
        }
        let original = JSONValue(parsing: Array(expected.utf8))
        guard case .object(let before) = original, case .list(let oldServers)? = before["servers"]
        else { return }
        #expect(members["theme"] == before["theme"])
        #expect(first["colour"] == .text("red"))
        #expect(first["name"] == .text("casa"))
        #expect(knowledge["mood"] == .text("good"))
        #expect(text.contains("\"hint\": \"x\"") && text.contains("\"tier\": 3"))
        #expect(servers[1] == oldServers[1])
        #expect(notices.all == [.unreadableRecords(1)])
    }

    @Test("a damaged file is reported by load, set aside by a change, and blocks neither")
    func setsDamagedAside() async throws {
        let folder = try TemporaryFolder()
        let notices = Notices()
        let path = try folder.plant("{\"version\":1,\"serv", "servers.json")
        try folder.plant("older", "servers.json.damaged-1")
        let directory = directory(folder.path, notices)
        #expect(try directory.load().servers.isEmpty)
        #expect(notices.all == [.damaged(path: path)])
        let home = record("home")
        try await directory.update { list throws(AccountError) in try list.add(home) }
        #expect(notices.all.last == .setAside(path: path + ".damaged-2"))
        #expect(try folder.text("servers.json.damaged-2") == "{\"version\":1,\"serv")
        #expect(try folder.text("servers.json.damaged-1") == "older")
        #expect(try directory.load().servers == [home])
    }

    @Test("a layout of a newer argus is left alone")
    func leavesNewerVersion() async throws {
        let folder = try TemporaryFolder()
        let notices = Notices()
        let path = try folder.plant("{\"version\":2,\"servers\":{}}", "servers.json")
        let directory = directory(folder.path, notices)
        #expect(throws: AccountError.newerServerList(path: path)) { try directory.load() }
        let home = record("home")
        await #expect(throws: AccountError.newerServerList(path: path)) {
            try await directory.update { list throws(AccountError) in try list.add(home) }
        }
        #expect(try folder.text("servers.json") == "{\"version\":2,\"servers\":{}}")
    }

    @Test("a refused change writes nothing")
    func refusedChange() async throws {
        let folder = try TemporaryFolder()
        let notices = Notices()
        let bad = record("no name")
        await #expect(throws: AccountError.invalidName("no name")) {
            try await directory(folder.path, notices).update { list throws(AccountError) in
                try list.add(bad)
            }
        }
        #expect(try folder.names() == ["servers.lock"])
    }

    @Test(
        "without a state folder nothing changes, not even for the run, and the reason is reported")
    func withoutFolder() async throws {
        let notices = Notices()
        let directory = ServerDirectory(.none(reason: "no home")) { notices.add($0) }
        let home = record("home")
        await #expect(throws: AccountError.noStateFolder(reason: "no home")) {
            try await directory.update { list throws(AccountError) in try list.add(home) }
        }
        #expect(throws: AccountError.noStateFolder(reason: "no home")) {
            try directory.expectWritable()
        }
        #expect(try directory.load() == ServerList())
        #expect(notices.all.isEmpty)
    }

    @Test("a folder that cannot be written is named, and nothing counts as changed")
    func unwritableFolder() async throws {
        let notices = Notices()
        // Nobody may make folders in sysfs, root included.
        let directory = directory("/sys/argus", notices)
        let home = record("home")
        let error = await #expect(throws: AccountError.self) {
            try await directory.update { list throws(AccountError) in try list.add(home) }
        }
        #expect(error?.description.hasPrefix("nothing can be stored in '/sys/argus': ") == true)
        #expect(throws: try #require(error)) { try directory.expectWritable() }
        #expect(try directory.load() == ServerList())
        #expect(notices.all.isEmpty)
    }

    @Test("changes of many writers are never lost")
    func manyWriters() async throws {
        let folder = try TemporaryFolder()
        let notices = Notices()
        let path = folder.path
        let failures = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for number in 0..<24 {
                let new = record("server-\(number)")
                group.addTask {
                    let directory = ServerDirectory(.folder(path)) { notices.add($0) }
                    let done: Void? = try? await directory.update { list throws(AccountError) in
                        try list.add(new)
                    }
                    return done != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
        }
        #expect(failures == 0)
        #expect(try directory(path, notices).load().servers.count == 24)
        #expect(notices.all.isEmpty)
    }

    @Test("a linked servers.json is refused")
    func refusesLink() throws {
        let folder = try TemporaryFolder()
        try folder.plant("{}", "elsewhere")
        let path = folder.file("servers.json")
        try #require(symlink(folder.file("elsewhere"), path) == 0)
        let notices = Notices()
        #expect(throws: AccountError.serverListFile(FileSystemError(.read, path, .symbolicLink))) {
            try directory(folder.path, notices).load()
        }
    }
}

extension ServerList {
    fileprivate func id(of name: String) throws(AccountError) -> ServerID {
        guard let record = find(name).only else { throw .invalidName(name) }
        return record.id
    }
}
