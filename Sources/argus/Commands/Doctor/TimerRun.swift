import ArgusKit
import CommandLineKit

/// A second run of `argus doctor` under the conditions of a timer: an empty environment, a new
/// session without a terminal, and no bus.
struct TimerRun {
    let context: Context
    let testsPush: Bool

    func run() async throws(Failure) {
        let words = try words
        let ending: ChildProgram.Ending
        do {
            ending = try await ChildProgram.run(
                "/proc/self/exe", words, environment: Environment(), timeout: .seconds(120),
                outputLimit: 1 << 20)
        } catch {
            throw Failure(.failed, "cannot repeat the checks: \(error)")
        }
        try context.write(String(decoding: ending.output.reveal(), as: UTF8.self))
        guard ending.status != 0 else { return }
        throw Failure(
            ending.status.flatMap(ExitKind.init(rawValue:)) ?? .failed, "a timer would fail",
            hint: "give the unit a HOME, credentials and --server; see 'argus help environment'",
            reason: "check_failed")
    }

    /// The options of this run, which a timer would use too.
    private var words: [String] {
        get throws(Failure) {
            let globals = context.globals
            let named = [
                ("server", globals.server), ("via", globals.via?.rawValue),
                ("timeout", globals.timeout.map { DurationText.short($0) }),
                ("token-file", globals.tokenFile), ("api-key-file", globals.apiKeyFile),
                ("passphrase-file", globals.passphraseFile), ("cacert", globals.authorities),
                ("cert", globals.certificate), ("key", globals.key),
                ("fields", globals.fields?.values.joined(separator: ",")),
            ]
            let format = try context.tolerant.format().rawValue
            return ["doctor", "--no-input", "--format=\(format)"]
                + (testsPush ? ["--push"] : []) + (globals.hasNoHeader ? ["--no-header"] : [])
                + named.compactMap { name, value in value.map { "--\(name)=\($0)" } }
        }
    }
}
