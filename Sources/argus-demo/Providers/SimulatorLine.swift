import NIOCore
import NIOHTTP2
import Synchronization

/// A client's connection, as the services remember it.
final class SimulatorLine: Sendable {
    /// The number in the order of arrival, from 1.
    let number: Int
    let listener: SimulatorListener
    private let channel: any Channel
    let state = Mutex(State())

    struct State: Sendable {
        /// The team and key of the first provider token.
        var team: String?
        var keyID: String?
        /// The provider tokens that were accepted, by their ids, and when the last one came.
        var tokens: [String] = []
        var newestToken: Int64 = 0
        /// True once more than one stream at a time is allowed.
        var isOpened = false
        /// The highest HTTP/2 stream that was processed.
        var lastStream = 0
    }

    init(number: Int, listener: SimulatorListener, channel: any Channel) {
        (self.number, self.listener, self.channel) = (number, listener, channel)
    }

    /// Takes back that a provider token was accepted.
    func forget(_ token: WebToken?) {
        state.withLock { state in state.tokens.removeAll { $0 == token?.id } }
    }

    /// Notes that a stream gets its answer, and allows many at once after the first good provider
    /// token; `stream` is nil with HTTP/1.1.
    func serve(_ stream: Int?) {
        guard let stream else { return }
        let isNew = state.withLock { state in
            state.lastStream = max(state.lastStream, stream)
            defer { state.isOpened = !state.tokens.isEmpty || state.isOpened }
            return !state.isOpened && !state.tokens.isEmpty
        }
        guard isNew else { return }
        send(.settings(.settings([.init(parameter: .maxConcurrentStreams, value: 1000)])))
    }

    /// Ends the connection with a frame that names the last request that was processed.
    func goAway(from stream: Int?) {
        guard let stream else { return channel.close(promise: nil) }
        let last = state.withLock { $0.lastStream }
        if stream < last { send(.rstStream(.refusedStream), stream: .init(stream)) }
        let data = ByteBuffer(string: #"{"reason":"Shutdown"}"#)
        send(.goAway(lastStreamID: .init(last), errorCode: .noError, opaqueData: data))
    }

    private func send(_ payload: HTTP2Frame.FramePayload, stream: HTTP2StreamID = .rootStream) {
        channel.writeAndFlush(HTTP2Frame(streamID: stream, payload: payload), promise: nil)
    }
}

enum SimulatorListener: Int, Sendable, CaseIterable {
    case apns, fcm, webPush, plainFCM, plainWebPush

    var isSecure: Bool { self != .plainFCM && self != .plainWebPush }

    /// The protocols it offers (RFC 7301), in its own order; none without TLS.
    var protocols: [String] { self == .apns ? ["h2"] : ["h2", "http/1.1"] }

    /// The streams that a connection may have at once, before it has proved who it is.
    ///
    /// Apple's service allows one, and many after the first request with a valid provider token.
    var firstStreams: Int { self == .apns ? 1 : 100 }
}
