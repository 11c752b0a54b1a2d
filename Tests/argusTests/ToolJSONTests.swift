import ArgusCore
import CommandLineKit
import Testing

@testable import argus

@Suite struct ToolJSONTests {
    private enum Resume: Command {
        static let about = CommandInfo(name: "resume", summary: "Go on waiting") {
            CommandInfo.Details(examples: [Example("t resume", "Go on")], exitStatuses: [0])
        }

        static func invocation(_ options: NoOptions) -> String { "" }
    }

    @Test("the JSON description writes keys in a fixed order")
    func small() {
        let info = ToolInfo(
            name: "t", version: "1", date: "2025-01-02", summary: "A \"tool\"\u{1b}",
            exitStatuses: [ExitStatusInfo(0, "Done")], topics: [],
            externals: [ExternalCommand("demo", "Try it")])
        let tool = CommandLineTool<NoOptions, String>(
            info, defaults: NoOptions(), globals: [], validate: { _ in },
            commands: [.verb(Resume.self)])
        let json = tool.description.json
        #expect(
            json.hasPrefix(
                #"""
                {
                  "schema": 1,
                  "name": "t",
                  "version": "1",
                  "date": "2025-01-02",
                  "summary": "A \"tool\"\u001b",
                  "homepage": null,
                  "exit_statuses": [
                    {
                      "code": 0,
                      "name": null,
                      "meaning": "Done",
                      "retry": null
                    }
                  ],
                """#))
        #expect(
            json.hasSuffix(
                #"""
                    "verbs": [
                      {
                        "path": [
                          "resume"
                        ],
                        "summary": "Go on waiting",
                        "synopses": [
                          "t resume [options]"
                        ],
                        "default_verb": null,
                        "arguments": [],
                        "options": [],
                        "formats": [],
                        "fields": [],
                        "exit_statuses": [
                          {
                            "code": 0,
                            "meaning": "Done"
                          }
                        ],
                        "examples": [
                          {
                            "line": "t resume",
                            "explanation": "Go on"
                          }
                        ],
                        "verbs": []
                      }
                    ]
                  }
                }

                """#))
    }

    @Test("the description of argus is JSON with all options and without hidden parts")
    func whole() throws {
        let description = Tool.commandLine.description
        let tool = try JSONView.parse(Array(description.json.utf8))
        let verbs = Array(try #require(tool["command"]?["verbs"]?.elements))
        #expect(verbs.map { $0["path"]?.strings } == description.root.visibleVerbs.map(\.path))
        #expect(!description.json.contains("__complete"))
        let globals = Array(try #require(tool["global_options"]?.elements))
        #expect(globals.map { $0["long"]?.string } == description.globalFlags.map(\.long))
        let events = try #require(verbs.first { $0["path"]?.strings == ["events"] })
        let list = try #require(events["verbs"]?.elements.first { _ in true })
        #expect(list["path"]?.strings == ["events", "list"])
        let options = Array(try #require(list["options"]?.elements))
        let limit = try #require(options.first { $0["long"]?.string == "limit" })
        #expect(
            String(decoding: limit.rawBytes, as: UTF8.self).split(separator: "\n").map {
                $0.trimmingPrefix { $0 == " " }
            } == [
                "{", #""long": "limit","#, #""short": "n","#, #""negation": null,"#,
                #""kind": "single","#, #""value": "N","#, #""section": "Options","#,
                #""summary": "Show at most N events","#, #""default": "20","#,
                #""values": null"#, "}",
            ])
        let source = try #require(options.first { $0["long"]?.string == "source" })
        #expect(source["values"]?.strings == ["rtsp", "usb", "protect", "other"])
    }
}
