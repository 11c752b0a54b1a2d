import ArgusKit

extension Context {
    /// Prompts for a typed `yes` before a change that cannot be undone.
    ///
    /// - Throws: `Failure` 2 naming `--yes` without a terminal, 1 with `refusal` for any other
    ///   answer.
    func confirm(
        _ prompt: String, below lines: [String] = [], otherwise refusal: String,
        hint: String? = nil
    ) throws(Failure) {
        try confirm(
            prompt, below: lines, orPass: "--yes",
            otherwise: Failure(.failed, refusal, hint: hint, reason: "not_confirmed"))
    }

    /// Prompts for a typed `yes`; `option` is the alternative without a terminal.
    ///
    /// - Throws: `Failure` 2 naming `option` without a terminal, `refusal` for any other answer.
    func confirm(
        _ prompt: String, below lines: [String], orPass option: String, otherwise refusal: Failure
    ) throws(Failure) {
        let answer = try ask("\(prompt) Type yes: ", below: lines, otherwise: option)
        guard answer.filter({ $0 != " " }).lowercased() == "yes" else { throw refusal }
    }
}
