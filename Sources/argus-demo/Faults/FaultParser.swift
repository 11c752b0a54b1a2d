extension Fault {
    /// Parses the value of `--fault`, such as `route=/api/v1/events,status=503,times=2`.
    ///
    /// `body=` takes the rest of the text, commas included.
    init(parsing spec: String) throws(UsageError) {
        guard !spec.isEmpty else { throw UsageError("the fault is empty") }
        var rest = Substring(spec)
        while !rest.isEmpty {
            let part: Substring
            if rest.hasPrefix("body=") {
                part = rest
                rest = ""
            } else {
                part = rest.prefix { $0 != "," }
                rest = rest.dropFirst(part.count + 1)
            }
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            try apply(String(pair[0]), pair.count == 2 ? String(pair[1]) : nil)
        }
    }

    private mutating func apply(_ name: String, _ value: String?) throws(UsageError) {
        switch (name, value) {
        case ("route", let value?): route = value
        case ("method", let value?): method = value.uppercased()
        case ("status", let value?): status = try number(name, value, in: 100...599)
        case ("after", let value?): after = try number(name, value, in: 0...Int.max)
        case ("times", let value?): times = try number(name, value, in: 1...Int.max)
        case ("delay", let value?): delayMilliseconds = try Fault.milliseconds(name, value)
        case ("body", let value?): body = value
        case ("content-type", let value?): contentType = value
        case ("header", let value?):
            let pair = value.split(separator: ":", maxSplits: 1)
            guard pair.count == 2 else {
                throw UsageError("a fault's header is written NAME:VALUE, not \(value)")
            }
            headers.append((pair[0].lowercased(), pair[1].trimmed))
        case ("truncate", let value?):
            delivery = .truncated(try number(name, value, in: 0...Int.max))
        case ("drip", let value?): delivery = .dripped(try number(name, value, in: 1...Int.max))
        case ("html", nil):
            status = status ?? 502
            contentType = "text/html; charset=utf-8"
            body = "<!DOCTYPE html><title>Proxy</title><h1>Not the server's answer</h1>"
        case ("echo", nil): echoes = true
        case ("reset", nil): delivery = .reset
        case ("garbage", nil): delivery = .garbage
        case ("endless", nil): delivery = .endless
        case ("silent", nil): delivery = .silent
        default: throw UsageError("no fault is called \(name)\(value == nil ? "" : "=")")
        }
    }

    private func number(
        _ name: String, _ value: String, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw UsageError("\(name)=\(value) is out of range for a fault")
        }
        return number
    }

    /// Parses a duration of at most a day.
    static func milliseconds(_ name: String, _ value: String) throws(UsageError) -> Int64 {
        let unit: Double = value.hasSuffix("ms") ? 1 : 1000
        let digits = value.prefix { $0.isNumber || $0 == "." }
        guard ["ms", "s", ""].contains(value.dropFirst(digits.count)),
            let number = Double(digits), number * unit <= 86_400_000
        else { throw UsageError("\(name)=\(value) is not a duration; write 200ms or 2s") }
        return Int64(number * unit)
    }
}
