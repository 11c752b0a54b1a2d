import Crypto
import NIOConcurrencyHelpers

/// A push service of a browser vendor (RFC 8030) that holds the keys of its subscribers (RFC 8291).
final class SimulatedWebPush: Sendable {
    let receivers: [WebPushReceiver]
    private let byID: [String: WebPushReceiver]
    /// The key that each subscription has been used with: a subscription belongs to one server.
    private let owners = NIOLockedValueBox<[String: String]>([:])

    private static let urgencies: Set<String> = ["very-low", "low", "normal", "high"]

    init(_ receivers: [WebPushReceiver]) {
        self.receivers = receivers
        byID = Dictionary(receivers.map { ($0.id, $0) }) { $1 }
    }

    /// Answers a request for an endpoint of `origin`.
    func answer(
        _ request: inout SimulatorRequest, at origin: String
    ) throws(SimulatorRefusal) -> Answer {
        request.record.token = request.lastSegment
        request.record.collapseID = request["topic"]
        let proof = VAPIDProof(request["authorization"] ?? "")
        request.record.webToken = proof?.token
        let receiver = try check(request)
        try check(request, proof, origin)
        if !request.body.isEmpty { read(&request, as: receiver) }
        let place = "\(origin)/message/\(Identifier.random().text)"
        return Answer(
            status: 201, type: nil, headers: [("location", place), ("ttl", request["ttl"] ?? "0")])
    }

    /// A refusal in the form of Mozilla's service.
    private func refusal(_ status: Int, _ words: String) -> SimulatorRefusal {
        SimulatorRefusal(
            reason: words,
            answer: .json(["code": .integer(status), "message": .text(words)], status: status))
    }

    private func check(_ request: SimulatorRequest) throws(SimulatorRefusal) -> WebPushReceiver {
        guard request.path.hasPrefix("/push/"), let receiver = byID[request.lastSegment] else {
            throw refusal(404, "no such subscription")
        }
        guard request.method == .POST else { throw refusal(405, "only POST sends a message") }
        guard let ttl = request["ttl"], let seconds = Int(ttl), seconds >= 0 else {
            throw refusal(400, "TTL is missing or not a number of seconds")
        }
        if let topic = request["topic"] {
            guard (1...32).contains(topic.utf8.count), Base64URL.decode(topic) != nil else {
                throw refusal(400, "Topic is not up to 32 characters of base64url")
            }
        }
        if let urgency = request["urgency"], !SimulatedWebPush.urgencies.contains(urgency) {
            throw refusal(400, "Urgency is unknown")
        }
        guard request.body.count <= 4096 else {
            throw refusal(413, "the message is longer than 4096 bytes")
        }
        guard request.body.isEmpty || request["content-encoding"] == "aes128gcm" else {
            throw refusal(415, "Content-Encoding is not aes128gcm")
        }
        return receiver
    }

    /// Verifies who sends (RFC 8292).
    private func check(
        _ request: SimulatorRequest, _ proof: VAPIDProof?, _ origin: String
    ) throws(SimulatorRefusal) {
        guard request["authorization"] != nil else { throw refusal(401, "VAPID is required") }
        guard let proof else { throw refusal(403, "Authorization is not vapid t=, k=") }
        if let words = proof.defect(origin: origin, now: request.now) { throw refusal(403, words) }
        let id = request.lastSegment
        let owner = owners.withLockedValue { owners in
            let owner = owners[id] ?? proof.key
            owners[id] = owner
            return owner
        }
        guard owner == proof.key else {
            throw refusal(403, "the key is not the one of the subscription")
        }
    }

    /// Decrypts as the browser does; the service itself would not see a defect.
    private func read(_ request: inout SimulatorRequest, as receiver: WebPushReceiver) {
        do {
            let plain = try receiver.decrypt(request.body)
            request.record.payload =
                (try? JSON.read(plain)) ?? .text(String(decoding: plain, as: UTF8.self))
        } catch {
            request.record.complaint = error.words
        }
    }
}

/// The proof of a sender's identity, `vapid t=TOKEN, k=KEY` (RFC 8292, section 3).
struct VAPIDProof {
    let token: WebToken
    /// The public key in base64url.
    let key: String
    private let signing: P256.Signing.PublicKey

    /// Parses a field's value; nil if it is not such a proof.
    init?(_ field: String) {
        guard field.lowercased().hasPrefix("vapid ") else { return nil }
        var parameters: [Substring: Substring] = [:]
        for part in field.dropFirst(6).split(separator: ",") {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, parameters.updateValue(pair[1], forKey: pair[0]) == nil else {
                return nil
            }
        }
        guard let token = parameters["t"].flatMap({ WebToken($0) }), let key = parameters["k"],
            let bytes = Base64URL.decode(key),
            let signing = try? P256.Signing.PublicKey(x963Representation: bytes)
        else { return nil }
        (self.token, self.key, self.signing) = (token, String(key), signing)
    }

    /// The reason why the proof is worth nothing; nil if it holds.
    func defect(origin: String, now: Moment) -> String? {
        guard token.isSigned(by: signing) else { return "the signature is wrong" }
        guard token.claims["aud"] == .text(origin) else { return "aud is not the origin" }
        guard let end = token.claims["exp"]?.int else { return "exp is missing" }
        let time = Int(now.seconds)
        guard end > time else { return "the token has expired" }
        guard end <= time + 86_400 else { return "exp is more than 24 hours ahead" }
        let subject = token.claims["sub"]?.string ?? ""
        guard subject.hasPrefix("mailto:") || subject.hasPrefix("https://") else {
            return "sub is neither a mailto: nor an https: address"
        }
        guard !subject.contains("localhost") else { return "sub names no real owner" }
        return nil
    }
}
