import ArgusKit
import ArgusTestSupport
import Glibc
import Testing

@testable import argus

@Suite("What TAB offers")
struct CompleteTests {
    private let test: TestSystem

    init() throws {
        test = try TestSystem()
    }

    /// The candidates with their descriptions.
    private func offers(_ kind: String, _ word: String, after operands: String...) async throws
        -> [String]
    {
        let before = test.stdout.count
        #expect(await test.run(["__complete", kind, "--", word] + operands) == .done)
        return test.stdout.dropFirst(before).split(separator: "\n").map(String.init)
    }

    @Test("the value of a setting: its words, what is set now and the default")
    func values() async throws {
        try test.folder.plant(
            "color = 'never'\ntimeout = '5m'\nalias.porch = \"cameras show 'Front Door'\"\n",
            "config.toml", mode: 0o644)
        #expect(
            try await offers("values", "", after: "format")
                == ["table\tdefault", "json", "ndjson", "csv", "tsv"])
        #expect(
            try await offers("values", "", after: "color")
                == ["auto\tdefault", "always", "never\tset now"])
        #expect(try await offers("values", "t", after: "utc") == ["true"])
        #expect(
            try await offers("values", "", after: "timeout") == ["5m\tset now", "30s\tdefault"])
        #expect(try await offers("values", "", after: "retries") == ["2\tdefault"])
        #expect(
            try await offers("values", "", after: "alias.porch") == ["cameras show 'Front Door'"])
        for key in ["relay_url", "alias.none", "colour", "", "trace"] {
            #expect(try await offers("values", "", after: key) == [], "\(key)")
        }
        #expect(try await offers("values", "") == [])
    }

    @Test("a file with mistakes, or none that can be read, still has values to offer")
    func brokenConfiguration() async throws {
        try test.folder.plant("colour = 1\ncolor = 'always'\n", "config.toml", mode: 0o644)
        #expect(
            try await offers("values", "a", after: "color") == ["auto\tdefault", "always\tset now"])
        try test.folder.plant("= broken", "config.toml", mode: 0o644)
        #expect(try await offers("values", "", after: "utc") == ["true", "false\tdefault"])
    }

    @Test("servers by name, stores with the helpers in PATH that have a possible name")
    func serversAndStores() async throws {
        try await test.know("cottage", at: "https://c.example")
        #expect(
            try await offers("values", "", after: "server") == ["cottage\thttps://c.example"])
        let folder = test.folder.file("bin")
        mkdir(folder, 0o700)
        for (name, mode) in [
            ("argus-credential-vault", 0o700), ("argus-credential-plain", 0o600),
            ("argus-credential-Bad name", 0o700), ("argus-credential-", 0o700), ("argus-x", 0o700),
        ] as [(String, mode_t)] {
            try test.folder.plant("#!/bin/sh\n", "bin/" + name, mode: mode)
        }
        test.environment["PATH"] = "relative::\(folder):/nonexistent"
        let stores = ["file", "secret-service", "helper:vault"]
        #expect(try await offers("stores", "") == stores)
        #expect(try await offers("values", "", after: "credential_store") == stores)
        #expect(try await offers("stores", "helper:v") == ["helper:vault"])
    }

    @Test("cameras of a list one by one, and all or none alone")
    func cameraChoice() async throws {
        let record = try await test.know()
        let cameras = try [("Front Door", "c1"), ("Garage, left", "c2"), ("all", "c3")].map {
            let row = #"{"id":"\#($0.1)","name":"\#($0.0)"}"#
            return try #require(Camera(try JSONView.parse(Array(row.utf8))))
        }
        CompletionCache(test.paths.cache, server: record.id)?.remember(cameras: cameras)
        #expect(
            try await offers("camera-choice", "")
                == ["all", "none", "Front Door\tc1", "c2\tGarage, left", "c3\tall"])
        #expect(
            try await offers("camera-choice", "front door,")
                == ["front door,c2\tGarage, left", "front door,c3\tall"])
        #expect(
            try await offers("camera-choice", "c1,C2,") == ["c1,C2,c3\tall"])
        #expect(try await offers("camera-choice", "c2,fr") == ["c2,Front Door\tc1"])
        #expect(try await offers("camera-choice", "c2,n") == [])
    }

    @Test("routes that take the method before them, and none after what is no method")
    func routes() async throws {
        let record = try await test.know()
        CompletionCache(test.paths.cache, server: record.id)?.remember(routes: [
            .init(method: "GET", path: "/api/v1/events"),
            .init(method: "POST", path: "/api/v1/events"),
            .init(method: "GET", path: "/api/v1/logs"),
            .init(method: "DELETE", path: "/api/v1/events/{event_id}"),
        ])
        #expect(try await offers("routes", "", after: "POST") == ["events\tGET POST"])
        #expect(
            try await offers("routes", "/", after: "get") == [
                "/api/v1/events\tGET POST", "/api/v1/logs\tGET",
            ])
        #expect(try await offers("routes", "", after: "DELETE") == ["events/{event_id}\tDELETE"])
        #expect(try await offers("routes", "", after: "HEAD") == [])
        #expect(try await offers("routes", "", after: "events") == [])
        #expect(
            try await offers("calls", "ev") == ["events\tGET POST", "events/{event_id}\tDELETE"])
    }
}
