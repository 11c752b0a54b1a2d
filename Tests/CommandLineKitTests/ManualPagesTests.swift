import ArgusTestSupport
import Testing

@testable import CommandLineKit

@Suite struct ManualPagesTests {
    let pages = ManualPages(Toy.tool.description)

    @Test("there is a page for the tool, each shown command and each topic")
    func names() {
        #expect(
            pages.files.map(\.name) == [
                "toy.1", "toy-lamp.1", "toy-lamp-list.1", "toy-lamp-show.1", "toy-oil.1",
                "toy-oil-fill.1", "toy-pair.1", "toy-pair-resume.1", "toy-fetch.1", "toy-help.1",
                "toy-times.7", "toy-options.7", "toy-exit-status.7",
            ])
    }

    @Test("a page carries the whole declaration in the man language")
    func page() throws {
        let command = try #require(Toy.tool.description.command(["lamp", "show"]))
        #expect(
            pages.page(of: command) == #"""
                .TH TOY-LAMP-SHOW 1 2025-01-02 "toy 1.2.3" "toy manual"
                .SH NAME
                toy\-lamp\-show \- show lamps
                .SH SYNOPSIS
                \fBtoy lamp show\fR \fI[options]\fR \fILAMP...\fR
                .SH ARGUMENTS
                .TP
                \fILAMP...\fR
                Name or id of a lamp.
                .SH OPTIONS
                .TP
                \fB\-o\fR, \fB\-\-output\fR \fIFILE\fR
                Write to FILE.
                .SH "GLOBAL OPTIONS"
                \fBtoy\-options\fR(7) lists them.
                .SH OUTPUT
                Formats: table, json.
                .TP
                \fBid\fR
                its id
                .SH EXAMPLES
                One lamp by name:
                .PP
                .RS 4
                .EX
                toy lamp show \(aqFront Door\(aq
                .EE
                .RE
                .SH "EXIT STATUS"
                0 is success; \fBtoy\-exit\-status\fR(7) lists the others.
                .SH "SEE ALSO"
                \fBtoy\-lamp\fR(1), \fBtoy\-exit\-status\fR(7)

                """#)
    }

    @Test("references become the names of pages, details stay inside their option")
    func references() throws {
        let command = try #require(Toy.tool.description.command(["lamp", "list"]))
        let page = pages.page(of: command)
        #expect(
            page.contains(
                #"Prints at most \fIN\fR lamps (\fB\-\-limit\fR), see \fBtoy\-times\fR(7)."#))
        #expect(
            page.contains(
                """
                Show at most N lamps (default: 20).
                .RS 7
                .PP
                More than \\fB500\\fR would be slow; see \\fB\\-\\-server\\fR.
                .RE

                """))
    }

    @Test("nothing in a text can become a macro or an escape")
    func escaping() throws {
        var info = Toy.info
        info.topics = [
            HelpTopic(
                "wild", "Wild text",
                paragraphs: [
                    ".SH not a heading", "'br \\fBnot bold\\fR", "a`b^c~d \u{e9}\u{1f600}",
                    .code(".code\n\n'code \\n"),
                ])
        ]
        let tool = Toy.makeTool(info, commands: []).description
        let page = ManualPages(tool).page(of: try #require(info.topic("wild")))
        #expect(
            page.contains(
                #"""
                .SH DESCRIPTION
                \&.SH not a heading
                .PP
                \(aqbr \efBnot bold\efR
                .PP
                a\(gab\(hac\(tid \[u00E9]\[u1F600]
                .PP
                .RS 4
                .EX
                \&.code
                \&
                \(aqcode \en
                .EE
                .RE

                """#))
        #expect(try lint([GeneratedFile(name: "wild.7", contents: page)]) == "")
    }

    @Test("mandoc finds nothing to warn about")
    func mandoc() throws {
        #expect(try lint(pages.files) == "")
    }

    /// What `mandoc -Tlint` says about the pages.
    private func lint(_ files: [GeneratedFile]) throws -> String {
        let folder = try ScratchFolder()
        let paths = try files.map { try folder.write($0.contents, to: $0.name) }
        let result = try run(["mandoc", "-Tlint", "-Wwarning"] + paths)
        return result.output + (result.status == 0 ? "" : "status \(result.status)")
    }
}
