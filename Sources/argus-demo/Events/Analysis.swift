/// The origin of a description; there are few, so each is rendered once.
struct Analysis: Sendable {
    var provider: String?
    var mode: String?
    var confidence: Int?
    var isVague = false
    var fallback: String?
    var carrier: String?

    var isLowConfidence: Bool { confidence.map { $0 < 50 } ?? false }

    var carrierDisplay: String? {
        carrier.map { ["fedex": "FedEx", "amazon": "Amazon"][$0] ?? $0.uppercased() }
    }

    /// All analyses; the first is for events without a description.
    static let all: [Analysis] =
        [
            Analysis(),
            Analysis(provider: "openai", mode: "single_frame", confidence: 88),
            Analysis(provider: "claude", mode: "single_frame", confidence: 93),
            Analysis(provider: "gemini", mode: "multi_frame", confidence: 71),
            Analysis(provider: "grok", mode: "video_native", confidence: 69),
            Analysis(provider: "openai", mode: "multi_frame", confidence: 82),
            Analysis(provider: "claude", mode: "multi_frame", confidence: 41),
            Analysis(
                provider: "openai", mode: "single_frame", confidence: 38, isVague: true,
                fallback: "clip_download_failed"),
        ]
        + ["ups", "fedex", "amazon", "dhl", "usps"].map {
            Analysis(provider: "claude", mode: "single_frame", confidence: 90, carrier: $0)
        }

    /// The analyses that a package event can have.
    static let ofPackages = all.indices.filter { all[$0].carrier != nil }
    /// The analyses that any event can have.
    static let ofOthers = all.indices.filter { all[$0].carrier == nil && $0 > 0 }
}
