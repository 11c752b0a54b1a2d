/// What lies in the folder of sealed files, by names; nothing is opened.
package struct SealedFolder: Sendable {
    /// A sealed file and the server that it is of.
    package struct File: Sendable {
        package var name: String
        package var server: ServerID
    }

    /// The path of the folder.
    package var path: String
    /// The sealed files of servers, in the order of their names.
    package var files: [File]
    /// The names of what processes write now, or were killed while they wrote.
    package var unfinished: [String]

    /// Looks into the folder of a state folder; nil where nothing can be kept.
    package init?(_ place: Paths.Place) {
        guard case .folder(let state) = place else { return nil }
        path = SealedFileStore.folder(in: state)
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
