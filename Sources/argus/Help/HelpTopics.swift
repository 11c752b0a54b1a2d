import CommandLineKit

/// The pages of help that belong to no command.
enum HelpTopics {
    static let all = [
        recipes, filters, times, formats, servers, credentials, environment, configuration,
    ]

    private static let environment = HelpTopic(
        "environment", "The variables that argus reads",
        paragraphs: [
            "An empty variable counts as unset. An option overrides a variable.",
            .items([
                "\(code: "ARGUS_SERVER")": "The server to use, by name or URL.",
                "\(code: "ARGUS_TOKEN"), \(code: "ARGUS_TOKEN_FILE")": """
                An access token for this run, or the file with it. argus sends it only to a server \
                that \(flag: "server"), \(code: "ARGUS_SERVER") or the configuration names.
                """,
                "\(code: "ARGUS_API_KEY"), \(code: "ARGUS_API_KEY_FILE")":
                    "An API key or the file with it; the same rule applies.",
                "\(code: "CREDENTIALS_DIRECTORY")": """
                The folder of a systemd unit's credentials. argus reads \(code: "argus.token"), \
                \(code: "argus.api-key"), \(code: "argus.passphrase"), \
                \(code: "argus.fingerprint"), \(code: "argus.apns-key") and \
                \(code: "argus.fcm-credentials").
                """,
                "\(code: "NOTIFY_SOCKET"), \(code: "WATCHDOG_USEC")": """
                How \(command: "events watch"), \(command: "notify run") and \
                \(command: "push listen") report to systemd that they are ready, their status, \
                and that they are alive.
                """,
                "\(code: "ARGUS_FINGERPRINT")": """
                The SHA-256 of the certificate that a server must present at a sign-in, or if it \
                is named by URL.
                """,
                "\(code: "ARGUS_CREDENTIAL_STORE")":
                    "The store for new sign-ins; see \(topic: "credentials").",
                "\(code: "ARGUS_RELAY_URL")":
                    "The relay for signing in if no server in the local network answers.",
                "\(code: "ARGUS_FORMAT")": "The default output format.",
                "\(code: "ARGUS_ERRORS")":
                    "With \(code: "json"), the last line on stderr of a failed run is a JSON object.",
                "\(code: "ARGUS_NO_INPUT")": "If set, argus never prompts.",
                "\(code: "ARGUS_NO_LINKS")":
                    "If set, ids on a terminal are no links to the server's pages.",
                "\(code: "ARGUS_PAGER")":
                    "The program for long help and lists; see \(topic: "configuration").",
                "\(code: "ARGUS_TRACE")": "The default of \(flag: "trace").",
                """
                \(code: "APNS_KEY_FILE"), \(code: "APNS_KEY_ID"), \(code: "APNS_TEAM_ID"), \
                \(code: "APNS_BUNDLE_ID"), \(code: "APNS_USE_SANDBOX")
                """: "The key for APNs, its names, and the app; see \(topic: "configuration").",
                "\(code: "GOOGLE_APPLICATION_CREDENTIALS"), \(code: "FCM_PROJECT_ID")":
                    "The service account for FCM, and the Firebase project.",
                "\(code: "ARGUS_APNS_URL"), \(code: "ARGUS_FCM_URL")":
                    "Services on this machine that replace Apple's and Google's in tests.",
                "\(code: "NO_COLOR")": "If set, output has no colour.",
                "\(code: "TZ"), \(code: "TZDIR")":
                    "The local time zone, and the folder of the zone files.",
                """
                \(code: "XDG_CONFIG_HOME"), \(code: "XDG_STATE_HOME"), \(code: "XDG_CACHE_HOME"), \
                \(code: "STATE_DIRECTORY")
                """: """
                The folders of \(code: "argus/config.toml"), of the known servers and their sealed \
                credentials, and of the completion cache.
                """,
                "\(code: "http_proxy"), \(code: "https_proxy"), \(code: "no_proxy")":
                    "Proxies, as for curl; never used for this machine.",
            ]),
            """
            For an unknown command, argus runs a separate program: \(code: "argus hello") runs \
            \(code: "argus-hello") from the folder of argus, else from \(code: "PATH"). The program \
            inherits these variables. Options before its name become variables: \
            \(flag: "server"), \(flag: "format"), \(flag: "no-input"), \(flag: "trace"), \
            \(flag: "token-file") and \(flag: "api-key-file"); argus refuses any other there.
            """,
        ])

    private static let formats = HelpTopic(
        "formats", "Output formats for people and programs",
        paragraphs: [
            .items([
                "\(code: "table")": "For people; the layout may change.",
                "\(code: "json")":
                    "A list is one array; one operand is an object, several are an array.",
                "\(code: "ndjson")": "One object per line, for streams.",
                "\(code: "csv"), \(code: "tsv")": """
                Lists for spreadsheets and shell tools. In csv, text that looks like a formula gets \
                a leading \(code: "'").
                """,
            ]),
            """
            Every object has all the fields that its command's help lists, in that order, on every \
            server version; a field that the server did not send is null. New versions may add \
            fields, and never change the meaning of one. \(flag: "fields") selects fields; \
            \(flag: "raw") prints the server's own objects instead.
            """,
            """
            Times in json, ndjson, csv and tsv are UTC and always look like \
            \(code: "2026-11-20T22:00:05.000000Z"), so they sort as text. Tables show local \
            time, or UTC with \(flag: "utc"). Durations are in seconds, sizes in bytes.
            """,
            """
            Control characters from the network never reach the terminal: tables show them as \
            \(code: "\\x1b") and double a backslash; JSON escapes them.
            """,
            """
            With a machine format, the last line on stderr of a failed run is a JSON object, unless \
            stderr is a terminal; its member \(code: "error") has \(code: "kind"), \(code: "exit_code"), \
            \(code: "message") and more.
            """,
        ])

