import CommandLineKit
import Testing

@Suite struct ToolJSONTests {
    @Test("the JSON description writes keys in a fixed order")
    func small() {
        let info = ToolInfo(
            name: "t", version: "1", date: "2025-01-02", summary: "A \"tool\"\u{1b}",
            exitStatuses: [ExitStatusInfo(0, "Done")], topics: [],
            externals: [ExternalCommand("demo", "Try it")])
        let tool = Toy.makeTool(info, globals: [], commands: [.verb(PairResume.self)])
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
            json.contains(
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
                            "line": "toy pair resume",
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

    @Test("the description of the toy is JSON that jq reads, without hidden parts")
    func wholeToy() throws {
        let folder = try ScratchFolder()
        let file = try folder.write(Toy.tool.description.json, to: "toy.json")
        func query(_ filter: String) throws -> String {
            try run(["jq", "-c", filter, file]).output
        }
        let list = ".command.verbs[0].verbs[0]"
        #expect(
            try query("\(list).options[0] | del(.summary)")
                == #"{"long":"limit","short":"n","negation":null,"kind":"single","value":"N","#
                + #""section":"Filters","values":null}"# + "\n")
        #expect(
            try query("[\(list).options[].values]") == #"[null,["red","green","white"],null,null]"#
                + "\n")
        #expect(try query("[.global_options[].long] | length") == "10\n")
        #expect(
            try query("[.. | .path? // empty | join(\" \")] | .[3:5]") == #"["lamp show","oil"]"#
                + "\n")
        #expect(!Toy.tool.description.json.contains("unlock"))
    }
}
