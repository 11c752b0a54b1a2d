import ArgusCore
import ArgusTestSupport
import CommandLineKit
import FoundationEssentials
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
    func small() throws {
        let info = ToolInfo(
            name: "t", version: "1", date: "2025-01-02", summary: "A \"tool\"\u{1b}",
            exitStatuses: [ExitStatusInfo(0, "Done")], topics: [],
            externals: [ExternalCommand("demo", "Try it")])
        let tool = CommandLineTool<NoOptions, String>(
            info, defaults: NoOptions(), globals: [], validate: { _ in },
            commands: [.verb(Resume.self)])
        let json = text(of: tool.description.document)
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
                        "effect": null,
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

    private func text(of document: FieldValue) -> String {
        var writer = JSONWriter(layout: .pretty)
        writer.value(document)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("the description of argus is JSON with all options and without hidden parts")
    func whole() throws {
        let description = Tool.commandLine.description
        let json = text(of: description.document)
        let tool = try JSONView.parse(Array(json.utf8))
        let verbs = Array(try #require(tool["command"]?["verbs"]?.elements))
        #expect(verbs.map { $0["path"]?.strings } == description.root.visibleVerbs.map(\.path))
        #expect(!json.contains("__complete"))
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
                #""required": false,"#, #""values": null"#, "}",
            ])
        let source = try #require(options.first { $0["long"]?.string == "source" })
        #expect(source["values"]?.strings == ["rtsp", "usb", "protect", "other"])
    }

    @Test("the tool, each command and each topic are as docs/help.schema.json says")
    func schema() async throws {
        let root = (0..<3).reduce(URL(filePath: #filePath)) { path, _ in
            path.deletingLastPathComponent()
        }
        let file = try Data(contentsOf: root.appending(path: "docs/help.schema.json"))
        let schema = try JSONSchema(Array(file))
        let description = Tool.commandLine.description
        let words =
            description.root.visibleTree.map(\.path) + description.info.allTopics.map { [$0.name] }
        for words in words {
            let test = try TestSystem()
            #expect(await test.run(["help", "--json"] + words) == .done)
            #expect(schema.faults(of: try test.printed()) == [], "\(words)")
        }
    }

    @Test("the schema of a command's objects, by any of its names")
    func objects() async throws {
        for words in [["events.list"], ["events", "list"], ["events"], ["event.list"]] {
            let test = try TestSystem()
            #expect(await test.run(["help", "--schema"] + words) == .done)
            let schema = try test.printed()
            #expect(schema["required"]?.strings == EventView.fields.map(\.name))
            let properties = try #require(schema["properties"])
            #expect(properties["id"]?["type"]?.string == "string")
            #expect(properties["timestamp"]?["format"]?.string == "date-time")
            #expect(properties["timestamp"]?["type"]?.strings == ["string", "null"])
            #expect(properties["objects"]?["items"]?["type"]?.string == "string")
            #expect(properties["description"]?["x-untrusted"]?.bool == true)
            #expect(properties["type"]?["x-untrusted"] == nil)
        }
        let test = try TestSystem()
        #expect(await test.run("help", "--schema", "token") == .usage)
        #expect(test.stderr.contains("'argus token' prints no objects"))
        #expect(await test.run("help", "--schema", "times") == .usage)
        #expect(await test.run("help", "--schema") == .usage)
        #expect(await test.run("help", "--json", "nonsense") == .usage)
    }

    @Test("the word for a type can be read back")
    func types() {
        let types: [FieldType] = [
            .any, .text, .nullable(.time), .list(.object), .nullable(.list(.integer)),
        ]
        for type in types { #expect(FieldType(type.description) == type) }
        #expect(FieldType.nullable(.list(.text)).description == "list of text or null")
        #expect(FieldType("list of things") == nil)
        for command in Tool.commandLine.description.root.visibleTree {
            for field in command.about.fields { #expect(FieldType(field.type) != nil) }
        }
    }

    @Test("a setting or a variable turns no help into JSON")
    func variable() async throws {
        let test = try TestSystem()
        test.environment["ARGUS_FORMAT"] = "json"
        #expect(await test.run("help", "events") == .done)
        #expect(!test.stdout.hasPrefix("{"))
    }
}
