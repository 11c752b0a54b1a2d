struct Pairings: Sendable {
}
