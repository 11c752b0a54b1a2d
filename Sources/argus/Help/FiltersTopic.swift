import CommandLineKit

extension HelpTopics {
    static let filters = HelpTopic(
        EventFilterOptions.topic, "How to choose events",
        paragraphs: [
            """
            These options choose events in lists, exports, counts and watches. An event must match \
            all of them. Some servers cannot filter by every condition: argus then reads all events \
            and filters here, which takes longer.
            """,
            .options(EventFilterOptions.own.map(\.info)),
            """
            A watch has no end, so it takes neither \(code: "--until") nor \(code: "--during"); its \
            \(flag: "since", of: "events watch") says where it begins.
            """,
        ])
}
