/// Generates descriptions in the style of an AI provider.
enum Phrases {
    private static let people = [
        "A person in a dark jacket", "A person with a red backpack", "A couple under an umbrella",
        "A child", "A neighbour with a dog lead", "A courier in a yellow vest",
        "A cyclist pushing a bike",
    ]
    private static let deeds = [
        "walks up to the entrance and waits", "passes from left to right",
        "looks towards the camera and leaves", "stands talking for a while",
        "crosses the path and opens the gate", "puts something down and walks away",
    ]
    private static let vehicles = [
        "A silver sedan", "A white delivery van", "A blue hatchback", "A motorcycle",
        "A refuse lorry", "A dark SUV",
    ]
    private static let moves = [
        "turns in and parks", "drives past without stopping", "reverses out onto the road",
        "stops for a minute with its lights on", "waits with the engine running",
    ]
    private static let parcels = [
        "A brown parcel", "A small padded envelope", "Two stacked boxes", "A flat cardboard box",
    ]
    private static let places = [
        "is left on the doormat", "is handed over at the door", "waits beside the bin",
        "is taken inside",
    ]
    private static let animals = [
        "A tabby cat", "A red fox", "A hedgehog", "A brown dog", "A grey heron",
    ]
    private static let habits = [
        "crosses the lawn", "sits on the wall", "noses around the bins", "looks into the camera",
    ]
    private static let motions = [
        "Branches move in the wind; nobody is in sight.",
        "A change of light; the cause is not clear.", "Rain on the lens and a moving shadow.",
    ]

    /// A sentence or two about an event of this kind.
    static func describe(
        _ kind: Event.Kind?, at place: String, _ generator: inout SeededGenerator
    ) -> String {
        func pick(_ words: [String]) -> String {
            words[Int(generator.next() % UInt64(words.count))]
        }
        switch kind {
        case .person: return "\(pick(people)) \(pick(deeds)) at the \(place)."
        case .vehicle: return "\(pick(vehicles)) \(pick(moves)) near the \(place)."
        case .package: return "\(pick(parcels)) \(pick(places)). Seen from the \(place)."
        case .animal: return "\(pick(animals)) \(pick(habits)) by the \(place)."
        case .ring: return "\(pick(people)) rings the doorbell and waits at the \(place)."
        case .licensePlate: return "\(pick(vehicles)) stops; its number plate is readable."
        case .manualTrigger: return "Recorded by hand at the \(place)."
        case .motion, nil: return pick(motions)
        }
    }
}
