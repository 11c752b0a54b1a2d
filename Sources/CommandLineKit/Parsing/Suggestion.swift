/// The names that resemble a mistyped word, nearest first, at most three.
package func suggestions(for word: String, among names: [String]) -> [String] {
    let wanted = Array(word.utf8)
    guard !wanted.isEmpty, wanted.count <= 40 else { return [] }
    let scored = names.compactMap { name -> (name: String, distance: Int)? in
        let candidate = Array(name.utf8)
        let distance = editDistance(wanted, candidate)
        // One error in three letters is a typing error; more is another word.
        let floor = max(1, max(wanted.count, candidate.count) / 3)
        if distance <= floor, distance < candidate.count { return (name, distance) }
        return wanted.count >= 2 && candidate.starts(with: wanted) ? (name, floor + 1) : nil
    }
    // The sort is stable: equals keep the order of the table.
    return scored.sorted { $0.distance < $1.distance }.prefix(3).map(\.name)
}

/// The hint for a mistyped name, perhaps in another case; nil if no name resembles it.
package func hint(forMistyped word: String, among names: [String]) -> String? {
    let near = suggestions(for: word.lowercased(), among: names.map { $0.lowercased() })
    return didYouMean(near.compactMap { name in names.first { $0.lowercased() == name } })
}

/// Verbs of other programs and their possible names here.
private let synonyms = [
    "ls": ["list"], "get": ["show"], "info": ["show"], "view": ["show"], "cat": ["show"],
    "rm": ["delete", "revoke", "remove", "unset"], "remove": ["delete", "revoke"],
    "delete": ["revoke", "remove"], "mv": ["rename"], "add": ["create"], "new": ["create"],
]

/// The verbs that resemble a word in spelling or meaning.
func suggestedVerbs(for word: String, among names: [String]) -> [String] {
    let same = (synonyms[word] ?? []).filter(names.contains)
    return same.isEmpty ? suggestions(for: word, among: names) : same
}

/// Edits between two words: insert, delete, replace, and swap of neighbours (optimal alignment).
func editDistance(_ from: [UInt8], _ to: [UInt8]) -> Int {
    if from.isEmpty || to.isEmpty { return max(from.count, to.count) }
    var beforeLast: [Int] = []
    var last = Array(0...to.count)
    for i in 1...from.count {
        var row = [i]
        for j in 1...to.count {
            let replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)
            var best = min(replaced, last[j] + 1, row[j - 1] + 1)
            if i > 1, j > 1, from[i - 1] == to[j - 2], from[i - 2] == to[j - 1] {
                best = min(best, beforeLast[j - 2] + 1)
            }
            row.append(best)
        }
        beforeLast = last
        last = row
    }
    return last[to.count]
}

/// The hint for near names: `did you mean 'list'?`; nil without any.
package func didYouMean(_ names: [String]) -> String? {
    names.isEmpty ? nil : "did you mean " + alternatives(names.map { "'\($0)'" }) + "?"
}
