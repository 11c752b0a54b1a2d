import CCurl

/// The reads and writes on the connection of a transfer that only connected (curl_easy_recv(3),
/// curl_easy_send(3)); confined to the transfer thread.
final class TransferChannel {
    let transfer: Transfer
    private let socket: curl_socket_t
    private var operation: ChannelOperation?
    /// The bytes of the write that are not sent.
    private var unsent: ArraySlice<UInt8> = []

    /// Makes a channel of a connected transfer, whose handle must stay in its multi handle: its
    /// connection would be closed.
    init(_ transfer: Transfer) {
        self.transfer = transfer
        socket = transfer.easy.activeSocket
    }

    /// The socket to wait for; nil while no operation waits.
    var watched: curl_waitfd? {
        guard let operation else { return nil }
        let events = operation.bytes.isEmpty ? CURL_WAIT_POLLIN : CURL_WAIT_POLLOUT
        return curl_waitfd(fd: socket, events: Int16(events), revents: 0)
    }

    var deadline: TransferClock.Instant? { operation?.deadline }

    /// Begins an operation, which may follow only the end of another.
    func begin(_ next: ChannelOperation) {
        guard operation == nil else { return next.refuse() }
        operation = next
        unsent = next.bytes[...]
    }

    /// Carries the operation on as far as it goes without waiting.
    func advance(at now: TransferClock.Instant) {
        guard let operation else { return }
        var result = operation.bytes.isEmpty ? read() : write()
        if result == nil, operation.deadline <= now {
            result = .failure(TransportError(.timedOut(.idle), "no byte in time"))
        }
        guard let result else { return }
        self.operation = nil
        operation.answer(result)
    }

    /// Sends the last bytes, unless a write has stopped within its own, and refuses the operation.
    func end(sending farewell: [UInt8]) {
        if unsent.isEmpty || unsent.count == operation?.bytes.count {
            _ = transfer.easy.send(farewell[...])
        }
        operation?.refuse()
        operation = nil
    }

    private func read() -> Result<[UInt8], TransportError>? {
        let (code, bytes) = transfer.easy.receive()
        return code == CURLE_OK ? .success(bytes) : failure(code)
    }

    private func write() -> Result<[UInt8], TransportError>? {
        while !unsent.isEmpty {
            let (code, count) = transfer.easy.send(unsent)
            guard code == CURLE_OK else { return failure(code) }
            unsent = unsent.dropFirst(count)
        }
        return .success([])
    }

    /// The failure for a code of libcurl; nil if the socket must be waited for.
    private func failure(_ code: CURLcode) -> Result<[UInt8], TransportError>? {
        guard code != CURLE_AGAIN else { return nil }
        unsent = []
        return .failure(
            TransportError(.connectionLost, transfer.words(for: .connectionLost, code)))
    }
}
