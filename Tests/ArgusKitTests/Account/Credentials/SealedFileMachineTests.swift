import ArgusAccount
import ArgusCore
import ArgusTestSupport
import Synchronization
import Testing

@Suite("sealed files and the machine that they are bound to")
struct SealedFileMachineTests {
    private let server = ServerID.random()
    private let other = ServerID.random()
    private let session = SealedFiles.session

    @Test("a copied home folder holds no sign-in, and a new sign-in there works")
    func boundToMachine() async throws {
        let folder = try TemporaryFolder()
        let elsewhere = "ffffffffffffffffffffffffffffffff"
        try await SealedFiles.store(folder).keep(session, of: server)
        for machine in [elsewhere, nil] {
            await #expect(
                throws: AccountError.otherMachine(path: SealedFiles.path(folder, server))
            ) {
                try await SealedFiles.store(folder, machine: machine).credential(of: server)
            }
        }
        #expect(try await SealedFiles.store(folder).credential(of: server) == session)
        let copy = SealedFiles.store(folder, machine: elsewhere)
        try await copy.keep(.apiKey(Redacted("k")), of: server)
        #expect(try await copy.credential(of: server) == .apiKey(Redacted("k")))
        // A passphrase stands for itself, on any machine.
        try await SealedFiles.store(folder, passphrase: "p").keep(session, of: other)
        #expect(
            try await SealedFiles.store(folder, passphrase: "p", machine: elsewhere).credential(
                of: other)
                == session)
    }

    @Test("what was sealed without the machine is read, and bound at the next write")
    func bindsOldFiles() async throws {
        let folder = try TemporaryFolder()
        let reported = Mutex<[SealedFileStore.Notice]>([])
        let unbound = SealedFiles.store(folder, machine: nil) { notice in
            reported.withLock { $0.append(notice) }
        }
        try await unbound.keep(session, of: server)
        #expect(reported.withLock { $0 } == [.notBound])
        #expect(try await unbound.credential(of: server) == session)
        #expect(try await SealedFiles.store(folder).credential(of: server) == session)
        try await SealedFiles.store(folder).keep(session, of: server)
        await #expect(throws: AccountError.self) {
            try await unbound.credential(of: server)
        }
    }

    @Test("only 32 lower-case hexadecimal digits are the id of a machine")
    func machineID() throws {
        let folder = try TemporaryFolder()
        let id = "0123456789abcdef0123456789abcdef"
        #expect(try MachineID.read(folder.file("none")) == nil)
        // A refusal is not the lack of an id, which would be that of another machine.
        #expect(throws: FileSystemError.self) { try MachineID.read(folder.path) }
        for (text, read) in [
            (id + "\n", id), (id, id), ("", nil), ("uninitialized\n", nil), (id + "0", nil),
            (String(id.dropLast()), nil), (id.uppercased(), nil),
        ] {
            #expect(try MachineID.read(folder.plant(text, "id"))?.reveal() == read, "\(text)")
        }
    }
}
