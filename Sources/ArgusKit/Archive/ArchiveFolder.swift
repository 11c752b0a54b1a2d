package import ArgusCore
import Glibc

/// The folder of an archive: its marker, its database and the files beside it.
///
///     argus-archive.json        the marker, written last
///     archive.db                the database, with its -wal and -shm while it is in use
///     lock, pid                 the process that changes it
///     media/ab/abcd….jpg        pictures and videos by their SHA-256
///     parts/123.mp4.part        the beginnings of videos
package struct ArchiveFolder: Sendable, Equatable {
    private static let marker = "argus-archive.json"
    private static let leftovers: Set<String> = [
        "archive.db", "archive.db-wal", "archive.db-shm", "archive.db-journal", "lock", "pid",
        "media", "parts", "lost+found",
    ]

    /// An absolute path without a trailing slash.
    package let path: String

    package init(_ path: String) { self.path = FileRename.withoutSlash(path) }

    /// Reads a setting, which may begin with `~/`; nil for a relative path.
    package init?(setting text: String, home: String?) {
        let path = if text.hasPrefix("~/"), let home { home + text.dropFirst() } else { text }
        guard path.hasPrefix("/") else { return nil }
        self.init(path)
    }

    var database: String { path + "/archive.db" }
    var lock: String { path + "/lock" }
    var pid: String { path + "/pid" }
    var mediaFolder: String { path + "/media" }
    private var marker: String { "\(path)/\(Self.marker)" }

    /// Makes an archive in a folder that is new or empty, or has lost its database.
    ///
    /// The marker comes last, so what a killed run leaves is not an archive yet and is redone.
    /// - Throws: `ArchiveError`.
    package func make(at now: Timestamp) throws(ArchiveError) {
        let hasMarker = FileContents.exists(marker)
        guard !hasMarker || !hasTables else { throw .isArchive(path) }
        let others = FolderNames.all(in: path).filter {
            !Self.leftovers.contains($0) && !AtomicFile.isTemporary($0)
        }
        guard hasMarker || others.isEmpty else { throw .notEmpty(path) }
        let isNew = try makeFolder(path)
        // A mount point may belong to another user.
        if !isNew { _ = chmod(path, 0o700) }
        _ = try makeFolder(mediaFolder)
        let made = try SQLiteDatabase(database, for: .writing)
        _ = chmod(database, 0o600)
        // Both before the first table: objects of 1 to 3 KiB fill large pages better, and what is
        // forgotten gives its space back.
        try made.run("PRAGMA page_size = 32768")
        try made.run("PRAGMA auto_vacuum = INCREMENTAL")
        try ArchiveSchema.migrate(made)
        let text = JSONWriter.object { writer in
            writer.member("version", Self.version)
            writer.member("created_at", now)
        }
        try rethrowing(
            try AtomicFile.write(text + [0x0A], to: marker, for: .settings, replacing: true),
            as: ArchiveError.file)
        FileRename.synchronizeFolder(of: marker)
    }

    /// False without a database, or with an empty one, as a killed run leaves it; one that cannot be read
    /// may be mended.
    private var hasTables: Bool {
        guard FileContents.exists(database) else { return false }
        let found = try? ArchiveSchema.expectKnown(SQLiteDatabase(database, for: .reading))
        return found != 0
    }

    private static let version = 1

    /// Checks that the folder is an archive; one whose disk is not mounted is none.
    /// - Throws: `.notArchive`; `.badMarker`, `.newer` and `.notDatabase` for one that was.
    package func expectMarker() throws(ArchiveError) {
        let bytes = try rethrowing(
            try FileContents.bytes(ifAny: marker, trust: .settings, limit: 1 << 16),
            as: ArchiveError.file)
        guard let bytes else { throw .notArchive(path) }
        guard let version = (try? JSONView.parse(bytes))?["version"]?.int, version > 0 else {
            throw .badMarker(marker)
        }
        guard version <= Self.version else { throw .newer(marker, version: version) }
        guard FileContents.exists(database) else { throw .notDatabase(database, "it is missing") }
    }

    /// True if only this user can enter the folder; some file systems know no permissions.
    package var isPrivate: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 == 0
            && status.st_uid == geteuid()
    }

    /// True if files can be made in the folder (access(2)).
    var isWritable: Bool { access(path, W_OK) == 0 }

    /// The path of a file by the SHA-256 of its bytes; a database that was tampered with cannot name
    /// another place.
    func media(_ sha256: String, _ fileExtension: String) -> String {
        let sha256 = sha256.filter(\.isHexDigit)
        let fileExtension = fileExtension.filter { $0.isLetter || $0.isNumber }
        return "\(mediaFolder)/\(sha256.prefix(2))/\(sha256).\(fileExtension)"
    }

    /// The path of a file as it is printed, relative to the folder.
    func relative(_ path: String) -> String { String(path.dropFirst(self.path.count + 1)) }

    /// The folders of pictures and videos, such as `ab`.
    var mediaFolders: [String] {
        FolderNames.all(in: mediaFolder).map { "\(mediaFolder)/\($0)" }
    }

    /// Makes one folder, 0700; false if it is there.
    private func makeFolder(_ path: String) throws(ArchiveError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw .file(.current(.create, path)) }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .file(FileSystemError(.create, path, .notFolder))
        }
        return false
    }
}
