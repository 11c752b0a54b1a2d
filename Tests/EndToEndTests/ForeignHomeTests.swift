import Glibc
import Testing

/// A HOME of somebody else, as a service or `setpriv` may leave it; only root can become another user.
@Suite(.enabled(if: geteuid() == 0), .waitsForPrograms)
struct ForeignHomeTests {
    private let home: TemporaryHome
    private let server: DemoServer
    private let token: String

    init() throws {
        home = try TemporaryHome()
        server = try DemoServer()
        try home.signIn(to: server)
        token = try home.argus("token").text.split(separator: "\n").map(String.init)[0]
    }

    /// Runs argus as the user nobody in our home.
    private func asNobody(
        _ words: [String], _ variables: [String: String] = [:]
    ) throws -> ProgramResult {
        var launch = home.launch(words, variables)
        launch.folder = "/"
        launch.words =
            ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + launch.words
        return try launch.start().finish()
    }

    private func list(_ more: String...) throws -> ProgramResult {
        try asNobody(
            ["cameras", "list", "--fields", "name", "--server", server.url] + more,
            ["ARGUS_TOKEN": token])
    }

    @Test("nothing is stored in a home folder that this user may not enter")
    func closedHome() throws {
        let ran = try list()
        #expect(ran.status == 0)
        #expect(ran.text.contains("Driveway"))
        #expect(ran.complaint == "")
    }

    @Test("a configuration that may not be read is a warning where it holds only defaults")
    func closedConfiguration() throws {
        try home.argus("config", "set", "format", "json")
        for folder in ["", "/.config", "/.config/argus"] {
            try #require(chmod(home.path + folder, 0o755) == 0)
        }
        let ran = try list()
        #expect(ran.status == 0)
        #expect(ran.text.hasPrefix("NAME\n"))
        #expect(ran.complaint.hasPrefix("argus: warning: cannot read '"))
        #expect(ran.complaint.hasSuffix("': permission denied; using defaults\n"))
        #expect(try list("-q").complaint == "")
        // Without a name only the configuration could say which server is meant.
        let unnamed = try asNobody(["cameras", "list"], ["ARGUS_TOKEN": token])
        #expect(unnamed.status == 2)
        #expect(try asNobody(["config", "list"]).status == 2)
        #expect(try asNobody(["--help"]).status == 0)
    }
}
