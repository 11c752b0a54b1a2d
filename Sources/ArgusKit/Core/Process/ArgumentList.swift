internal import CProcess

/// The arguments of main(3) as the program got them.
///
/// Swift's own list comes from /proc/self/cmdline, and is empty where that cannot be read.
package enum ArgumentList {
    /// The words, of which the first is the program's name; a null pointer ends them.
    package static var raw: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
        argus_arguments() ?? CommandLine.unsafeArgv
    }

    /// The words after the program's name, repaired where they are not UTF-8.
    package static var words: [String] {
        var words: [String] = []
        while let word = raw[words.count] { words.append(String(cString: word)) }
        return Array(words.dropFirst())
    }
}
