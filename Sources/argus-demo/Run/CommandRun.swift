import FoundationEssentials
import Glibc

/// Runs a command as somebody who is signed in to the demo.
struct CommandRun {
    var server: Server

    /// Puts our own folder first in PATH, so that the command finds the `argus` beside us.
    ///
    /// Before any thread starts: the environment has no lock.
    static func preparePath() {
        let path = getenv("PATH").map { ":" + String(cString: $0) } ?? ""
        setenv("PATH", folder + path, 1)
    }

    /// Signs in, runs the command and cleans up.
    ///
    /// - Returns: the status of the command; 1 when the sign-in failed.
    /// - Throws: the error of starting it.
    func run(_ command: [String]) throws(SystemFailure) -> Int32 {
        let home = try ThrowAwayHome()
        defer { home.remove() }
        let environment = environment(home: home.path)
        let status = try login(home, environment).run()
        guard status == 0 else {
            Demo.complain("the sign-in failed with status \(status)")
            return 1
        }
        do {
            return try Program(arguments: command, environment: environment).run()
        } catch {
            // As shells and env(1) say that a command is missing or cannot be run.
            Demo.complain(error.message)
            return error.code == ENOENT ? 127 : 126
        }
    }

    /// The sign-in of this server's generation; the mobile one knows no passwords.
    private func login(
        _ home: ThrowAwayHome, _ environment: [String: String]
    ) throws(SystemFailure) -> Program {
        let settings = server.service.options.settings
        let argus = "\(CommandRun.folder)/argus"
        if settings.api == .mobile {
            return Program(
                arguments: [argus, "login", server.url, "--token-stdin", "--name", "demo"],
                environment: environment,
                inputPath: try home.write(server.service.demoToken + "\n", to: ".demo-token"),
                discardsOutput: true)
        }
        let file = try home.write(Accounts.password + "\n", to: ".demo-password")
        return Program(
            arguments: [
                argus, "login", server.url, "--username", Accounts.username, "--password-file",
                file, "--name", "demo",
            ],
            environment: environment, inputPath: "/dev/null", discardsOutput: true)
    }

    /// Our environment without anything that leads out of the throw-away HOME.
    private func environment(home: String) -> [String: String] {
        var variables = ProcessInfo.processInfo.environment
        let leading = ["XDG_", "ARGUS_"]
        let named = ["STATE_DIRECTORY", "CREDENTIALS_DIRECTORY", "DBUS_SESSION_BUS_ADDRESS"]
        for name in variables.keys
        where named.contains(name) || leading.contains(where: name.hasPrefix) {
            variables[name] = nil
        }
        variables["HOME"] = home
        variables["ARGUS_DEMO_URL"] = server.url
        return variables
    }

    private static var folder: String {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return (path ?? "").split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }
}
