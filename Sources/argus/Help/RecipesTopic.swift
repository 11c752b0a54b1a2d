import CommandLineKit

extension HelpTopics {
    static let recipes = HelpTopic(
        "recipes", "Command lines to copy and change",
        paragraphs: [
            """
            Replace names such as \(code: "Garage") with those of \(command: "cameras list"). From \
            cron or a timer, use \(code: "argus -q"): it prints errors only.
            """
        ],
        examples: [
            Example(
                "argus events list --type person --during last-night",
                "Who came last night"),
            Example(
                "argus events thumbnail latest --camera Garage -o garage.jpg --force",
                "The last picture that Garage saved"),
            Example(
                "argus events watch --type package --state parcels -- notify-send 'A package'",
                "A note on the desktop for each package; after a reboot none is missed"),
            Example(
                "argus events watch --since 7d --limit 1 -- ./hook.sh",
                "Test a script with one event of the last week"),
            Example(
                "argus events wait --type ring --for 10m && argus cameras snapshot Garage",
                "A picture of the garage when somebody rings"),
            Example(
                "argus -q cameras snapshot --all --changes -o pictures/ --keep 30d \\\n"
                    + "  --name-template '{date}/{camera}-{time}'",
                "A time-lapse, from cron: a picture of each camera, kept for 30 days"),
            Example(
                "argus -q check --changes",
                "From cron: a mail when a camera falls silent or anything else fails, and when "
                    + "it is over"),
            Example(
                "ping -c 1 -W 2 phone.lan || argus cameras snapshot --all -o away/",
                "Nobody is home: a picture of every camera if the phone does not answer"),
            Example(
                "argus events list --all --since today --fields camera_name --format tsv \\\n"
                    + "  --no-header | sort | uniq -c",
                "Today's events, counted by camera"),
            Example(
                "argus events export --during last-week -o week.csv", "Last week for a spreadsheet"),
            Example(
                "argus archive init ~/cameras && argus archive sync --archive ~/cameras",
                "Your own copy of all events and their pictures"),
            Example(
                "argus drill --no-rules > drill.log 2>&1 \\\n"
                    + "  || mail -s 'The drill failed' \"$USER\" < drill.log",
                "From cron, each week: store a test event, and mail if not everything reacted"),
            Example("argus doctor", "What is wrong, and what helps"),
        ])
}
