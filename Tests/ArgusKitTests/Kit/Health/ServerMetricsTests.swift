import Testing

@testable import ArgusKit

@Suite("the numbers of /metrics")
struct ServerMetricsTests {
    private func metrics(_ text: String) -> ServerMetrics? { ServerMetrics(Array(text.utf8)) }

    @Test("labels, times, exponents and comments are understood; the largest of several counts")
    func reads() {
        let numbers = metrics(
            """
            # HELP event_queue_depth Current depth of event processing queue
            # TYPE event_queue_depth gauge
            event_queue_depth 1.2e+01 1795262400000
            event_queue_depth_total 99
            system_disk_usage_percent{path="/"} 23.8
            system_disk_usage_percent{path="/a} 99 {b"} 41
            ai_circuit_breaker_state{provider="a"} 0.0
            ai_circuit_breaker_state{provider="b"} 1.0

            """)
        #expect(numbers?["event_queue_depth"] == 12)
        #expect(numbers?["system_disk_usage_percent"] == 41)
        #expect(numbers?["ai_circuit_breaker_state"] == 1)
        #expect(numbers?["event_queue_depth_total"] == nil)
    }

    @Test(
        "what is no finite number is none",
        arguments: ["NaN", "+Inf", "-Inf", "", "x", "1,5", "{", "}", "{a=\"b\"}", "{a=\"b\" 5"])
    func refuses(_ value: String) throws {
        let numbers = try #require(metrics("# TYPE x gauge\nevent_queue_depth \(value)\n"))
        #expect(numbers["event_queue_depth"] == nil)
    }

    @Test(
        "another format has no numbers",
        arguments: [
            "", "\n\n", "{}", "<!DOCTYPE html>\n<title>Proxy</title>\n# no metrics",
            #"{"detail":"Not Found"}"#, "\u{FFFD}\u{0}",
        ])
    func otherFormats(_ text: String) { #expect(metrics(text) == nil) }

    @Test("a server without the numbers that count is one all the same")
    func lacking() {
        let numbers = metrics("# TYPE python_info gauge\npython_info{version=\"3.11\"} 1.0\n")
        #expect(numbers != nil)
        #expect(numbers?["event_queue_depth"] == nil)
    }

    @Test("10 MB with a series for each path are read")
    func large() {
        let series =
            "http_requests_total{method=\"GET\",path=\"/api/v1/x\",status_code=\"200\"} 1\n"
        var bytes = Array(repeating: Array(series.utf8), count: 10_000_000 / series.utf8.count)
            .flatMap(\.self)
        bytes += Array("event_queue_depth 7\n".utf8)
        // One line without an end.
        bytes += Array(repeating: UInt8(ascii: "x"), count: 1_000_000)
        #expect(ServerMetrics(bytes)?["event_queue_depth"] == 7)
    }
}
