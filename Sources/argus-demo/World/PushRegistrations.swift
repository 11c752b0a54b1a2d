struct PushRegistrations: Sendable {
}
