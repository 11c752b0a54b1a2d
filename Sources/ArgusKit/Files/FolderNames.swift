import Glibc

/// Lists the entries of folders.
enum FolderNames {
    /// The names of all entries but `.` and `..`, unordered; empty if the folder cannot be read.
    static func all(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        // Not by copying the member: an entry ends with its name, before the end of the member.
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
        while let entry = readdir(stream) {
            let text = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: text)
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
