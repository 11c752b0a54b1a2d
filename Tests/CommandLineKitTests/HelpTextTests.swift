import ArgusTestSupport
import CommandLineKit
import Testing

@Suite struct HelpTextTests {
    let tool = Toy.tool.description

    private func command(_ path: String...) throws -> CommandDescription {
        try #require(tool.command(path))
    }

    @Test("the short help of the tool is one screen of commands by section, and of topics")
    func rootShort() {
        #expect(
            HelpText(tool).short(tool.root) == """
                Keep lamps and logs of a lighthouse

                Usage: toy [options] COMMAND [arguments]

                Commands:
                  lamp   Look after the lamps
                  oil    Count the oil
                  pair   Pair with a lighthouse
                  help   Show a page of help

                Manage:
                  fetch  Send one request
                  demo   Try everything without a lighthouse

                Topics of 'toy help TOPIC':
                  times, options, exit-status

                Example:
                  toy lamp list

                'toy --help' shows the whole page.
                'toy help options' lists the options of every command.

                """)
    }

    @Test("the short help of a noun lists its verbs and what it runs alone")
    func nounShort() throws {
        let help = HelpText(tool).short(try command("lamp"))
        #expect(
            help.hasPrefix(
                """
                Look after the lamps

                Usage: toy lamp [VERB] [options] [arguments]

                Verbs:
                  list  List lamps, brightest first
                  show  Show lamps

                'toy lamp' alone runs 'toy lamp list'.

                """))
    }

    @Test("the short help of a verb aligns its options by section, and names those of a topic")
    func leafShort() throws {
        let help = HelpText(tool).short(try command("lamp", "list"))
        #expect(
            help.hasPrefix(
                """
                List lamps, brightest first

                Usage: toy lamp list [options]

                Filters:
                  -n, --limit N  Show at most N lamps (default: 20)
                      --hue HUE  Only this colour (default: all)
                  --until TIME
                  'toy help times' explains them.

                Options:
                  -f, --follow   Keep printing new lamps

                Example:
                """))
    }

    @Test("a command with operands and verbs shows both usages")
    func bothEndpoints() throws {
        let help = HelpText(tool).short(try command("pair"))
        #expect(
            help.contains(
                """
                Usage: toy pair [options] [URL]
                       toy pair VERB [options] [arguments]

                """))
        #expect(help.contains("      --no-wait  Do not wait for the keeper\n"))
    }

    @Test("the long help of a verb says everything")
    func leafLong() throws {
        #expect(
            HelpText(tool, width: 72).long(try command("lamp", "list")) == """
                toy lamp list - List lamps, brightest first

                Usage: toy lamp list [options]

                Prints at most N lamps (--limit), see 'toy help times'.

                    lamp-1  red
                    lamp-2  green

                Filters:
                  -n, --limit N
                          Show at most N lamps (default: 20).

                          More than 500 would be slow; see --server.

                      --hue HUE
                          Only this colour (red, green or white; default: all); may be
                          repeated.
                  --until TIME
                  'toy help times' explains them.

                Options:
                  -f, --follow
                          Keep printing new lamps.

                Global options:
                  'toy help options' lists them.

                Formats:
                  table, json, csv

                Fields:
                  id     its id
                  color  its colour

                Examples:
                  The five brightest as JSON:
                      toy lamp list -n 5 --json
                  Their ids into a file:
                      toy lamp --json | jq -r '.[].id' > ids.txt

                Exit status:
                  2  The colour is unknown
                  0 is success; 'toy help exit-status' lists the others.

                """)
    }

    @Test("long help never passes its width, code apart", arguments: [10, 40, 60, 79, 120])
    func width(columns: Int) {
        let texts = tool.root.visibleTree.map { HelpText(tool, width: columns).long($0) }
        let code = ["toy ", "lamp-", "Usage"]
        for line in texts.joined().split(separator: "\n") {
            let words = line.drop { $0 == " " }
            let isCode = code.contains { words.hasPrefix($0) }
            #expect(isCode || line.count <= max(40, columns), "\(line)")
        }
    }

    @Test("a topic shows its paragraphs; the one on exit statuses is made from the table")
    func topics() throws {
        let help = HelpText(tool, width: 60)
        #expect(
            help.topic(try #require(tool.info.topic("times"))) == """
                How times are written

                A time is now or an age such as 15m.

                  m
                      minutes

                    toy log --since 2h

                Old lamps:
                    toy lamp list --until 2h

                """)
        let options = help.topic(try #require(tool.info.topic("options")))
        #expect(options.contains("Global options:\n  -s, --server NAME\n          Talk to this"))
        #expect(options.contains("Help:\n  -h, --help\n"))
        #expect(
            help.topic(try #require(tool.info.topic("exit-status"))).hasSuffix(
                """
                  0
                      Done.
                  1 (failed)
                      Anything not below.
                  2 (usage)
                      The command line cannot be understood. Retry: no.

                """))
        #expect(tool.info.topic("nothing") == nil)
    }

    @Test("the operands of 'help' select the tool, a command or a topic, or near names")
    func subjects() {
        func subject(_ words: String...) -> String {
            do throws(UsageError) {
                switch try tool.helpSubject(words) {
                case .command(let command): return "command \(command.path)"
                case .topic(let topic): return "topic \(topic.name)"
                }
            } catch {
                return "\(error.message) (\(error.hint ?? "-"))"
            }
        }
        #expect(subject() == "command []")
        #expect(subject("lamp", "list") == "command [\"lamp\", \"list\"]")
        #expect(subject("oil", "burn") == "command [\"oil\", \"burn\"]")
        #expect(subject("times") == "topic times")
        #expect(subject("time") == "no help on 'time' (did you mean 'times'?)")
        #expect(
            subject("zzzz") == "no help on 'zzzz' (run 'toy -h' for all commands and topics)")
        #expect(subject("lamp", "lits") == "'lamp' has no verb 'lits' (did you mean 'list'?)")
    }

    @Test("headings are bold only when asked for")
    func style() {
        #expect(!HelpText(tool).short(tool.root).contains("\u{1b}"))
        let bold = HelpText(tool, isBold: true).short(tool.root)
        #expect(bold.contains("\u{1b}[1mCommands:\u{1b}[0m\n"))
    }
}
