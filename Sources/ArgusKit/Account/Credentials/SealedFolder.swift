package import ArgusCore

/// The names of the sealed files; none is opened.
package struct SealedFolder: Sendable {
    /// A sealed file and its server.
    package struct File: Sendable {
        package var name: String
        package var server: ServerID
    }

    /// The path of the folder.
    package var path: String
    /// The sealed files of servers, sorted by name.
    package var files: [File]
    /// The names of temporary files, of running or killed processes.
    package var unfinished: [String]

    /// Lists the files of a state folder; nil if there is no folder.
    package init?(_ state: Paths.Folder) {
        guard case .folder(let folder) = state else { return nil }
        path = SealedFileStore.folder(in: folder)
        let names = FolderNames.all(in: path).sorted()
        files = names.compactMap { name in
            guard name.hasSuffix(SealedFileStore.suffix),
                let id = name.split(separator: ".").first.flatMap({ ServerID(String($0)) }),
                id != .none
            else { return nil }
            return File(name: name, server: id)
        }
        unfinished = names.filter(AtomicFile.isTemporary)
    }
}
