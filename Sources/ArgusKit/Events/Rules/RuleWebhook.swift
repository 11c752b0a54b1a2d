package import ArgusCore
package import ArgusTransport
internal import Synchronization

/// Posts the events of a rule to its webhook as the server would: the same JSON, header fields and tries.
package struct RuleWebhook: Sendable {
    /// The reason why a webhook cannot be posted to from here.
    package enum Fault: Sendable, Equatable, CustomStringConvertible {
        /// A header field that only the server can read.
        case encrypted
        /// Header fields in a form that argus does not know.
        case unreadableHeaders
        /// A name of the machine itself, which means another one on the server.
        case localhost
        case malformed

        package var description: String {
            switch self {
            case .encrypted: "only the server can read a header field of its webhook"
            case .unreadableHeaders: "argus cannot read the header fields of its webhook"
            case .localhost: "its webhook is on the server's own localhost"
            case .malformed: "the address of its webhook is malformed"
            }
        }
    }

    /// The longest wait for an answer.
    private static let timeout = Duration.seconds(5)
    /// The pauses before further tries.
    private static let pauses: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    private static let localNames = ["localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0"]

    private let transport: any Transport
    private let userAgent: String
    /// The file of certificate authorities; nil for those of the system.
    private let caFile: String?
    private let clock: RunClock
    private let limit = WebhookLimit()

    package init(
        _ transport: any Transport, userAgent: String, caFile: String?, _ clock: RunClock
    ) {
        (self.transport, self.userAgent) = (transport, userAgent)
        (self.caFile, self.clock) = (caFile, clock)
    }

    /// The reason why a rule's webhook cannot be posted to; nil if it can, or if there is none.
    package static func fault(of rule: AlertRule) -> Fault? {
        guard let webhook = rule.actions.webhook else { return nil }
        if webhook.hasEncryptedHeader { return .encrypted }
        if webhook.hasUnreadableHeaders { return .unreadableHeaders }
        guard let (origin, _) = address(webhook.url) else { return .malformed }
        return localNames.contains(origin.host.lowercased()) ? .localhost : nil
    }

    /// Posts an event; nil once the receiver has accepted it, else the reason why it has not.
    ///
    /// `entityType` is the type of the rule's entity, if it is known.
    package func post(_ event: Event, of rule: AlertRule, entityType: String?) async -> String? {
        guard let webhook = rule.actions.webhook else { return nil }
        if let fault = Self.fault(of: rule) { return fault.description }
        guard let (origin, target) = Self.address(webhook.url) else { return nil }
        guard await limit.admits(rule.id, at: clock.monotonic()) else {
            return "its webhook had 100 events within a minute"
        }
        var reason: String?
        for pause in [nil] + Self.pauses.map(Optional.some) {
            if let pause {
                do { try await clock.sleep(pause) } catch { return reason }
            }
            reason = await postOnce(
                Self.body(event, of: rule, entityType: entityType), to: origin, target,
                webhook.headers)
            if reason == nil || Task.isCancelled { return reason }
        }
        return reason
    }

    private func postOnce(
        _ body: [UInt8], to origin: Origin, _ target: String, _ headers: [RuleActions.Header]
    ) async -> String? {
        let isNamed = headers.contains { $0.name.lowercased() == "user-agent" }
        let own = isNamed ? [] : [HTTPHeader("User-Agent", userAgent)]
        let others = headers.filter { $0.name.lowercased() != "content-type" }
        var request = HTTPRequest(
            .post, origin, target,
            headers: own + others.map { HTTPHeader($0.name, secret: $0.value) },
            body: HTTPRequest.Body(bytes: body, contentType: "application/json"),
            proof: origin.scheme == .https
                ? ServerProof(.publicCertificate(authorities: caFile))
                : ServerProof(.plain, avoidsProxies: true),
            limits: SizeLimits(body: 64 << 10))
        request.deadlines.wait(forFirstByte: Self.timeout)
        request.deadlines.total = Self.timeout
        do throws(TransportError) {
            let answer = try await transport.send(request, receive: nil)
            return (200..<300).contains(answer.status)
                ? nil : "its webhook answered with status \(answer.status)"
        } catch {
            return "its webhook failed: \(error.detail)".masked
        }
    }

    static func address(_ url: String) -> (origin: Origin, target: String)? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let rest = url[scheme.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        guard let address = try? ServerAddress(parsing: String(url[..<end])) else { return nil }
        let path = String(rest[end...].prefix { $0 != "#" })
        return (address.origin, path.hasPrefix("/") ? path : "/" + path)
    }

    /// The JSON of the server's webhooks.
    ///
    ///     {"event_id":"b58e3b55-…","timestamp":"2026-11-26T12:23:42","camera":{"id":"…","name":"…"},
    ///      "description":"…","confidence":98,"objects_detected":["animal"],
    ///      "thumbnail_url":"/api/v1/events/b58e3b55-…/thumbnail",
    ///      "rule":{"id":"…","name":"fact check"},"entity":null}
    package static func body(
        _ event: Event, of rule: AlertRule, entityType: String?
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("event_id", event.id)
            writer.member("timestamp", event.timestamp.map(time))
            writer.object("camera") {
                $0.member("id", event.cameraID)
                $0.member("name", event.cameraName ?? event.cameraID)
            }
            writer.member("description", event.description ?? "")
            writer.member("confidence", event.confidence ?? 0)
            writer.member("objects_detected", event.objects ?? [])
            writer.member("thumbnail_url", "/api/v1/events/\(event.id)/thumbnail")
            writer.object("rule") {
                $0.member("id", rule.id)
                $0.member("name", rule.name)
            }
            switch rule.conditions.entity {
            case .any: writer.member("entity", FieldValue.null)
            case .unknown:
                entity(nil, "Unknown", "unknown", "unknown", to: &writer)
            case .specific(let id, let name):
                entity(id, name ?? event.entityName, entityType, "specific", to: &writer)
            }
            guard let carrier = event.carrier, !carrier.isEmpty else { return }
            writer.member("delivery_carrier", carrier)
            writer.member("delivery_carrier_display", carriers[carrier.lowercased()])
        }
    }

    private static func entity(
        _ id: String?, _ name: String?, _ type: String?, _ mode: String, to writer: inout JSONWriter
    ) {
        writer.object("entity") {
            $0.member("id", id)
            $0.member("name", name)
            $0.member("type", type)
            $0.member("match_mode", mode)
        }
    }

    private static let carriers = [
        "fedex": "FedEx", "ups": "UPS", "usps": "USPS", "amazon": "Amazon", "dhl": "DHL",
    ]

    /// A time as Python writes one without a zone: microseconds only where there are any.
    private static func time(_ time: Timestamp) -> String {
        let text = time.utcText.dropLast()
        return String(text.hasSuffix(".000000") ? text.dropLast(7) : text)
    }
}

/// The server's limit for a rule: 100 events a minute.
private actor WebhookLimit {
    private var times: [String: [Duration]] = [:]

    func admits(_ rule: String, at now: Duration) -> Bool {
        var recent = (times[rule] ?? []).filter { now - $0 < .seconds(60) }
        defer { times[rule] = recent }
        guard recent.count < 100 else { return false }
        recent.append(now)
        return true
    }
}
