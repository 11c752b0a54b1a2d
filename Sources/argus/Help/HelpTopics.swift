import CommandLineKit

/// The pages of help that belong to no command.
enum HelpTopics {
    static let all = [environment, configuration, formats, times, servers, credentials]

    private static let environment = HelpTopic(
        "environment", "The variables that argus reads",
        paragraphs: [
            "An empty variable counts as unset. An option wins over a variable.",
            .item("\(code: "ARGUS_SERVER")", "The server to use, by name or URL."),
            .item(
                "\(code: "ARGUS_TOKEN"), \(code: "ARGUS_TOKEN_FILE")",
                """
                An access token, or a file with one, for this run. It is sent only to a server that \
                was named by \(flag: "server"), \(code: "ARGUS_SERVER") or the configuration.
                """),
            .item(
                "\(code: "ARGUS_API_KEY"), \(code: "ARGUS_API_KEY_FILE")",
                "An API key, or a file with one, by the same rule."),
            .item(
                "\(code: "CREDENTIALS_DIRECTORY")",
                """
                The folder of a systemd unit's credentials: \(code: "argus.token"), \
                \(code: "argus.api-key"), \(code: "argus.passphrase") and \
                \(code: "argus.fingerprint") are read from it.
                """),
            .item(
                "\(code: "ARGUS_FINGERPRINT")",
                """
                The SHA-256 of the certificate that a server must show when it is signed in to, or \
                used by URL.
                """),
            .item(
                "\(code: "ARGUS_CREDENTIAL_STORE")",
                "Where new sign-ins are kept; see \(topic: "credentials")."),
            .item(
                "\(code: "ARGUS_RELAY_URL")",
                "The relay to sign in by where no server answers in the local network."),
            .item("\(code: "ARGUS_FORMAT")", "The output format when no option names one."),
            .item(
                "\(code: "ARGUS_ERRORS")",
                "With \(code: "json"), errors are one JSON object on the last line of stderr."),
            .item("\(code: "ARGUS_NO_INPUT")", "When set, argus never asks for anything."),
            .item(
                "\(code: "ARGUS_PAGER")",
                "The program for long help and lists; see \(topic: "configuration")."),
            .item("\(code: "ARGUS_TRACE")", "The file of \(flag: "trace")."),
            .item("\(code: "NO_COLOR")", "When set, output has no colour."),
            .item(
                "\(code: "TZ"), \(code: "TZDIR")",
                "The local time zone, and where the zones are kept."),
            .item(
                """
                \(code: "XDG_CONFIG_HOME"), \(code: "XDG_STATE_HOME"), \(code: "XDG_CACHE_HOME"), \
                \(code: "STATE_DIRECTORY")
                """,
                """
                Where \(code: "argus/config.toml"), the known servers with their sealed credentials, \
                and the completion cache live.
                """),
            .item(
                "\(code: "http_proxy"), \(code: "https_proxy"), \(code: "no_proxy")",
                "Proxies, as curl reads them; never used for this machine."),
            """
            A command that argus does not have is looked for as a program: \(code: "argus hello") \
            runs \(code: "argus-hello"), from the folder of argus, then from \(code: "PATH"). It \
            gets these variables as they are; \(flag: "server"), \(flag: "format"), \
            \(flag: "no-input"), \(flag: "trace"), \(flag: "token-file") and \
            \(flag: "api-key-file") before its name become theirs, and no other option may stand \
            there.
            """,
        ])

    private static let formats = HelpTopic(
        "formats", "Output formats for people and programs",
        paragraphs: [
            .item("\(code: "table")", "For people; its looks may change."),
            .item(
                "\(code: "json")",
                "A list is one array, a single thing an object, several things an array."),
            .item("\(code: "ndjson")", "One object a line, for streams."),
            .item(
                "\(code: "csv"), \(code: "tsv")",
                """
                Lists for spreadsheets and shell tools. In csv, text that a spreadsheet would take \
                for a formula gets a leading \(code: "'").
                """),
            """
            The fields of every object are those that its help lists, always all of them, in that \
            order, the same for every generation of server; a field that the server did not send is \
            null. Fields may be added, none changes its meaning. \(flag: "fields") chooses among \
            them; \(flag: "raw") prints the server's own objects instead.
            """,
            """
            Times in json, ndjson, csv and tsv are UTC and always look like \
            \(code: "2026-11-20T22:00:05.000000Z"), so that they sort as text. Tables show local \
            time unless \(flag: "utc") is given. Durations are seconds, sizes are bytes.
            """,
            """
            Text from the network is never printed raw: tables show control characters as \
            \(code: "\\x1b") and double a backslash; JSON escapes them.
            """,
            """
            With a machine format, the last line on stderr of a run that failed is one JSON object \
            with \(code: "kind"), \(code: "exit_code"), \(code: "message") and more under \
            \(code: "error").
            """,
        ])

