import FoundationEssentials
import Glibc

/// Runs a command that is signed in to the demo.
struct CommandRun {
    var server: Server

    /// Puts this program's folder first in PATH, so that the command finds the `argus` in it;
    /// before any thread starts, since the environment has no lock.
    static func preparePath() {
        let path = getenv("PATH").map { ":" + String(cString: $0) } ?? ""
        setenv("PATH", folder + path, 1)
    }

    /// Signs in, runs the command, cleans up and returns the command's status; 1 if the sign-in
    /// failed.
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
            // The statuses of shells and env(1) for a command that is missing or cannot be run.
            Demo.complain(error.message)
            return error.code == ENOENT ? 127 : 126
        }
    }

    /// Signs in; the mobile generation has no passwords.
    private func login(
        _ home: ThrowAwayHome, _ environment: [String: String]
    ) throws(SystemFailure) -> Program {
        var program = Program(
            arguments: ["\(CommandRun.folder)/argus", "login", server.url],
            environment: environment, inputPath: "/dev/null", discardsOutput: true)
        if server.service.options.settings.api == .mobile {
            program.arguments.append("--token-stdin")
            program.inputPath = try home.write(server.service.demoToken + "\n", to: ".demo-token")
        } else {
            let file = try home.write(Accounts.password + "\n", to: ".demo-password")
            program.arguments += ["--username", Accounts.username, "--password-file", file]
        }
        program.arguments += ["--name", "demo"]
        return program
    }

    /// This environment without variables that lead out of the temporary HOME.
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
