import ArgusAccount
import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@Suite("Paths")
struct PathsTests {
    private func paths(_ variables: [String: String], database: String? = "/db") -> Paths {
        Paths(Environment(variables)) { database }
    }

    @Test("without XDG variables everything lies under HOME")
    func underHome() {
        let paths = paths(["HOME": "/home/me/"])
        #expect(paths.configurationFile == "/home/me/.config/argus/config.toml")
        #expect(paths.state == .folder("/home/me/.local/state/argus"))
        #expect(paths.cache == .folder("/home/me/.cache/argus"))
    }

    @Test("XDG variables decide, relative or empty ones are ignored")
    func xdgVariables() {
        let paths = paths([
            "HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "relative",
            "XDG_CACHE_HOME": "",
        ])
        #expect(paths.configuration == .folder("/c/argus"))
        #expect(paths.state == .folder("/h/.local/state/argus"))
        #expect(paths.cache == .folder("/h/.cache/argus"))
    }

    @Test("an unset HOME comes from the user database, a relative one means nothing is kept")
    func homeOrDatabase() {
        #expect(paths([:]).state == .folder("/db/.local/state/argus"))
        let nowhere = Paths.Folder.none(reason: "HOME is not an absolute path")
        #expect(paths(["HOME": "here"]).state == nowhere)
        #expect(paths(["HOME": "here"]).configurationFile == nil)
        #expect(paths(["HOME": "here", "XDG_STATE_HOME": "/s"]).state == .folder("/s/argus"))
        guard case .none = paths([:], database: nil).state else {
            Issue.record("a folder without a home")
            return
        }
    }

    @Test("a unit's state folder is used as it is, its own link resolved")
    func unitFolder() throws {
        let folder = try TemporaryFolder()
        let real = folder.file("private")
        try #require(mkdir(real, 0o700) == 0)
        try #require(symlink(real, folder.file("argus")) == 0)
        let unit = ["HOME": "/h", "STATE_DIRECTORY": folder.file("argus") + ":/other"]
        #expect(paths(unit).state == .folder(real))
        #expect(
            paths(["HOME": "/h", "STATE_DIRECTORY": "/not/there/"]).state
                == .folder("/not/there"))
        let both = unit.merging(["XDG_STATE_HOME": "/s"]) { $1 }
        #expect(paths(both).state == .folder("/s/argus"))
    }

    @Test("the user database knows this process's user")
    func userDatabase() {
        #expect(Paths.homeFromUserDatabase()?.hasPrefix("/") == true)
    }
}
