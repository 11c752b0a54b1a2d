import ArgusCore
import Glibc

// The files beside the database.
extension Archive {
    /// Keeps the bytes of a file under their SHA-256, unless they are there, and returns it.
    /// - Throws: `FileSystemError`; the file then is not there, or as it was.
    func keep(_ bytes: [UInt8], as fileExtension: String) throws(FileSystemError) -> String {
        let sha256 = Checksum.sha256(bytes)
        let path = folder.media(sha256, fileExtension)
        guard try makePlace(path, for: sha256) else { return sha256 }
        let file = try AtomicFile(path, for: .settings)
        try file.write(bytes)
        try file.commit(replacing: true)
        FileRename.synchronizeFolder(of: path)
        return sha256
    }

    /// Moves a complete video to its place under its SHA-256, and returns that.
    /// - Throws: `FileSystemError`; the video then is where it was.
    func keep(_ part: PartialFile) throws(FileSystemError) -> String {
        let sha256 = try Checksum.sha256(of: part)
        let path = folder.media(sha256, "mp4")
        if try makePlace(path, for: sha256) {
            try part.commit(replacing: true)
            try FileRename.move(part.path, to: path, replacing: true)
            FileRename.synchronizeFolder(of: path)
        }
        return sha256
    }

    /// A file of events by its hash.
    struct StoredFile: Equatable {
        var sha256: String
        var path: String
    }

    /// The files of an event, former ones too.
    func filesOfEvent(_ number: Int) throws(ArchiveError) -> [StoredFile] {
        try database.rows(
            "SELECT sha256, extension FROM media WHERE event = ? AND sha256 IS NOT NULL",
            [SQLiteValue(number)], storedFile)
    }

    /// The file that the first two columns of a row name, `sha256` and `extension`.
    func storedFile(_ row: SQLiteStatement) -> StoredFile? {
        row.text(0).map { StoredFile(sha256: $0, path: folder.media($0, row.text(1) ?? "")) }
    }

    func removeUnused(_ file: StoredFile) throws(ArchiveError) {
        guard try !isUsed(file.sha256) else { return }
        try rethrowing(try FileRename.remove(file.path), as: ArchiveError.file)
    }

    /// Returns true if an event has the file with this hash.
    func isUsed(_ sha256: String) throws(ArchiveError) -> Bool {
        try database.number("SELECT 1 FROM media WHERE sha256 = ? LIMIT 1", .text(sha256)) != nil
    }

    /// Makes the folder of a file; false if the file is there, whole.
    private func makePlace(_ path: String, for sha256: String) throws(FileSystemError) -> Bool {
        // A file of that name with other bytes was damaged since, and is written again.
        if try folder.checksum(ofMedium: path) == sha256 { return false }
        let place = FileRename.folder(of: path)
        if !FileContents.exists(place) {
            try makeFolder(place, isPrivate: true)
            for path in [place, folder.mediaFolder] { FileRename.synchronizeFolder(of: path) }
        }
        return true
    }

    /// Removes what killed processes have left of files.
    func removeAbandoned() {
        for folder in folder.mediaFolders + [folder.path] { AbandonedFiles.sweep(folder) }
    }

    /// Removes the beginnings of videos that no event waits for.
    func removeUnwantedParts() {
        for name in FolderNames.all(in: folder.parts) {
            let number = name.split(separator: ".").first.flatMap { Int($0) }
            let count = try? database.number(
                "SELECT count(*) FROM media WHERE event = ? AND kind = 'video' AND state = 'wanted'",
                SQLiteValue(number))
            if count == 0 { unlink("\(folder.parts)/\(name)") }
        }
    }
}

extension ArchiveFolder {
    /// The SHA-256 of the file of a picture or video; nil if there is no such file.
    /// - Throws: `FileSystemError`; `.symbolicLink`, `.notFolder` or `.notRegularFile` for something else
    ///   in its place or that of its folders.
    func checksum(ofMedium file: String) throws(FileSystemError) -> String? {
        for folder in [mediaFolder, FileRename.folder(of: file)] {
            var status = stat()
            guard lstat(folder, &status) == 0 else { continue }
            let kind = status.st_mode & S_IFMT
            guard kind != S_IFLNK else { throw FileSystemError(.open, folder, .symbolicLink) }
            guard kind == S_IFDIR else { throw FileSystemError(.open, folder, .notFolder) }
        }
        return try Checksum.sha256(ofFile: file)
    }

    /// True for something else in the place of a file, or of the folder of some, which keeps no other
    /// file from being stored.
    func concernsOneFile(_ error: FileSystemError) -> Bool {
        error.path != mediaFolder
            && [.symbolicLink, .notFolder, .notRegularFile].contains(error.reason)
    }

    /// The folder of videos that are not complete.
    var parts: String { path + "/parts" }

    /// Opens the beginning of an event's video, which an earlier sync may have left.
    func openPart(of number: Int) throws(FileSystemError) -> PartialFile {
        if mkdir(parts, 0o700) != 0, errno != EEXIST { throw .current(.create, parts) }
        let file = try PartialFile(
            "\(parts)/\(number).mp4", remains: .continued, advice: "the next sync continues")
        _ = fchmod(file.descriptor, 0o600)
        return file
    }
}
