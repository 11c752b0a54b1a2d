import CommandLineKit

extension HelpTopics {
    static let configuration = HelpTopic(
        "configuration", "Settings and aliases that hold for every run",
        paragraphs: [
            """
            \(code: "argus/config.toml") below \(code: "XDG_CONFIG_HOME"), else below \
            \(code: "~/.config"), is written by people, in TOML; \(command: "config path") prints \
            where it is. \(command: "config set") changes one value and leaves comments and order \
            alone. A key that is unknown and a value that makes no sense are reported with line and \
            column, and nothing is done, whatever the command. Do not put secrets here. A file that \
            this user may not read is a warning, and defaults are used; commands that need its \
            \(code: "server"), \(code: "credential_store") or \(code: "relay_url") fail unless an \
            option or a variable names it.
            """,
            .code(
                """
                server = "home"
                format = "table"
                timeout = "45s"
                alias.porch = "cameras snapshot 'Front Door' -o -"
                """),
            .item("\(code: "server")", "The server that is used when none is named."),
            .item("\(code: "format")", "table, json, ndjson, csv or tsv."),
            .item("\(code: "color")", "auto, always or never."),
            .item("\(code: "utc")", "Whether times are shown in UTC: true or false."),
            .item("\(code: "via")", "The address of a server to use: auto, local or relay."),
            .item("\(code: "timeout")", "How long the first byte is waited for, such as 30s."),
            .item("\(code: "retries")", "How often something is tried again: 0 to 100."),
            .item(
                "\(code: "credential_store")",
                "Where new sign-ins are kept; see \(topic: "credentials")."),
            .item("\(code: "relay_url")", "The address of your relay, over https."),
            .item(
                "\(code: "pager")",
                """
                The program through which a terminal shows long help and lists: \(code: "less") by \
                default, none with \(code: "cat"). \(code: "ARGUS_PAGER") wins over it, and it over \
                \(code: "PAGER").
                """),
            .item(
                "\(code: "alias.NAME")",
                """
                Words that \(value: "NAME") stands for as a first word: small letters, digits and \
                hyphens. They are split as a shell would, with quotes and backslashes, but no shell \
                runs. Words after the alias on the command line follow its own. An alias never \
                replaces a command and never runs itself; it may begin with another alias.
                """),
            """
            An option wins over a variable of the environment, that over the configuration, that \
            over what is built in. \(command: "config list") shows which it was, with \
            \(flag: "origin", of: "config list").
            """,
        ])
}
