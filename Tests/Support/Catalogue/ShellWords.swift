/// The simple commands of a shell line, split into words as a shell would.
///
/// Quotes and backslashes are taken off. Unquoted operators (`|`, `&`, `;`, `<`, `>`, parentheses,
/// line ends) end a command; what follows a redirection is a command of its own, which no caller
/// here minds. Expansions stay as they are written.
package func shellCommands(_ line: String) -> [[String]] {
    var splitter = ShellSplitter()
    for character in line { splitter.read(character) }
    splitter.endCommand()
    return splitter.commands
}

private struct ShellSplitter {
    var commands: [[String]] = []
    private var words: [String] = []
    private var word = ""
    private var isWord = false
    private var quote: Character?
    private var isEscaped = false
    private var isComment = false

    mutating func read(_ character: Character) {
        if isComment, character != "\n" { return }
        isComment = false
        if isEscaped {
            isEscaped = false
            if character != "\n" { append(character) }
        } else if let open = quote {
            if character == open {
                quote = nil
            } else if character == "\\", open == "\"" {
                isEscaped = true
            } else {
                append(character)
            }
        } else {
            readUnquoted(character)
        }
    }

    mutating func endCommand() {
        endWord()
        if !words.isEmpty { commands.append(words) }
        words = []
    }

    private mutating func readUnquoted(_ character: Character) {
        switch character {
        case "\\": isEscaped = true
        case "'", "\"":
            quote = character
            isWord = true
        case "#" where !isWord: isComment = true
        case " ", "\t": endWord()
        case "<", ">":
            // The number of a redirected descriptor is no word of the command.
            if word.allSatisfy(\.isNumber) { (word, isWord) = ("", false) }
            endCommand()
        case "|", "&", ";", "(", ")", "\n": endCommand()
        default: append(character)
        }
    }

    private mutating func append(_ character: Character) {
        word.append(character)
        isWord = true
    }

    private mutating func endWord() {
        if isWord { words.append(word) }
        (word, isWord) = ("", false)
    }
}
