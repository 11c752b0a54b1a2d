import ArgusAccount
import ArgusTransport
import ArgusCore
import ArgusEvents
import CommandLineKit

enum EntitiesThumbnail: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var target = ImageTargetOptions()
    }

    private static let fields = SavedImage.fields(id: "entity_id", "the id")

    static let about = CommandInfo(
        name: "thumbnail", summary: "Save the pictures of people and vehicles", effect: .reads,
        description: """
            Names each file after the person or the vehicle, and saves it in the current folder,
            unless \(flag: "output") names another place.
            """,
        examples: ["argus entities thumbnail Ann -o ann.jpg": "Her picture"],
        exitStatuses: .requests(3, 11), prints: .lists(fields))

    static let flags: [Flag<Options>] = ImageTargetOptions.flags(at: \Options.target)
    static let arguments: [Argument<Options>] = [.entities(\.words)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let writer = try options.target.writer(imageCount: options.words.count)
        let printer = try context.printer(of: fields, .rows(options.words.count), for: writer)
        let server = try await context.server()
        let list = try await EntityList(server, in: context)
        var outcome = BatchResult()
        let found = try await outcome.resolve(options.words, id: \.value.id) {
            word throws(Failure) in try list.named(word)
        }.map(\.thing.value)
        let names = SafeFileName.names(
            for: found.map { (text: $0.title, id: $0.id) }, noun: "entity")
        for (entity, name) in zip(found, names) {
            try await outcome.collect(entity.id) { () async throws(Failure) in
                let picture = try await server.attempt(
                    "fetch the picture of \(entity.title.inQuotes)",
                    await server.entities.thumbnail(entity.id))
                let saved = try writer.save(picture, of: entity.id, named: name, takenAt: nil)
                try printer?.write(saved)
            }
        }
        try printer?.finish()
        try outcome.finish()
    }
}
