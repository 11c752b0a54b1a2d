import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

/// Whole commands against a server whose numbers are all the same hostile one.
@Suite("Hostile numbers")
struct HostileNumberTests {
    @Test(
        "no number of a server stops a command, wherever it stands",
        arguments: FuzzTests.operations)
    func numbers(operation: FuzzTests.Operation) async throws {
        for number in Damage.numbers {
            let server = NumberServer(number, refusesAfter: operation.isWatch ? 30 : .max)
            _ = try await FuzzTests.run(operation, by: server)
        }
    }

    @Test("the corpus has the numbers at the ends of what programs can hold")
    func corpus() {
        #expect(Damage.numbers.contains("\(Int64.min)") && Damage.numbers.contains("\(Int64.max)"))
        let answer = NumberServer.replacingNumbers(
            in: #"{"a":1,"b":"x 2","c":[-3.5e1,4]}"#, by: "9")
        #expect(answer == #"{"a":9,"b":"x 2","c":[9,9]}"#)
    }
}

/// A server that answers as real ones did, but with one number in place of all.
private final class NumberServer: WholeAnswerTransport {
    private let number: String
    private let server: DamagedServer

    init(_ number: String, refusesAfter: Int) {
        self.number = number
        server = DamagedServer(seed: nil, refusesAfter: refusesAfter)
    }

    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var answer = try await server.answer(request)
        guard let text = String(validating: answer.body, as: UTF8.self) else { return answer }
        answer.body = Array(Self.replacingNumbers(in: text, by: number).utf8)
        return answer
    }

    static func replacingNumbers(in text: String, by number: String) -> String {
        var output: [UInt8] = []
        var (isText, isEscaped, isNumber) = (false, false, false)
        for byte in text.utf8 {
            if isText {
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if "-0123456789".utf8.contains(byte) || isNumber && "+.eE".utf8.contains(byte) {
                if !isNumber { output += number.utf8 }
                isNumber = true
                continue
            } else {
                isText = byte == UInt8(ascii: "\"")
            }
            isNumber = false
            output.append(byte)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
