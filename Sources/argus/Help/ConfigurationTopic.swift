import CommandLineKit

extension HelpTopics {
    static let configuration = HelpTopic(
        "configuration", "Settings and aliases for every run",
        paragraphs: [
            """
            The configuration is a file that you write: \(code: "argus/config.toml") in \
            \(code: "XDG_CONFIG_HOME"), else in \(code: "~/.config"). \(command: "config path") \
            prints its path. \(command: "config set") changes one value and leaves comments and \
            order alone. The file has one setting a line, as in TOML: text in quotes, numbers, true \
            and false, comments, and tables such as \(code: "[push]"); no lists, no tables in braces, \
            no text of several lines. Do not put secrets here.
            """,
            """
            A mistake stops every command; the message has line and column. If argus may not read \
            the file, it warns and uses the defaults; commands that need \(code: "server"), \
            \(code: "credential_store") or \(code: "relay_url") fail unless an option or a variable \
            replaces it.
            """,
            .code(
                """
                server = "home"
                format = "table"
                timeout = "45s"
                alias.porch = "cameras snapshot 'Front Door' -o -"
                """),
            .items([
                "\(code: "server")": "The default server.",
                "\(code: "format")": "table, json, ndjson, csv or tsv.",
                "\(code: "color")": "auto, always or never.",
                "\(code: "utc")": "true to show times in UTC, or false.",
                "\(code: "via")": "The kind of address to use: auto, local or relay.",
                "\(code: "timeout")": "The time to wait for the first byte, such as 30s.",
                "\(code: "retries")": "The number of retries, 0 to 100.",
                "\(code: "night")": "The hours of \(code: "last-night"), such as 22:00-06:00.",
                "\(code: "credential_store")":
                    "The store for new sign-ins; see \(topic: "credentials").",
                "\(code: "relay_url")": "The https address of your relay.",
                "\(code: "dashboard_url")": """
                The address of the server's web pages, for \(flag: "web", of: "events show"); \
                \(command: "server set") sets that of one server.
                """,
                "\(code: "archive_dir")":
                    "The folder of your archive, from / or ~/ on; see \(command: "archive sync").",
                "\(code: "pager")": """
                The program that shows long help and lists on a terminal: \(code: "less") by \
                default, \(code: "cat") for none. \(code: "ARGUS_PAGER") overrides it, and it \
                overrides \(code: "PAGER").
                """,
                "\(code: "push.public_url")":
                    "The address of your server for phones, with which pushes have pictures.",
                "\(code: "push.vapid_subject")": """
                Your address for the operators of push services, such as \
                \(code: "mailto:ann@example.org"); Web Push needs it.
                """,
                "\(code: "push.local_hosts")": """
                The names of receivers of Web Push in your own network that look public, separated \
                by commas.
                """,
                """
                \(code: "push.apns_key_file"), \(code: "push.apns_key_id"), \
                \(code: "push.apns_team_id"), \(code: "push.apns_bundle_id"), \
                \(code: "push.apns_sandbox")
                """:
                    """
                The key from Apple for pushes to its devices; see \
                \(code: "share/doc/argus/docs/push.md").
                """,
                "\(code: "push.fcm_credentials"), \(code: "push.fcm_project_id")":
                    "The service account from Google for pushes to Android, and the project.",
                "\(code: "alias.NAME")": """
                A command line that \(value: "NAME") stands for as the first word. \
                \(value: "NAME") has small letters, digits and hyphens. argus splits the line at \
                quotes and backslashes as a shell does, but runs no shell, and appends the words that \
                follow the alias. An alias may begin with another alias. It cannot replace a command.
                """,
            ]),
            """
            An option overrides an environment variable, a variable the configuration, and the \
            configuration the default. \(command: "config list") with \
            \(flag: "origin", of: "config list") shows where each value comes from.
            """,
        ])
}
