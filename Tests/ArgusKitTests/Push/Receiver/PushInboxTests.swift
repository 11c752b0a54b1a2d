import ArgusTestSupport
import Crypto
import Testing

@testable import ArgusCore
@testable import ArgusPush
@testable import ArgusTransport

@Suite("PushInbox")
struct PushInboxTests {
    private func open(
        _ request: ListenerRequest, _ inbox: inout PushInbox, after seconds: Int64 = 0
    ) -> Result<PushNotification, PushRefusal> {
        do throws(PushRefusal) {
            return .success(try inbox.open(request, at: SentPush.now + .seconds(seconds)))
        } catch {
            return .failure(error)
        }
    }

    private func refusal(of push: SentPush) -> PushRefusal? {
        var inbox = push.inbox
        if case .failure(let refusal) = open(push.request, &inbox) { return refusal }
        return nil
    }

    @Test("a push of the server is opened")
    func opened() throws {
        let push = SentPush()
        var inbox = push.inbox
        let notification = try open(push.request, &inbox).get()
        #expect(notification.title == "Porch: Person Detected" && notification.eventID == "e1")
        #expect(notification.receivedAt == SentPush.now)
    }

    @Test("the recorded push of a real server is opened, once, and only while its proof holds")
    func recorded() throws {
        let sample = try Samples.json("push-encrypted-vector")
        func bytes(_ name: String) throws -> [UInt8] {
            try #require(Base64.decodeEitherAlphabet(sample[name]?.string ?? ""))
        }
        var headers = HTTPHeaders()
        for field in try #require(sample["headers"]).elements {
            let pair = Array(field.elements.compactMap(\.string))
            headers.append(pair[0], pair[1])
        }
        let request = ListenerRequest(
            method: "POST", headers: headers, body: try bytes("body_b64url"))
        let keys = ReceiverKeys(
            try P256.KeyAgreement.PrivateKey(
                rawRepresentation: bytes("receiver_private_d_b64url")),
            auth: try bytes("auth_secret_b64url"))
        let server = try #require(
            headers["authorization"]?.split(separator: "k=").last.map(String.init))
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: 9777)
        var inbox = PushInbox(keys, at: origin, of: server)
        let notification = try open(request, &inbox).get()
        #expect(notification.title == "Porch: Person Detected")
        #expect(notification.cameraName == "Porch" && notification.smartDetectionType == "person")
        #expect(notification.eventID == "f9d65fdd-6326-4ccd-9cc8-c28eabd66677")
        #expect(notification.actions?.map(\.id) == ["view", "dismiss"])
        #expect(notification.isSilent == false && !notification.isTest)
        #expect(open(request, &inbox) == .failure(.replayed))
        var later = PushInbox(keys, at: origin, of: server)
        #expect(open(request, &later, after: 43_200) == .failure(.expired))
    }

    @Test("a push that is not the server's, not for here or not for now is refused")
    func foreign() {
        let stranger = P256.Signing.PrivateKey()
        func changed(_ change: (inout SentPush) -> Void) -> SentPush {
            var push = SentPush()
            change(&push)
            return push
        }
        #expect(refusal(of: SentPush()) == nil)
        #expect(refusal(of: changed { $0.signer = stranger }) == .foreignKey)
        #expect(
            refusal(of: changed { ($0.signer, $0.named) = (stranger, $0.server) })
                == .badSignature)
        #expect(refusal(of: changed { $0.algorithm = "none" }) == .badSignature)
        #expect(refusal(of: changed { $0.algorithm = "HS256" }) == .badSignature)
        for audience in [
            "http://192.168.1.5", "https://192.168.1.5:40123", "http://192.168.1.6:40123",
            "http://192.168.1.5:40123/", "",
        ] {
            #expect(refusal(of: changed { $0.audience = audience }) == .otherAudience)
        }
        #expect(refusal(of: changed { $0.expiry = 0 }) == .expired)
        #expect(refusal(of: changed { $0.expiry = -1 }) == .expired)
        #expect(refusal(of: changed { $0.expiry = 86_400 }) == nil)
        #expect(refusal(of: changed { $0.expiry = 86_701 }) == .tooLongLived)
        #expect(refusal(of: changed { $0.method = "PUT" }) == .notPost)
        #expect(refusal(of: changed { $0.encoding = "aesgcm" }) == .otherEncoding)
        #expect(refusal(of: changed { $0.text = [0xFF, 0xFE] }) == .noText)
        #expect(refusal(of: changed { $0.text = [] }) == .noText)
    }

    @Test("a proof is read in every form that RFC 9110 allows")
    func proofForms() {
        let push = SentPush()
        let parts = push.proof.dropFirst(6).split(separator: ",").map { $0.dropFirst(2) }
        let (token, key) = (parts[0], parts[1])
        for field in [
            "vapid t=\(token), k=\(key)", "vapid k=\(key),t=\(token)",
            "VAPID  T=\(token) ,\tK=\(key) ", "vapid t=\"\(token)\",k=\"\(key)\"",
            "vapid t = \"\(token)\" , k = \(key), x=y",
        ] {
            var (inbox, request) = (push.inbox, push.request)
            request.headers = HTTPHeaders([
                ("authorization", field), ("content-encoding", "aes128gcm"),
            ])
            guard case .success = open(request, &inbox) else {
                Issue.record("\(field.replacing(token, with: "T").replacing(key, with: "K"))")
                continue
            }
        }
    }

    @Test("a proof of any other form is none")
    func malformedProofs() {
        let push = SentPush()
        let proof = push.proof
        var inbox = push.inbox
        let wrong = [
            "", "vapid", "vapid ", "WebPush \(proof.dropFirst(6))", "Bearer x",
            String(proof.prefix { $0 != "," }), proof.replacing("t=", with: "u="),
            proof.replacing(".", with: ""), "vapid t=a.b.c,k=d", "vapid t=..,k=",
            proof + String(repeating: ",x=y", count: 2000), proof.replacing("t=", with: "t=\""),
        ]
        for field in wrong {
            var request = push.request
            request.headers = HTTPHeaders([
                ("Authorization", field), ("Content-Encoding", "aes128gcm"),
            ])
            #expect(open(request, &inbox) == .failure(.noProof), "\(field.prefix(40))")
        }
        var request = push.request
        request.headers = HTTPHeaders([("content-encoding", "aes128gcm")])
        #expect(open(request, &inbox) == .failure(.noProof))
    }

    @Test("a body for another receiver, cut or changed, is not opened and takes no salt")
    func damagedBodies() {
        let (push, other) = (SentPush(), SentPush())
        var inbox = push.inbox
        let request = push.request
        var wrong = [other.request.body, [], [1, 2, 3], [UInt8](repeating: 0, count: 4096)]
        wrong += [1, 21, 86, 103, request.body.count - 1].map { Array(request.body[..<$0]) }
        for index in [0, 20, 30, 90, request.body.count - 1] {
            var body = request.body
            body[index] ^= 1
            wrong.append(body)
        }
        for body in wrong {
            let changed = ListenerRequest(method: "POST", headers: request.headers, body: body)
            #expect(open(changed, &inbox) == .failure(.unreadable))
        }
        guard case .success = open(request, &inbox) else {
            Issue.record("a damaged copy took its place")
            return
        }
    }

    @Test("a push is taken once, and a new key of the server at once")
    func replay() {
        var push = SentPush()
        var inbox = push.inbox
        let request = push.request
        guard case .success = open(request, &inbox) else {
            Issue.record("the first push was refused")
            return
        }
        for seconds in [0, 1, 43_199] as [Int64] {
            #expect(open(request, &inbox, after: seconds) == .failure(.replayed))
        }
        #expect(open(request, &inbox, after: 43_200) == .failure(.expired))
        push.signer = P256.Signing.PrivateKey()
        #expect(open(push.request, &inbox) == .failure(.foreignKey))
        inbox.serverKey = SentPush.point(push.signer)
        guard case .success = open(push.request, &inbox) else {
            Issue.record("the new key was refused")
            return
        }
    }
}

@Suite("ReplayMemory")
struct ReplayMemoryTests {
    private func salt(_ number: Int) -> [UInt8] {
        (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> ($0 * 8)) : 7 }
    }

    @Test("salts are remembered until their proof expires, and then make room")
    func expiry() throws {
        var memory = ReplayMemory()
        let now = SentPush.now
        for number in 0..<ReplayMemory.capacity {
            try memory.insert(salt(number), until: now + .seconds(10), at: now)
        }
        #expect(throws: PushRefusal.replayed) {
            try memory.insert(salt(5), until: now + .seconds(10), at: now)
        }
        #expect(throws: PushRefusal.tooMany) {
            try memory.insert(salt(-1), until: now + .seconds(10), at: now + .seconds(9))
        }
        try memory.insert(salt(-1), until: now + .seconds(20), at: now + .seconds(10))
        try memory.insert(salt(5), until: now + .seconds(20), at: now + .seconds(10))
        #expect(throws: PushRefusal.replayed) {
            try memory.insert(salt(-1), until: now + .seconds(30), at: now + .seconds(11))
        }
    }
}
