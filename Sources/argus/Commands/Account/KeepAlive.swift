import ArgusAccount
import ArgusCore
import CommandLineKit

extension SignedInServer {
    /// The last step of a sign-in: makes an API key that keeps it alive if the user wants one, else
    /// reports when it ends.
    ///
    /// `isWanted` is `--keep-alive`. Without `mayAsk` the command does not prompt.
    /// - Throws: `Failure` if no key could be made; the sign-in stands.
    func keepAlive(isWanted: Bool, mayAsk: Bool = true, in context: Context) async throws(Failure) {
        guard let record else { return }
        if !isWanted {
            guard mayAsk, try canAsk(in: context), let end = await endWarning(in: context) else {
                return try await reportEnd(in: context)
            }
            guard asks(below: end, in: context) else { return }
        }
        let name = "argus \(record.name) on \(context.system.device().name) (\(record.id.text))"
        let key: StoredKey
        do throws(KeyKeepingError) {
            key = try await KeyKeeper(context.secrets).make(
                named: String(name.suffix(255)), of: record, at: self)
        } catch {
            throw await failure(error)
        }
        guard try !context.isForMachines() else { return }
        context.console.notice(
            "the API key '\(key.name)' takes over when this sign-in ends; 'argus logout' revokes it"
        )
    }

    private func canAsk(in context: Context) throws(Failure) -> Bool {
        let terminal = context.terminal
        guard try !context.isForMachines() else { return false }
        return terminal.isInputTerminal && terminal.isErrorTerminal && !context.console.isQuiet
    }

    /// Prompts below the time of the sign-in's end; anything but yes is no.
    private func asks(below end: String, in context: Context) -> Bool {
        let answer = try? context.console.ask(
            "Make an API key for then? [y/N] ",
            below: [
                end,
                "an API key keeps lists and pictures working after that; 'argus logout' revokes it",
            ], otherwise: "--keep-alive")
        return ["y", "yes"].contains((answer ?? "").filter { $0 != " " }.lowercased())
    }

    private func failure(_ error: KeyKeepingError) async -> Failure {
        var failure =
            switch error {
            case .request(let error): await failure(error, doing: "make an API key")
            case .store(let cause, _): Failure(cause)
            case .noSecret:
                Failure(.serverError, "'\(name)' sent a key that no request could carry")
            }
        failure.message = "signed in, but not kept alive: " + failure.message
        if let key = error.left { failure.hint = key.notice(of: name) }
        return failure
    }
}

extension Flag {
    static func keepAlive(_ path: OptionPath<Bool>) -> Flag {
        .toggle("keep-alive", sets: path, "Make an API key for when the sign-in ends")
    }
}
