/// A file or folder of argus's own that holds nothing which argus can read.
package struct UnreadableFile: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Cause: Hashable, Sendable {
        /// It holds something else than argus writes there.
        case damaged
        /// It has the layout of a newer argus.
        case newer
        case file(FileSystemError)
    }

    package var path: String
    package var cause: Cause

    package init(_ path: String, _ cause: Cause) { (self.path, self.cause) = (path, cause) }

    package init(_ error: FileSystemError) { self.init(error.path, .file(error)) }

    /// The cause in lower case.
    package var reason: String {
        switch cause {
        case .damaged: "it is damaged"
        case .newer: "it was written by a newer argus"
        case .file(let error): "\(error.reason)"
        }
    }

    /// Advice; nil if there is none for the cause.
    package var remedy: String? {
        switch cause {
        case .damaged: "remove it if you do not need it"
        case .newer: "use the newer argus for it"
        case .file(let error): error.remedy
        }
    }

    /// The failure as `cannot read 'PATH': it is damaged`.
    package var description: String { "cannot read '\(path)': \(reason)" }
}

extension StateFile {
    /// The value, which lies alone in its file; nil if there is no file.
    package func valueIfAny() throws(UnreadableFile) -> Value? {
        switch try rethrowing(read(), as: UnreadableFile.init) {
        case .absent: nil
        case .value(let value): value
        case .damaged: throw UnreadableFile(path, .damaged)
        case .newer: throw UnreadableFile(path, .newer)
        }
    }
}
