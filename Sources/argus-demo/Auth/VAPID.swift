import Crypto

/// The server's identity towards push services (RFC 8292).
enum VAPID {
    /// A fresh public key, unpadded base64url; the demo sends no pushes and keeps no private one.
    static func publicKey() -> String {
        let key = P256.Signing.PrivateKey().publicKey
        return Base64.encode(Array(key.x963Representation), .url)
    }
}
