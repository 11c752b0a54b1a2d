struct Devices: Sendable {
}
extension Devices { mutating func touch(_ request: Request) {} }
