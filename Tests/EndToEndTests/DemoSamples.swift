import Glibc

@testable import argus_demo

/// The answers of a real server, recorded.
enum DemoSamples {
    /// A recorded answer.
    struct Sample {
        var name: String
        var status: Int
        var headers: [String]
        var body: JSON
    }

    static func all() -> [Sample] {
        guard case .object(let members) = read("_index.json") else { return [] }
        return members.map { member in
            var headers: [String] = []
            if case .object(let fields) = member.value["headers"] {
                headers = fields.map(\.name)
            }
            return Sample(
                name: member.name, status: member.value["status"]?.int ?? 0, headers: headers,
                body: read("\(member.name).json"))
        }
    }

    /// The names of JSON files that the index does not know are left aside.
    private static func read(_ name: String) -> JSON {
        (try? JSONReader.read(bytes(of: name))) ?? .null
    }

    static func bytes(of name: String) -> [UInt8] {
        let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        guard let file = fopen("\(folder)/Fixtures/samples/\(name)", "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}

/// Compares the shapes of two JSON values: keys, their order, and types.
enum Shape {
    /// Objects whose keys are data.
    private static let maps: Set<String> = [
        "cameras", "events_by_camera", "events_by_object_type", "by_carrier",
    ]

    /// Where `answer` is not of the shape of `sample`; null fits everything.
    static func differences(_ sample: JSON, _ answer: JSON, at path: String = "$") -> [String] {
        switch (sample, answer) {
        case (.null, _), (_, .null): return []
        case (.bool, .bool), (.integer, .integer), (.number, .number), (.text, .text): return []
        case (.list(let samples), .list(let answers)):
            guard let first = samples.first else { return [] }
            return answers.enumerated().flatMap { index, element in
                // The problems of a 422 differ by type, as each has members of its own.
                let like =
                    samples.first { $0["type"] != nil && $0["type"] == element["type"] }
                    ?? samples.first { differences($0, element).isEmpty }
                return differences(like ?? first, element, at: "\(path)[\(index)]")
            }
        case (.object(let samples), .object(let answers)):
            let name = path.split(separator: ".").last.map(String.init) ?? ""
            if maps.contains(name) { return mapDifferences(samples, answers, at: path) }
            guard samples.map(\.name) == answers.map(\.name) else {
                return ["\(path): keys \(answers.map(\.name)) are not \(samples.map(\.name))"]
            }
            return zip(samples, answers).flatMap { sample, answer in
                // What was sent in comes back, whatever it was.
                sample.name == "input"
                    ? [] : differences(sample.value, answer.value, at: "\(path).\(sample.name)")
            }
        default: return ["\(path): \(answer) is not like \(sample)"]
        }
    }

    /// Each value must be like one of the sample's values.
    private static func mapDifferences(
        _ samples: [JSON.Member], _ answers: [JSON.Member], at path: String
    ) -> [String] {
        answers.filter { answer in
            !samples.contains { differences($0.value, answer.value).isEmpty }
        }.map { "\(path).\($0.name): \($0.value) is like none of the samples" }
    }
}
