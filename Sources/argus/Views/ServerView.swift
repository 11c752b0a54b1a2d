import ArgusAccount
import ArgusCore
import ArgusTransport

enum ServerView {
    static let fields: [Field<ServerRow>] = [
        .column("name", "the server's name here") { $0.record.name }.asHeadline,
        .column("url", "its first address") { $0.record.endpoints.first?.address }.shrinking(
            0, to: 16),
        .column("username", "who is signed in") { $0.record.account?.username }
            .onTerminals(from: 80),
        .column("sign_in", "password, pairing, token or api_key; null when signed out") {
            $0.record.account?.kind.rawValue
        },
        .column("default", "whether it is the default server") { $0.isDefault },
        .hidden("id", "its id here") { $0.record.id.text }.shortened,
        .hidden("added_at", "when it was added") { $0.record.addedAt },
        .hidden("urls", "all its addresses, the local ones first") {
            $0.record.endpoints.map(\.address)
        },
    ]

    static let detailFields: [Field<ServerDetail>] =
        fields.reading(asColumns: true) { $0.row } + own

    private static let own: [Field<ServerDetail>] = [
        .column("ways", "its addresses, and the proof that each one needs") {
            $0.row.record.endpoints.map { endpoint -> FieldValue in
                [
                    "via": endpoint.kind.rawValue, "url": endpoint.address,
                    "proof": endpoint.proof.text, "fingerprint": endpoint.fingerprint?.hex,
                    "cacert": endpoint.authorities, "cert": endpoint.certificate,
                    "key": endpoint.key,
                ]
            }
        }.ofType(.list(.object)),
        .column("credential_store", "where its secrets are stored") {
            $0.row.record.credentialStore.text
        },
        .column("way", "the address in use: its kind, URL, and target when it was found") {
            $0.endpoint.map(endpoint)
        }.ofType(.nullable(.object)),
        .column("way_proved_at", "when the address in use was proved, if it is remembered") {
            $0.endpointProvedAt
        },
        .column("way_steps", "how the address was chosen: what was tried, how long it took") {
            $0.endpointReport?.lines ?? []
        }.onlyWide,
        .column("insecure_http", "where plain http was allowed") {
            $0.row.record.plainHTTPAllowances.map { allowance -> FieldValue in
                ["url": allowance.origin.description, "gateway_mac": allowance.gatewayMAC]
            }
        }.ofType(.list(.object)),
        .column("reachable", "whether it answers now") { $0.isReachable }.coloringNo(.red),
        .column("problem", "why it does not answer, or only in part") { $0.problem }.colored { _ in
            .red
        },
        .column("status", "its health, as it reports") { $0.health?.status }.withStateColors,
        .column("version", "its version") { $0.version },
        .column("setup_complete", "whether its first account has been made") { $0.isSetUp },
        Field("api", "the generation of its API, for each operation so far") {
            FieldValue.object(
                $0.row.record.knowledge.generations.sorted { $0.key < $1.key }.map {
                    .init($0.key, .text($0.value))
                })
        }.ofType(.object).onlyWide,
        .column("dashboard_url", "where its web pages were set to be; null if they were not") {
            $0.row.record.dashboard?.description
        },
    ]

    /// The fields for a person, who reads each address once.
    static let screenFields: [Field<ServerDetail>] = detailFields.compactMap { field in
        switch field.name {
        case "url", "urls": return nil
        case "ways":
            var addresses = field.headed("addresses").leading.onePerLine
            addresses.value = { detail in
                FieldValue(
                    detail.row.record.endpoints.map { $0.sentence(inUse: detail.endpoint) })
            }
            return addresses
        case "way":
            var other = field.headed("in use")
            other.value = { detail in
                let known = detail.row.record.endpoints
                let target = detail.endpoint.flatMap { target in
                    known.contains(where: target.matches) ? nil : target
                }
                return FieldValue(target?.address.description)
            }
            return other
        case "way_proved_at": return field.headed("proved")
        case "way_steps": return field.headed("chosen")
        case "insecure_http":
            var allowances = field.onePerLine
            allowances.value = { detail in
                FieldValue(
                    detail.row.record.plainHTTPAllowances.map { allowance in
                        let network = allowance.gatewayMAC.map {
                            " (on the network with the gateway \($0))"
                        }
                        return "\(allowance.origin)\(network ?? "")"
                    })
            }
            return allowances
        default: return field
        }
    }

    private static func endpoint(_ target: EndpointTarget) -> FieldValue {
        [
            "via": target.kind.rawValue, "url": target.address.description,
            "address": target.proof.socketAddress?.address,
            "port": target.proof.socketAddress.map { Int($0.port) },
        ]
    }
}

extension Endpoint {
    /// The address, its proof, and whether it is the target: `http://… (local, plain http; in use)`.
    fileprivate func sentence(inUse target: EndpointTarget?) -> String {
        var words = [kind.rawValue]
        switch proof {
        case .plain: words.append("plain http")
        case .publicCertificate:
            words.append(authorities.map { "certificate by \($0)" } ?? "public certificate")
        case .pin: words.append("pinned certificate \(fingerprint?.hex ?? proof.text)")
        }
        if let certificate { words.append("client certificate \(certificate)") }
        var text = words.joined(separator: ", ")
        if let target, target.matches(self) {
            let place = target.proof.socketAddress.map { " at \($0.address), port \($0.port)" }
            text += "; in use" + (place ?? "")
        }
        return "\(address) (\(text))"
    }
}

struct ServerRow: Sendable {
    var record: ServerRecord
    var isDefault: Bool
}

/// A server with its own current information.
struct ServerDetail: Sendable {
    var row: ServerRow
    var isReachable: Bool
    /// The reason why it does not answer, or its first failure.
    var problem: String?
    var health: ServerHealth?
    var version: String?
    var isSetUp: Bool?
    var endpoint: EndpointTarget?
    /// The time of its last proof, if it was remembered.
    var endpointProvedAt: Timestamp?
    /// The report of its selection, if it was not remembered.
    var endpointReport: EndpointReport?
}

enum RouteView {
    static let fields: [Field<ServerRoutes.Entry>] = [
        .column("method", "the method") { $0.method },
        .column("path", "the path, with parameters in braces") { $0.path },
        .column("summary", "the server's description") { $0.summary }.shrinking(0),
    ]
}

enum ProbedServerView {
    static let fields: [Field<ProbedServer>] = [
        .column("name", "its announced name") { $0.server.name },
        .column("address", "its announced URL") { $0.url }.shrinking(1, to: 12),
        .column("version", "its announced version") { $0.server.version },
        .column("tls", "whether it speaks https") { $0.server.usesTLS },
        .column("fingerprint", "the SHA-256 of the certificate that it presents") {
            $0.result.certificate?.fingerprint.hex
        }.shrinking(0),
        .column("known", "your server that it proved to be; null if none") { $0.record?.name },
        .column("reachable", "whether it answers") { $0.result.isReachable }.coloringNo(.red),
        .column("round_trip", "seconds from request to answer") {
            $0.result.roundTrip.map { ($0 / .milliseconds(1)).rounded() / 1000 }
        },
        .hidden("host", "the name of its machine") { $0.server.host },
        .hidden("interface", "the network interface on which it was found") { $0.server.interface },
        Field("txt", "everything that it announces; proves nothing", isColumn: false) {
            FieldValue.object(
                $0.server.txt.map { .init($0.key, FieldValue($0.value)) })
        }.ofType(.object),
        .hidden("problem", "why it does not answer") { $0.result.problem },
    ]
}
