import Glibc

/// A numeric address and a port to send one request to.
struct SocketPlace {
    private let host: String
    private let port: String

    /// The seconds that each step of an exchange may take.
    private static let timeout = 3

    /// Parses `HOST:PORT` or `[HOST]:PORT`; nil without a host.
    init?(_ authority: String) {
        var (host, port) = (authority[...], "80"[...])
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]") : authority.startIndex
        if let colon = authority[(end ?? authority.startIndex)...].firstIndex(of: ":") {
            (host, port) = (authority[..<colon], authority[authority.index(after: colon)...])
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host.filter { $0 != "[" && $0 != "]" })
        self.port = String(port)
    }

    /// Sends bytes, and returns the first part of the answer; nil without one.
    func exchange(_ request: [UInt8]) -> [UInt8]? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &list) == 0, let found = list?.pointee else {
            return nil
        }
        defer { freeaddrinfo(list) }
        let number = socket(
            found.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return nil }
        defer { close(number) }
        var limit = timeval(tv_sec: Self.timeout, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(
                number, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(number, found.ai_addr, found.ai_addrlen) == 0 else { return nil }
        var rest = request[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return nil }
            rest = rest.dropFirst(count)
        }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = recv(number, &answer, answer.count, 0)
        return count > 0 ? Array(answer[..<count]) : nil
    }
}
