import ArgusArchive
import ArgusCore
import CommandLineKit

enum ArchiveInit: ArgusCommand {
    struct Options: VerbOptions {
        @Required var folder: String
    }

    static let about = CommandInfo(
        name: "init", summary: "Make an archive in a new or empty folder", effect: .changes,
        description: """
            Only you can enter the folder. The other verbs refuse a folder that this one has not
            prepared, so that a missing disk is noticed before anything is written to its empty
            mount point.
            """,
        examples: [
            "argus archive init /mnt/usb/cameras": "An archive on another disk",
            "argus config set archive_dir /mnt/usb/cameras": "The archive of all later commands",
        ],
        exitStatuses: [0, 1, 2])

    static let arguments: [Argument<Options>] = [
        .required("DIR", sets: \.$folder, "A new or empty folder").completing(.directory)
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        guard !options.folder.isEmpty else { throw Failure(.usage, "DIR is empty") }
        let folder = ArchiveFolder(context.absolutePath(options.folder))
        try attempt(try folder.make(at: context.now()))
        if FileSystemKind.isNetwork(at: folder.path) {
            context.console.warn(
                "'\(folder.path)' is on a network file system: it is slower there, and two machines "
                    + "must not use it at once")
        }
        if !folder.isPrivate {
            context.console.warn(
                "others can read '\(folder.path)': its file system has no permissions, or it is theirs"
            )
        }
        context.console.notice(
            "'\(folder.path)' is an archive now; 'argus archive sync' fills it")
    }
}
