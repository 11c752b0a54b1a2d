import ArgusCore
import CCurl
import Glibc

typealias TransferResult = Result<HTTPResponse, TransferFailure>

/// The failure of an attempt, and whether a fresh connection may help.
struct TransferFailure: Error {
    var error: TransportError
    /// True if a reused connection broke before the first byte of this answer.
    var brokeReusedConnection = false
}

/// One request on its way to the transfer thread.
struct Submission: Sendable {
    var id: TransferID
    let request: HTTPRequest
    let receive: BodyReceiver?
    let proxy: Redacted<String>?
    /// True if no pooled connection may be used.
    var needsFreshConnection: Bool
    let started = ContinuousClock.now
    let observation: TransferObservation?
    /// Receives the result, exactly once.
    var answer: @Sendable (TransferResult) -> Void = { _ in }

    init(
        _ id: TransferID, _ request: HTTPRequest, _ receive: BodyReceiver?,
        over transport: CurlTransport
    ) {
        self.id = id
        self.request = request
        self.receive = receive
        let isDirect = request.proof.avoidsProxies || request.proof.socketAddress != nil
        proxy = isDirect ? nil : transport.proxies.proxy(for: request.origin)
        needsFreshConnection = request.purpose != .answer
        observation = transport.observation
    }

    /// True if the observer learns of it: a request leaves, not only a proof.
    var isObserved: Bool { request.purpose == .answer || request.purpose == .webSocket }
}

/// One attempt at a request: the libcurl handle and everything it points to.
///
/// Confined to the transfer thread; it must not be freed while its handle is in a multi handle.
final class Transfer {
    let submission: Submission
    let easy: EasyHandle
    var clock: TransferClock
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    /// Bytes of body after decompression, collected or passed on.
    private(set) var bodyCount = 0
    /// The reason why a callback ended the transfer, and its details.
    private(set) var stopReason: TransportError.Kind?
    private(set) var stopWords: String?
    /// The last address of the name to which the request must not go; it may have others.
    private(set) var refusedAddress: String?

    private let headerList: CurlList
    private let addressList: CurlList
    private let connectionList: CurlList
    private let errorText: UnsafeMutablePointer<CChar>

