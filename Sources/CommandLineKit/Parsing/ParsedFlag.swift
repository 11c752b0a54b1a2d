/// An option of a command line: its row in the table, its spelling and its value.
struct ParsedFlag: Sendable, Equatable {
    var index: Int
    /// With dashes, as the user typed it.
    var spelling: String
    /// nil for a switch without a value.
    var value: String?
}

/// Stores the given options, in the order of the command line.
///
/// - Throws: `UsageError` that names the option, and its value unless that is sensitive.
func apply<Options>(
    _ parsed: [ParsedFlag], of flags: [Flag<Options>], to options: inout Options
) throws(UsageError) {
    for (position, given) in parsed.enumerated() {
        let flag = flags[given.index]
        if flag.info.isUnique, parsed[..<position].contains(where: { $0.index == given.index }) {
            throw UsageError("\(given.spelling) is given twice")
        }
        do throws(ValueError) {
            try flag.update(given.value, &options)
        } catch {
            throw UsageError(
                error, given.value ?? "", of: given.spelling, isSensitive: flag.info.isSensitive)
        }
    }
}

/// - Throws: `UsageError` that names the first required option that is missing.
func expectRequired<Options>(
    _ flags: [Flag<Options>], among parsed: [ParsedFlag]
) throws(UsageError) {
    for index in flags.indices where flags[index].info.isRequired {
        guard parsed.contains(where: { $0.index == index }) else {
            throw UsageError("--\(flags[index].info.long) is missing")
        }
    }
}

/// Assigns the operands to their arguments.
///
/// Optional operands are filled from the left with the words that required ones leave, so `[METHOD]
/// PATH` reads one word as the path.
///
/// - Throws: `UsageError` for a missing, a superfluous or a refused operand.
func distribute<Options>(
    _ operands: [String], over arguments: [Argument<Options>], to options: inout Options
) throws(UsageError) {
    var needed = 0
    for argument in arguments { needed += argument.info.minimum }
    var spare = operands.count - needed
    if spare < 0 {
        let missing = missing(of: arguments.map(\.info), given: operands.count)
        var error = UsageError("missing \(missing.map(\.name).joined(separator: " and "))")
        error.example = missing.count == 1 ? missing[0].example : nil
        throw error
    }
    var rest = operands[...]
    for argument in arguments {
        var take = argument.info.minimum
        switch argument.info.count {
        case .required: break
        case .optional where spare == 0: break
        case .optional:
            take += 1
            spare -= 1
        case .repeated:
            take += spare
            spare = 0
        }
        for word in rest.prefix(take) {
            do throws(ValueError) {
                try argument.update(word, &options)
            } catch {
                let info = argument.info
                throw UsageError(error, word, of: info.name, isSensitive: info.isSensitive)
            }
        }
        rest = rest.dropFirst(take)
    }
    guard let surplus = rest.first else { return }
    let isSensitive = arguments.contains { $0.info.isSensitive }
    throw UsageError(isSensitive ? "too many arguments" : "unexpected argument \(quoted(surplus))")
}

private func missing(of arguments: [ArgumentInfo], given: Int) -> [ArgumentInfo] {
    var left = given
    var missing: [ArgumentInfo] = []
    for argument in arguments {
        if left < argument.minimum { missing.append(argument) }
        left = max(0, left - argument.minimum)
    }
    return missing
}

extension UsageError {
    fileprivate init(_ error: ValueError, _ word: String, of name: String, isSensitive: Bool) {
        let subject = isSensitive ? "the value " : "\(quoted(error.part ?? word)) "
        self.init(
            "\(name): \(error.isSentence && !isSensitive ? "" : subject)\(error.reason)",
            hint: isSensitive ? nil : error.hint)
    }
}