    private static let times = HelpTopic(
        "times", "How to write times and durations",
        paragraphs: [
            .items([
                "\(code: "90s 15m 2h 3d 1w")": "That long ago; the unit is required.",
                "\(code: "now today yesterday monday sat")":
                    "This moment, or a local day; a weekday is the most recent one, which may be today.",
                "\(code: "22:30")": "The last time that the clock showed it.",
                "\(code: "'yesterday 22:00'"), \(code: "'sat 18:30'")":
                    "That time of the day; with a weekday, its most recent occurrence.",
                "\(code: "last-night last-week last-month this-week this-month")":
                    "The start of that time in \(code: "--since"), its end in \(code: "--until").",
                "\(code: "2026-11-20"), \(code: "2026-11-20T22:00"), \(code: "2026-11-20T22:00:05Z")":
                    """
                A day or a moment. Without a zone it is local; if a clock change makes it ambiguous, \
                \(code: "--since") takes the earlier one, and \(code: "--until") the later one.
                """,
            ]),
            """
            Both ends are inclusive. A day means its first moment in \(code: "--since") and its \
            last in \(code: "--until"). After \(code: "--since"), a time of day in \
            \(code: "--until") is the next one: \(code: "--since 22:00 --until 06:00") is last night.
            """,
            """
            \(code: "--during") sets both ends: \(code: "last-night"), \(code: "today"), \
            \(code: "yesterday"), \(code: "this-week"), \(code: "last-week"), \
            \(code: "this-month") or \(code: "last-month"). Weeks begin on Monday. A night is 22:00 to 06:00 \
            unless \(code: "night") in the configuration sets other hours.
            """,
            """
            A duration is a number with \(code: "ms"), \(code: "s"), \(code: "m"), \(code: "h"), \
            \(code: "d") or \(code: "w"); a bare number is seconds.
            """,
        ])

    private static let servers = HelpTopic(
        "servers", "Which server argus uses, and what it must prove",
        paragraphs: [
            """
            argus uses the server of \(flag: "server"), else of \(code: "ARGUS_SERVER"), else of \
            \(code: "server") in the configuration, else the default of \(command: "server use"), \
            else the only known one. Name a server by its name, its id, or its URL.
            """,
            """
            Over https, the certificate must be valid for the host in the URL, and signed by a \
            public authority or by one in the file of \(flag: "cacert"). No option switches this \
            off. A sign-in remembers the files of \(flag: "cacert"), \(flag: "cert") and \
            \(flag: "key").
            """,
            """
            If a certificate is self-signed, \(command: "login") shows its fingerprint and waits for \
            a typed \(code: "yes"). Without a terminal, pass \(flag: "fingerprint", of: "login"). \
            From then on every connection needs the key of that certificate. If the key changes, \
            argus sends nothing, prints both fingerprints and ends with status 9: check the \
            fingerprint on the server itself, then run \(command: "server trust"). If the server \
            had the certificate of a public authority before, only a fingerprint is accepted.
            """,
            """
            A server may have several local addresses and several relays, set with \
            \(command: "server set"); each has its own proof. argus begins with the one that answered \
            last. If that is not connected within a second, argus tries all of them, local ones \
            first. If a local address fails, argus also searches the network: the server may have \
            moved. If something answers that cannot prove to be the server, the status is 9. \
            \(flag: "via") chooses a kind; \(command: "server show") and \(flag: "verbose") show \
            what argus tried.
            """,
            """
            argus refuses plain http with status 9, because everyone in between could read the \
            password. There are two exceptions: this machine, and the scheme, host and port that you \
            allowed with \(flag: "insecure-http", of: "login"). For a private address, that holds \
            only on the network where you allowed it, which argus recognises by its router. While no \
            router answers, argus sends nothing (status 6), and watches go on. \
            \(command: "server show") lists what you allowed.
            """,
            """
            Credentials from files and variables go only to a server that you name, never to the \
            default server.
            """,
        ])

    private static let credentials = HelpTopic(
        "credentials", "Where credentials come from, and where argus stores them",
        paragraphs: [
            """
            A run uses the first of these: \(flag: "token-file") or \(flag: "api-key-file"), the \
            variables of \(topic: "environment"), the files in \(code: "CREDENTIALS_DIRECTORY"), \
            and the stored sign-in.
            """,
            """
            Each sign-in is in one store. If that does not answer, the command fails and names it; \
            argus never tries another one. New sign-ins go to the store in \
            \(code: "ARGUS_CREDENTIAL_STORE"), else in \(code: "credential_store") of the \
            configuration, else to a sealed file. \(command: "server set") moves a sign-in; \
            \(command: "whoami") and \(command: "server show") print its store.
            """,
            .items([
                "\(code: "file")": """
                A sealed file in the state folder, which opens on this machine only: a copy of the \
                home folder has no sign-in. With \(flag: "passphrase-file"), it opens with the \
                passphrase instead.
                """,
                "\(code: "secret-service")": """
                The desktop's keyring, through libsecret. If it does not answer within a second, the \
                command fails. argus never starts a keyring, and never makes you unlock one.
                """,
                "\(code: "helper:NAME")": """
                The program \(code: "argus-credential-NAME") in the folder of argus or in PATH. \
                argus runs it with \(code: "get"), \(code: "store") or \(code: "erase") and one \
                line of JSON on stdin; status 1 means that there is no such secret. An example for \
                pass comes with argus.
                """,
            ]),
        ])
}
