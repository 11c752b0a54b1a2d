import Glibc

// The files beside the database.
extension Archive {
    /// Keeps the bytes of a file under their SHA-256, unless they are there, and returns it.
    /// - Throws: `ArchiveError`; the file then is not there, or as it was.
    func keep(_ bytes: StoredBytes, as fileExtension: String) throws(ArchiveError) -> String {
        try writing { () throws(FileSystemError) in
            let sha256 = try Checksum.sha256(of: bytes)
            let path = folder.media(sha256, fileExtension)
            guard try makePlace(path, for: sha256) else { return sha256 }
            let file = try AtomicFile(path, for: .settings)
            var blocks = bytes.blocks()
            while let block = try blocks.next() { try file.write(block) }
            try file.commit(replacing: true)
            FileRename.synchronizeFolder(of: path)
            return sha256
        }
    }

    /// Moves a complete video to its place under its SHA-256, and returns that.
    /// - Throws: `ArchiveError`; the video then is where it was.
    func keep(_ part: PartialFile) throws(ArchiveError) -> String {
        try writing { () throws(FileSystemError) in
            let sha256 = try Checksum.sha256(of: part)
            let path = folder.media(sha256, "mp4")
            if try makePlace(path, for: sha256) {
                try part.commit(replacing: true)
                try FileRename.move(part.path, to: path, replacing: true)
                FileRename.synchronizeFolder(of: path)
            }
            return sha256
        }
    }

    /// A file of events by its hash.
    struct StoredFile {
        var sha256: String
        var path: String
    }

    /// The files of an event, former ones too.
    /// - Throws: `ArchiveError`.
    func filesOfEvent(_ number: Int) throws(ArchiveError) -> [StoredFile] {
        var files: [StoredFile] = []
        try database.forEach(
            "SELECT sha256, extension FROM media WHERE event = ? AND sha256 IS NOT NULL",
            [SQLiteValue(number)]
        ) { row throws(ArchiveError) in
            guard let sha256 = row.text(0) else { return }
            files.append(StoredFile(sha256: sha256, path: folder.media(sha256, row.text(1) ?? "")))
        }
        return files
    }

    /// Removes a file, unless an event has it.
    /// - Throws: `ArchiveError`.
    func removeUnused(_ file: StoredFile) throws(ArchiveError) {
        let isUsed = try database.number(
            "SELECT 1 FROM media WHERE sha256 = ? LIMIT 1", .text(file.sha256))
        guard isUsed == nil else { return }
        try rethrowing(try FileRename.remove(file.path), as: ArchiveError.file)
    }

    /// Makes the folder of a file; false if the file is there, whole.
    private func makePlace(_ path: String, for sha256: String) throws(FileSystemError) -> Bool {
        // A file of that name with other bytes was damaged since, and is written again.
        if try folder.checksum(ofMedium: path) == sha256 { return false }
        let place = FileRename.folder(of: path)
        if mkdir(place, 0o700) == 0 {
            FileRename.synchronizeFolder(of: place)
        } else if errno != EEXIST {
            throw .current(.create, path)
        }
        return true
    }

    private func writing<Value>(
        _ work: () throws(FileSystemError) -> Value
    ) throws(ArchiveError) -> Value {
        try rethrowing(try work(), as: ArchiveError.init)
    }

    /// Removes what killed processes have left of files.
    func removeAbandoned() {
        let media = folder.path + "/media"
        let folders = FolderNames.all(in: media).map { "\(media)/\($0)" }
        for folder in folders + [folder.path] { AbandonedFiles.sweep(folder) }
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
    /// - Throws: `FileSystemError`; `.symbolicLink` for a link in its place or that of its folders.
    func checksum(ofMedium file: String) throws(FileSystemError) -> String? {
        for folder in [path + "/media", FileRename.folder(of: file)] {
            var status = stat()
            if lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
                throw FileSystemError(.open, folder, .symbolicLink)
            }
        }
        return try Checksum.sha256(ofFile: file)
    }

    /// The folder of videos that are not complete.
    var parts: String { path + "/parts" }

    /// Opens the beginning of an event's video, which an earlier sync may have left.
    /// - Throws: `FileSystemError`.
    func openPart(of number: Int) throws(FileSystemError) -> PartialFile {
        if mkdir(parts, 0o700) != 0, errno != EEXIST { throw .current(.create, parts) }
        let file = try PartialFile(
            "\(parts)/\(number).mp4", remains: .continued, advice: "the next sync continues")
        _ = fchmod(file.descriptor, 0o600)
        return file
    }
}
