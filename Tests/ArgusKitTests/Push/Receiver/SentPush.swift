import Crypto
import FoundationEssentials

@testable import ArgusCore
@testable import ArgusPush
@testable import ArgusTransport

/// A sender of Web Push and a receiver, with what a test changes about a push between them.
struct SentPush {
    static let now = Timestamp(seconds: 1_795_218_388)
    static let audience = Origin(scheme: .http, host: "192.168.1.5", port: 40123)
    static let text = """
        {"title":"Porch: Person Detected","body":"A person in a blue coat","data":{"event_id":"e1"}}
        """

    let server = P256.Signing.PrivateKey()
    let keys = ReceiverKeys()
    var signer: P256.Signing.PrivateKey
    /// The key named in the request; nil for that of the signer.
    var named: P256.Signing.PrivateKey?
    var algorithm = "ES256"
    var audience = "http://192.168.1.5:40123"
    /// Seconds from now.
    var expiry = 12 * 3600
    var method = "POST"
    var encoding = "aes128gcm"
    var text = Array(SentPush.text.utf8)

    init() { signer = server }

    /// The inbox of the receiver, which knows the server's key.
    var inbox: PushInbox {
        PushInbox(keys, at: Self.audience, of: Self.point(server))
    }

    static func point(_ key: P256.Signing.PrivateKey) -> String {
        Base64.encodeForURL(Array(key.publicKey.x963Representation))
    }

    /// The value of `Authorization`.
    var proof: String {
        let claims = """
            {"aud":"\(audience)","exp":\(Self.now.seconds + Int64(expiry)),"sub":"mailto:a@b.example"}
            """
        let signed =
            Base64.encodeForURL(Array("{\"typ\":\"JWT\",\"alg\":\"\(algorithm)\"}".utf8)) + "."
            + Base64.encodeForURL(Array(claims.utf8))
        let signature = (try? signer.signature(for: Data(signed.utf8)))?.rawRepresentation
        let token = "\(signed).\(Base64.encodeForURL(Array(signature ?? Data())))"
        return "vapid t=\(token),k=\(Self.point(named ?? signer))"
    }

    /// The request, with a new salt each time.
    var request: ListenerRequest {
        ListenerRequest(
            method: method,
            headers: HTTPHeaders([
                ("authorization", proof), ("content-encoding", encoding), ("ttl", "0"),
            ]),
            body: WebPushEncryption.encrypt(text, for: keys.shared) ?? [])
    }
}
