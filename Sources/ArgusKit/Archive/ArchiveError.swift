package import ArgusCore
import ArgusEvents
package import ArgusTransport
import Glibc

/// The reason why an archive cannot be used, part of it cannot be read, or a sync ended early.
///
/// A sync that ends early keeps the events and pictures that it has committed.
package enum ArchiveError: Error, Sendable, CustomStringConvertible {
    /// SQLite is not there, or too old; the cause.
    case libraryMissing(String)
    /// The folder has no marker: it is not an archive, or its disk is not mounted.
    case notArchive(String)
    /// The folder is already an archive.
    case isArchive(String)
    /// The folder holds other files.
    case notEmpty(String)
    /// A newer argus made the database, or the marker; its version.
    case newer(String, version: Int)
    /// Another process writes to the archive.
    case running(String, pid: Int32?)
    /// The database is damaged; the text is that of SQLite.
    case damaged(String, String)
    /// Nothing of the database can be read: it was emptied or removed, or its first page is damaged.
    case notDatabase(String, String = "it is not an SQLite database")
    /// The marker, at a path, is not one that argus has written.
    case badMarker(String)
    /// The archive has nothing of the server with this name.
    case unknownServer(String)
    case full(String)
    case readOnly(String)
    /// No archived event meets the conditions.
    case noMatch
    /// No archived event has this name.
    case noEvent(String)
    /// Several ids begin with the given text.
    case ambiguous(String, [String])
    /// The stored object of the event with this id is not what was archived.
    case damagedEvent(String)
    /// Another failure of SQLite, in its words.
    case database(String, String)
    case file(FileSystemError)
    /// The server of a sync failed.
    case api(APIError)

    /// The error of a failure to change a file of an archive.
    init(_ error: FileSystemError) {
        if case .errno(let number) = error.reason, [ENOSPC, EDQUOT].contains(number.rawValue) {
            self = .full(error.path)
        } else {
            self = .file(error)
        }
    }

    package var description: String {
        switch self {
        case .libraryMissing(let cause): "cannot use SQLite: \(cause)"
        case .notArchive(let folder): "'\(folder)' is not an archive"
        case .isArchive(let folder): "'\(folder)' is already an archive"
        case .notEmpty(let folder): "'\(folder)' is not empty"
        case .newer(let path, let version):
            "'\(path)' was written by a newer argus (version \(version))"
        case .running(let folder, let pid):
            "another process" + (pid.map { " (\($0))" } ?? "")
                + " is changing the archive '\(folder)'"
        case .damaged(let path, let cause): "'\(path)' is damaged: \(cause)"
        case .notDatabase(let path, let cause): "'\(path)' is damaged: \(cause)"
        case .badMarker(let path): "'\(path)' is damaged: it is not the marker of an archive"
        case .unknownServer(let name): "the archive has nothing of '\(name)'"
        case .full(let path): "cannot write '\(path)': no space left on device"
        case .readOnly(let path): "cannot write '\(path)': it is read-only"
        case .noMatch: "no archived event matches"
        case .noEvent(let name): "there is no event \(name.inQuotes) in the archive"
        case .ambiguous(let name, let ids):
            "\(name.inQuotes) begins several ids: \(ids.joined(separator: ", "))"
        case .damagedEvent(let id): "the archive's copy of event \(id) is damaged"
        case .database(let path, let cause): "cannot use '\(path)': \(cause)"
        case .file(let error): "\(error)"
        case .api(let error): error.detail
        }
    }

    /// The way back from a database that is beyond repair.
    package static let replacement =
        "put a backup in place of archive.db, and remove archive.db-wal and archive.db-journal; "
        + "without one, move all of these away and make a new one beside the pictures with "
        + "'argus archive init' and 'argus archive sync'"

    /// Advice for the user; nil if there is none.
    package var remedy: String? {
        switch self {
        case .notArchive: "if its disk is mounted, make one with 'argus archive init'"
        case .notEmpty: "name a new or an empty folder"
        case .newer: "update argus"
        case .damaged:
            "'argus archive verify --repair' lists the damage and repairs what it can; if it "
                + "cannot, \(Self.replacement)"
        case .notDatabase: Self.replacement
        case .badMarker:
            "put a backup in its place, or remove it and run 'argus archive init' in the same folder, "
                + "which keeps what is there"
        case .unknownServer: "name one of its servers with --server"
        case .full: "free some space; nothing that was archived is lost"
        case .file(let error): error.remedy
        case .readOnly: "copy the archive to a folder that you can write"
        case .noEvent: "give its id, or the first \(EventService.shortestPrefix) characters"
        case .ambiguous: "give the full id"
        case .damagedEvent: "'argus archive verify --repair' reads it again from the server"
        case .libraryMissing, .isArchive, .running, .noMatch, .database, .api: nil
        }
    }
}