    private static let times = HelpTopic(
        "times", "How times and durations are written",
        paragraphs: [
            .item("\(code: "90s 15m 2h 3d 1w")", "So long ago; the unit is needed."),
            .item(
                "\(code: "now today yesterday monday sat")",
                "This moment, or a local day; a weekday is the last one, today included."),
            .item("\(code: "22:30")", "The last time the clock showed it."),
            .item(
                "\(code: "'yesterday 22:00'"), \(code: "'sat 18:30'")",
                "A time on that day; on a Saturday morning, Saturday evening was last week."),
            .item("\(code: "last-night")", "The night: its start, or its end."),
            .item(
                "\(code: "2026-11-20"), \(code: "2026-11-20T22:00"), \(code: "2026-11-20T22:00:05Z")",
                """
                A day or a moment. Without a zone it is local; where a clock change makes it \
                ambiguous, the earlier one is meant.
                """),
            """
            Both ends of a span count. A day means its first moment in \(code: "--since") and its \
            last in \(code: "--until"). After \(code: "--since"), a time of day in \
            \(code: "--until") is the next one: \(code: "--since 22:00 --until 06:00") is last night.
            """,
            """
            \(code: "--during") sets both ends: \(code: "last-night"), \(code: "today"), \
            \(code: "yesterday"), \(code: "this-week"), \(code: "last-week") or \
            \(code: "this-month"). Weeks begin on Monday. A night is 22:00 to 06:00, or what \
            \(code: "night") in the configuration says.
            """,
            """
            A duration is a number with \(code: "ms"), \(code: "s"), \(code: "m"), \(code: "h"), \
            \(code: "d") or \(code: "w"); a bare number is seconds.
            """,
        ])

    private static let servers = HelpTopic(
        "servers", "Which server is used, and what it must prove",
        paragraphs: [
            """
            A server is named by \(flag: "server"), else by \(code: "ARGUS_SERVER"), else by \
            \(code: "server") in the configuration, else it is the one of \(command: "server use"), \
            else the only one known. A name is a server's name here, its id, or its URL; \
            a URL that several accounts share names none of them.
            """,
            """
            Over https the certificate must be valid for the host that was typed, signed by a \
            public authority or by one in the file of \(flag: "cacert"), which a sign-in remembers. \
            There is no option that switches this off. The client certificate of \(flag: "cert") and \
            \(flag: "key") is remembered too.
            """,
            """
            For a self-signed certificate, \(command: "login") shows the fingerprint and waits for a \
            typed \(code: "yes"). Without a terminal, pass \
            \(flag: "fingerprint", of: "login"). From then on the server must prove the key of that \
            certificate on every connection. If the key changes, argus sends nothing, prints both \
            fingerprints and exits with 9; check the server itself, then run \
            \(command: "server trust"). A typed \(code: "yes") never replaces the certificate of a \
            public authority.
            """,
            """
            A server may have several local addresses and several relays, set by \
            \(command: "server set"); each has a proof of its own. Which of them works is found out \
            once for each network, known by its gateway, and remembered, a relay for an hour: all are \
            tried at once, the local ones have a short head start, and the network is searched for the \
            server under another address, which must hold the same proof. If an address fails, \
            argus chooses another. If only addresses without the proof answer, the status is 9. \
            \(flag: "via") insists on one kind; \(command: "server show") and \(flag: "verbose") \
            show what was tried.
            """,
            """
            Plain http is refused, status 9, before anything is sent: everybody on the way could \
            read the password. Only this machine is exempt, and what \
            \(flag: "insecure-http", of: "login") allowed: exactly that scheme, host and port, and \
            for a private address only on the network where it was said, which is known by the \
            hardware address of its gateway. \(command: "server show") lists what was allowed.
            """,
            """
            Credentials from files and variables go only to a server that was named, never to one \
            that merely is the default.
            """,
        ])

    private static let credentials = HelpTopic(
        "credentials", "Where credentials come from, and where they are kept",
        paragraphs: [
            """
            A run uses the first of these: \(flag: "token-file") or \(flag: "api-key-file"), the \
            variables of \(topic: "environment"), the files of \(code: "CREDENTIALS_DIRECTORY"), \
            and what was kept when you signed in.
            """,
            """
            A sign-in is kept in one place, which the server's entry remembers. No other place is \
            ever looked at instead: one that does not answer is an error that names it. \
            \(code: "ARGUS_CREDENTIAL_STORE"), or \(code: "credential_store") in the \
            configuration, says where new sign-ins go; without it they go to the sealed file, which \
            works without a desktop. \(command: "server set") moves a sign-in, \
            \(command: "whoami") and \(command: "server show") show the place.
            """,
            .item(
                "\(code: "file")",
                """
                A sealed file in the state folder. Its key is bound to this machine, so a copy of \
                the home folder holds no sign-in; with \(flag: "passphrase-file") it is made of the \
                passphrase.
                """),
            .item(
                "\(code: "secret-service")",
                """
                The desktop's keyring, by libsecret. It answers within a second or the command \
                fails; argus never starts it, and never asks you to unlock it.
                """),
            .item(
                "\(code: "helper:NAME")",
                """
                The program \(code: "argus-credential-NAME"), from the folder of the argus binary or \
                from PATH. It is called with \(code: "get"), \(code: "store") or \(code: "erase") \
                and one line of JSON on its stdin; status 1 means that there is no such secret. An \
                example for pass comes with argus.
                """),
        ])
}
