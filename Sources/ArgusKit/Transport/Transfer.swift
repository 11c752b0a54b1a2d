import CCurl
import Glibc

/// What became of one attempt.
///
/// No `Result`: making its type at run time looks through all conformances of the program, which a
/// short run would notice.
enum TransferOutcome: Sendable {
    case success(HTTPResponse)
    case failure(TransferFailure)

    /// Whether the server did what was asked.
    var isGood: Bool {
        if case .success(let response) = self { 200..<300 ~= response.status } else { false }
    }
}

/// Why an attempt failed, and whether a fresh connection may help.
struct TransferFailure: Sendable {
    var error: TransportError
    /// Whether a connection that served earlier requests broke before a byte of this answer.
    var brokeReusedConnection = false
}

/// One request on its way to the thread that sends it.
struct Submission: Sendable {
    let id: TransferID
    let request: HTTPRequest
    let receive: BodyReceiver?
    let proxy: Redacted<String>?
    /// Whether a pooled connection must not be used.
    var needsFreshConnection = false
    let started: ContinuousClock.Instant
    /// Where a body is kept that is not held in memory.
    var folder = "/tmp"
    /// Who is told what happens to it.
    let observation: TransferObservation?
    /// Takes the outcome, exactly once; a plain closure, because making the type of a continuation
    /// on this thread would hold up the first request.
    let answer: @Sendable (TransferOutcome) -> Void
}

/// One attempt at a request: the libcurl handle and everything it points at.
///
/// It lives on the transfer thread only and must not be freed while its handle is in a multi handle.
final class Transfer {
    let submission: Submission
    let easy: EasyHandle
    var clock: TransferClock
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    /// The body, from the moment on at which it is too long for memory.
    private(set) var file: SpoolFile?
    /// Bytes of body after decompression, collected or handed on.
    private(set) var bodyCount = 0
    /// Why a callback ended the transfer.
    private(set) var stopReason: TransportError.Kind?
    /// What there is to say of it beside the kind.
    private(set) var stopWords: String?

    private let headerList: CurlList
    private let addressList: CurlList
    private let connectionList: CurlList
    private let errorText: UnsafeMutablePointer<CChar>

    /// Prepares a handle for the request.
    ///
    /// - Throws: `.identityRefused` or `.libraryMissing`; nothing was sent.
    init(_ submission: Submission, curl: CurlLibrary) throws(TransportError) {
        let easy = try EasyHandle(curl)
        try easy.configure(for: submission, curl: curl)
        self.submission = submission
        self.easy = easy
        headerList = try submission.request.headerList(curl)
        addressList = try submission.request.addressList(curl)
        connectionList = try submission.request.connectionList(curl)
        clock = TransferClock(
            submission.request.deadlines, started: submission.started, now: .now)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))

        let context = Unmanaged.passUnretained(self).toOpaque()
        try self.easy.set(CURLOPT_ERRORBUFFER, pointer: errorText)
        try self.easy.set(CURLOPT_HTTPHEADER, pointer: self.headerList.head)
        try self.easy.set(CURLOPT_RESOLVE, pointer: self.addressList.head)
        try self.easy.set(CURLOPT_CONNECT_TO, pointer: self.connectionList.head)
        try self.easy.set(CURLOPT_HEADERDATA, pointer: context)
        try self.easy.set(CURLOPT_HEADERFUNCTION, callback: receiveHeaderLine)
        try self.easy.set(CURLOPT_WRITEDATA, pointer: context)
        try self.easy.set(CURLOPT_WRITEFUNCTION, callback: receiveBody)
        if submission.request.hold != nil, submission.request.purpose == .answer,
            !self.easy.set(departureCallback: requestLeaves, context)
        {
            leave()
        }
    }

    deinit {
        // The handle is freed after this and could still write its last words.
        try? easy.set(CURLOPT_ERRORBUFFER, pointer: nil)
        errorText.deallocate()
    }

    /// What libcurl says about a failure, without its line break; empty when it says nothing.
    var errorWords: String { String(cString: errorText) }

    /// The request leaves now, or may have left.
    fileprivate func leave() {
        let request = submission.request
        request.hold?.begin(for: request.deadlines.longestAnswer)
    }

    /// Takes a header line; false ends the transfer.
    fileprivate func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
        clock.received(at: .now)
        let wasComplete = head.isComplete
        head.append(line: line)
        guard head.byteCount <= submission.request.limits.headers else {
            stopReason = .tooLarge
            return false
        }
        if head.isComplete, !wasComplete { finishHead() }
        return true
    }

    private func finishHead() {
        if head.status >= 500, head.version.hasPrefix("HTTP/1") {
            // ArgusAI drops the connection after an unhandled error without saying so.
            easy.setIfKnown(CURLOPT_FORBID_REUSE, 1)
        }
        submission.observation?.observer(.answered(submission.id, .init(head)))
    }

    /// Takes a piece of body; false ends the transfer.
    fileprivate func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        clock.received(at: .now)
        let isGood = 200..<300 ~= head.status
        let limits = submission.request.limits
        // What is collected of a refusal stays small, however large the answer might have been.
        let limit = isGood ? limits.body : min(limits.body, limits.held ?? SizeLimits().body)
        guard bytes.count <= limit - bodyCount else {
            stopReason = .tooLarge
            return false
        }
        let received = easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
        guard !SizeLimits.isExpandedTooMuch(bodyCount + bytes.count, received: received) else {
            stopReason = .tooLarge
            stopWords = "the answer is compressed more than 64 times"
            return false
        }
        if isGood, let receive = submission.receive {
            bodyCount += bytes.count
            if receive(bytes) {
                // A receiver that had to wait is no sign that the server is silent.
                clock.received(at: .now)
                return true
            }
            stopReason = .receiverStopped
            return false
        }
        if bodyCount == 0 {
            let announced = Int(easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
            guard announced <= limit else {
                stopReason = .tooLarge
                return false
            }
            // A hint only: a server may announce more than it sends.
            body.reserveCapacity(min(max(announced, bytes.count), limits.held ?? limit))
        }
        bodyCount += bytes.count
        guard bodyCount > limits.held ?? .max else {
            body.append(contentsOf: bytes)
            return true
        }
        return keep(bytes)
    }

    /// Adds bytes to the file, to which what has come before moves first.
    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(FileSystemError) {
            if let file {
                try file.write(bytes)
                return true
            }
            ProcessMemory.returnLargeBlocks()
            let file = try SpoolFile(in: submission.folder)
            self.file = file
            try file.write(body)
            body = []
            try file.write(bytes)
            return true
        } catch {
            stopReason = .receiverStopped
            stopWords = "\(error)"
            return false
        }
    }
}

/// CURLOPT_PREREQFUNCTION(3): the connection stands, and nothing of the request has been sent on it.
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
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.take(headerLine: line) ? size * count : refusal(of: size * count)
}

/// CURLOPT_WRITEFUNCTION(3): a piece of body after decompression.
private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.take(body: piece) ? size * count : refusal(of: size * count)
}

/// A number of bytes that tells libcurl to end the transfer: any but the number it handed over.
private func refusal(of count: Int) -> Int { count == 0 ? 1 : 0 }
