/// The origin of a description; there are few, so each is rendered once.
struct Analysis: Sendable {
    var provider: String?
    var mode: String?
    var confidence: Int?
    var isVague = false
    var fallback: String?
    var carrier: String?

    /// True if the provider's confidence is low.
    var isLowConfidence: Bool { confidence.map { $0 < 50 } ?? false }

    var carrierDisplay: String? {
        switch carrier {
        case nil: nil
        case "ups": "UPS"
        case "fedex": "FedEx"
        case "amazon": "Amazon"
        case "dhl": "DHL"
        case let code?: code.uppercased()
        }
    }

    /// All analyses; the first is for events without a description.
    static let all: [Analysis] = {
        var all = [Analysis()]
        let ways = [
            ("openai", "single_frame", 88), ("claude", "single_frame", 93),
            ("gemini", "multi_frame", 71), ("grok", "video_native", 69),
            ("openai", "multi_frame", 82), ("claude", "multi_frame", 41),
        ]
        for (provider, mode, confidence) in ways {
            all.append(Analysis(provider: provider, mode: mode, confidence: confidence))
        }
        all.append(
            Analysis(
                provider: "openai", mode: "single_frame", confidence: 38, isVague: true,
                fallback: "clip_download_failed"))
        for carrier in ["ups", "fedex", "amazon", "dhl", "usps"] {
            all.append(
                Analysis(
                    provider: "claude", mode: "single_frame", confidence: 90, carrier: carrier))
        }
        return all
    }()

    /// The analyses that a package event can have.
    static let ofPackages = all.indices.filter { all[$0].carrier != nil }
    /// The analyses that any event can have.
    static let ofOthers = all.indices.filter { all[$0].carrier == nil && $0 > 0 }
}
