import ArgusKit

extension Context {
    /// Wants a typed `yes` before something that cannot be taken back.
    ///
    /// - Throws: `Failure` 2 naming `--yes` where nobody can be asked, 1 with `refusal` for any
    ///   other answer.
    func confirm(
        _ prompt: String, below lines: [String] = [], otherwise refusal: String
    ) throws(Failure) {
        let answer = try ask("\(prompt) Type yes: ", below: lines, otherwise: "--yes")
        guard answer.filter({ $0 != " " }).lowercased() == "yes" else {
            throw Failure(.failed, refusal, reason: "not_confirmed")
        }
    }
}
