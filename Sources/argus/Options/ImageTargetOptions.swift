import ArgusCore
import CommandLineKit

/// The options for the destination of pictures (docs/scripting.md, "Files").
struct ImageTargetOptions: OptionGroup, Equatable {
    var path: String?
    var mayOverwrite = false

    static let own: [Flag<ImageTargetOptions>] = [
        .file(
            "output", short: "o", sets: \.path,
            "Write to FILE, into the folder DIR/, or to stdout (-)",
            details: [
                """
                A name is a folder if one exists, if it ends in \(code: "/"), or if there are \
                several files, unless it ends as one file does, such as \(code: ".jpg"). argus makes \
                it if needed.
                """
            ]
        ).guessed(Guess("dir", as: "DIR/"), Guess("folder", as: "DIR/")),
        .toggle("force", sets: \.mayOverwrite, "Overwrite files"),
    ]

    /// Determines where several files, or one, are written, before anything is fetched.
    ///
    /// - Throws: `Failure` 2 for a target that cannot hold them, 1 for one that exists.
    func target(count: Int) throws(Failure) -> OutputTarget {
        try attempt(OutputTarget.resolve(path, count: count, force: mayOverwrite))
    }

    /// Determines where pictures are written, as `target` does.
    func writer(imageCount: Int) throws(Failure) -> ImageWriter {
        ImageWriter(target: try target(count: imageCount), mayOverwrite: mayOverwrite)
    }
}

/// Writes pictures after checking that they are complete.
struct ImageWriter: Sendable {
    fileprivate let target: OutputTarget
    fileprivate let mayOverwrite: Bool

    /// True if pictures are written to stdout, so that results are not.
    var usesStandardOutput: Bool { target == .standardOutput }

    /// The writer for the pictures of one of several servers: in a folder of its name.
    func inFolder(of server: String) -> ImageWriter {
        guard let folder else { return self }
        let name = SafeFileName.names(for: [(server, server)], noun: "server")[0]
        let path = folder == "." ? name : "\(folder)/\(name)"
        return ImageWriter(target: .folder(path), mayOverwrite: mayOverwrite)
    }

    /// The folder of files that argus names; nil if the user named the file.
    var folder: String? {
        guard case .folder(let path) = target else { return nil }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// True for a single file, which can be written again and again.
    var isReplaceable: Bool { if case .file = target { true } else { false } }

    /// The writer of the same file, which replaces what it has written before.
    func replacing(_ isReplacing: Bool) -> ImageWriter {
        ImageWriter(target: target, mayOverwrite: mayOverwrite || isReplacing)
    }

    /// Writes a picture of the thing with an id.
    ///
    /// `name` is a file name without extension, for folders; `record` runs before the file appears
    /// under its name. A file in the folder that is the same picture already stays as it is.
    ///
    /// - Throws: `Failure` 7 for an incomplete picture, 1 if it cannot be written.
    func save(
        _ bytes: [UInt8], of id: String, named name: String, takenAt: Timestamp?,
        record: (SavedImage, String) throws(FileSystemError) -> Void = { _, _ in }
    ) throws(Failure) -> SavedImage {
        let kind = try ImageKind.expectComplete(bytes)
        do {
            let name = "\(name).\(kind.fileExtension)"
            let sha256 = Checksum.sha256(bytes)
            if folder != nil, let path = try target.path(named: name),
                (try? Checksum.sha256(ofFile: path)) == sha256
            {
                return SavedImage(
                    id: id, path: path, byteCount: bytes.count, sha256: sha256, capturedAt: takenAt)
            }
            let file = try target.open(named: name, force: mayOverwrite)
            try file.write(bytes)
            let image = SavedImage(
                id: id, path: usesStandardOutput ? nil : file.path, byteCount: bytes.count,
                sha256: sha256, capturedAt: takenAt)
            try record(image, name)
            try file.commit()
            return image
        } catch {
            throw error.isClosedPipe ? .closedPipe : Failure(error)
        }
    }
}

extension ImageKind {
    /// - Throws: `Failure` 7 for an incomplete picture.
    fileprivate static func expectComplete(_ bytes: [UInt8]) throws(Failure) -> ImageKind {
        try attempt(ofComplete(bytes)) {
            Failure(.serverError, "the server sent no whole picture: it \($0)")
        }
    }
}

extension SavedImage {
    /// A picture that is shown and not saved.
    ///
    /// - Throws: `Failure` 7 for an incomplete picture.
    init(unsaved bytes: [UInt8], of id: String, takenAt: Timestamp?) throws(Failure) {
        _ = try ImageKind.expectComplete(bytes)
        self.init(
            id: id, byteCount: bytes.count, sha256: Checksum.sha256(bytes), capturedAt: takenAt)
    }
}

extension Context {
    /// The printer of saved files; nil if they are written to stdout, and for tables in quiet runs
    /// unless `--fields` is given.
    func printer<Record>(
        of fields: [Field<Record>], _ shape: Printer<Record>.Shape, for target: OutputTarget
    ) throws(Failure) -> Printer<Record>? {
        let printer = try printer(of: fields, shape)
        let isTable = try !isForMachines()
        guard isTable, globals.isQuiet, globals.fields == nil else {
            return target == .standardOutput ? nil : printer
        }
        collected?.hide()
        return nil
    }

    /// The printer of saved pictures, as for their target.
    func printer<Record>(
        of fields: [Field<Record>], _ shape: Printer<Record>.Shape, for writer: ImageWriter
    ) throws(Failure) -> Printer<Record>? {
        try printer(of: fields, shape, for: writer.target)
    }
}