    /// Prepares a handle for the request.
    /// - Throws: `.identityRefused` or `.libraryMissing`; nothing was sent.
    init(_ submission: Submission, curl: CurlLibrary) throws(TransportError) {
        let easy = try EasyHandle(curl)
        try easy.configure(for: submission)
        self.submission = submission
        self.easy = easy
        headerList = try CurlList(curl, submission.request.headerLines)
        addressList = try CurlList(curl, submission.request.resolvedAddresses)
        connectionList = try CurlList(curl, submission.request.connectionAddresses)
        clock = TransferClock(
            submission.request.deadlines, started: submission.started, now: .now)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))

        let context = Unmanaged.passUnretained(self).toOpaque()
        let target = submission.request.target
        try self.easy.set(CURLOPT_URL, submission.request.origin.description + target)
        try self.easy.set(CURLOPT_ERRORBUFFER, pointer: errorText)
        try self.easy.set(CURLOPT_HTTPHEADER, pointer: self.headerList.head)
        try self.easy.set(CURLOPT_RESOLVE, pointer: self.addressList.head)
        try self.easy.set(CURLOPT_CONNECT_TO, pointer: self.connectionList.head)
        try self.easy.set(CURLOPT_HEADERDATA, pointer: context)
        try self.easy.set(CURLOPT_HEADERFUNCTION, callback: receiveHeaderLine)
        try self.easy.set(CURLOPT_WRITEDATA, pointer: context)
        try self.easy.set(CURLOPT_WRITEFUNCTION, callback: receiveBody)
        let request = submission.request
        if request.refusesLocalAddresses, submission.proxy == nil {
            try self.easy.set(openCallback: openSocket, context)
        }
        guard request.hold != nil, request.purpose == .answer else { return }
        do throws(TransportError) {
            try self.easy.set(departureCallback: requestLeaves, context)
        } catch {
            leave()
        }
    }

    deinit {
        // The handle is freed after this and could still write its last message.
        try? easy.set(CURLOPT_ERRORBUFFER, pointer: nil)
        errorText.deallocate()
    }

    /// libcurl's message about a failure, without its line break; empty if there is none.
    var errorWords: String { String(cString: errorText) }

    /// Called before a connection to an address; false keeps it from being made.
    fileprivate func mayConnect(to address: String) -> Bool {
        guard Origin(scheme: .https, host: address, port: 443).isLocalAddress else { return true }
        refusedAddress = address
        return false
    }

    /// Called when the request leaves, or may have left.
    fileprivate func leave() {
        submission.request.hold?.begin(for: submission.request.deadlines.longestAnswer)
    }

    /// Handles a header line; false ends the transfer.
    fileprivate func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
        clock.received(at: .now)
        let wasComplete = head.isComplete
        head.append(line: line)
        let limit = submission.request.limits.headers
        guard head.byteCount <= limit else {
            return stop(.tooLarge, "the answer has more than \(limit >> 10) KiB of header fields")
        }
        if head.isComplete, !wasComplete { finishHead() }
        return true
    }

    /// Makes a callback end the transfer.
    private func stop(_ reason: TransportError.Kind, _ words: String? = nil) -> Bool {
        (stopReason, stopWords) = (reason, words)
        return false
    }

    private func finishHead() {
        if head.status >= 500, head.version.hasPrefix("HTTP/1") {
            // ArgusAI drops the connection after an unhandled error without announcing it.
            easy.setIfKnown(CURLOPT_FORBID_REUSE, 1)
        }
        submission.observation?.observer(.answered(submission.id, .init(head)))
    }

    /// Handles a piece of body; false ends the transfer.
    fileprivate func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        clock.received(at: .now)
        let isGood = 200..<300 ~= head.status
        let limits = submission.request.limits
        // The body of a refusal is held, however large a good one may be.
        let limit = isGood ? limits.body : min(limits.body, SizeLimits().body)
        guard bytes.count <= limit - bodyCount else { return stopBeyond(limit) }
        if isGood, let receive = submission.receive {
            bodyCount += bytes.count
            guard receive(bytes) else { return stop(.receiverStopped) }
            // A receiver that blocked does not mean that the server is silent.
            clock.received(at: .now)
            return true
        }
        if bodyCount == 0 {
            let announced = Int(easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
            guard announced <= limit else { return stopBeyond(limit) }
            body.reserveCapacity(max(announced, bytes.count))
        }
        bodyCount += bytes.count
        body.append(contentsOf: bytes)
        return true
    }

    private func stopBeyond(_ limit: Int) -> Bool {
        let size = limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
        return stop(.tooLarge, "the answer is larger than \(size)")
    }
}

/// CURLOPT_OPENSOCKETFUNCTION(3): an address of the name is about to be connected to.
private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    let refused: curl_socket_t = -1
    guard let context, let address, let start = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
    else { return refused }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    // The structure of libcurl goes on behind its last member.
    let place = (UnsafeRawPointer(address) + start).assumingMemoryBound(to: sockaddr.self)
    guard let name = SocketName(place, socklen_t(address.pointee.addrlen)),
        transfer.mayConnect(to: name.host)
    else { return refused }
    let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(address.pointee.family, kind, address.pointee.protocol)
}

/// CURLOPT_PREREQFUNCTION(3): the connection is established, and no part of the request is sent.
private func requestLeaves(
    _ context: UnsafeMutableRawPointer?, _ remoteAddress: UnsafeMutablePointer<CChar>?,
    _ localAddress: UnsafeMutablePointer<CChar>?, _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
    guard let context else { return CURL_PREREQFUNC_ABORT }
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().leave()
    return CURL_PREREQFUNC_OK
}

/// CURLOPT_HEADERFUNCTION(3): one whole header line.
private func receiveHeaderLine(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    pass(bytes, size * count, to: context) { transfer, line in transfer.take(headerLine: line) }
}

/// CURLOPT_WRITEFUNCTION(3): a piece of body after decompression.
private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    pass(bytes, size * count, to: context) { transfer, piece in transfer.take(body: piece) }
}

/// Returns the count, or another one to make libcurl end the transfer.
private func pass(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, to context: UnsafeMutableRawPointer?,
    _ take: (Transfer, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    if take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) { return count }
    return count == 0 ? 1 : 0
}
