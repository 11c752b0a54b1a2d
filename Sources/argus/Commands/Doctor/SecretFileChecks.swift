import ArgusAccount
import ArgusCore

extension MachineChecks {
    /// The check that sealed files are intact and belong to known servers.
    var secretFiles: [Finding] {
        guard let folder = SealedFolder(context.system.paths.state) else { return [] }
        let found = [owners(of: folder), unfinished(in: folder)].compactMap { $0 }
        guard found.isEmpty else { return found }
        let count = folder.files.count
        let words =
            count == 0 ? "there are no sealed files" : "\(counted(count)), all of known servers"
        return [.ok("secrets", words)]
    }

    private func counted(_ count: Int) -> String {
        count == 1 ? "1 sealed file" : "\(count) sealed files"
    }

    /// The sealed files without a record, which argus would never use or remove.
    private func owners(of folder: SealedFolder) -> Finding? {
        let notices = Collected<ServerDirectory.Notice>()
        let directory = ServerDirectory(context.system.paths.state) { notices.add($0) }
        guard !folder.files.isEmpty else { return nil }
        let doubt = "the owner of \(counted(folder.files.count)) is unknown"
        let advice = "run 'argus server list'"
        let list: ServerList
        do {
            list = try directory.load()
        } catch {
            return .warning("secrets", "\(doubt): \(error)", advice)
        }
        for notice in notices.all {
            switch notice {
            case .damaged(let path):
                return .warning(
                    "secrets", "'\(path)' is damaged, so \(doubt)",
                    "repair it, or sign in again: argus then renames the damaged file")
            case .unreadableRecords:
                return .warning(
                    "secrets", "\(doubt): not every server's record can be read", advice)
            case .setAside: continue
            }
        }
        let lost = folder.files.filter { list[$0.server] == nil }
        return lost.isEmpty ? nil : warning(of: lost, in: folder, directory)
    }

    private func warning(
        of lost: [SealedFolder.File], in folder: SealedFolder, _ directory: ServerDirectory
    ) -> Finding {
        let names = lost.prefix(3).map(\.name).joined(separator: ", ")
        let rest = lost.count > 3 ? " and \(lost.count - 3) more" : ""
        let ids = Set(lost.map(\.server.text)).sorted()
        let remove = "run rm " + ids.map { "'\(folder.path)/\($0)'.*" }.joined(separator: " ")
        let aside = directory.setAsideLists.last.map {
            "restore '\($0)' if it can be repaired; else "
        }
        let verb = lost.count == 1 ? "belongs" : "belong"
        return .warning(
            "secrets", "\(counted(lost.count)) \(verb) to no known server: \(names)\(rest)",
            (aside ?? "") + remove)
    }

    private func unfinished(in folder: SealedFolder) -> Finding? {
        let count = folder.unfinished.count
        guard count > 0 else { return nil }
        return .warning(
            "secrets",
            "\(count) unfinished \(count == 1 ? "file" : "files") of a process that was killed, "
                + "or is at work, in '\(folder.path)'",
            "the next sign-in, renewal or sign-out removes such files; they are sealed, too")
    }
}
