import ArgusKit
import CommandLineKit

/// The options that name the receivers of a push: of the registry, or by their addresses.
struct PushReceiverOptions: OptionGroup, Equatable {
    var token: String?
    var device: String?
    var address = PushAddressOptions()

    static let own: [Flag<PushReceiverOptions>] =
        [
            .option("token", value: "ID", sets: \.token, "A token of 'argus push tokens'"),
            .option("device", value: "NAME", sets: \.device, "All tokens of a device"),
        ] + PushAddressOptions.flags(at: \PushReceiverOptions.address)

    func validate() throws(UsageError) {
        let count = [token != nil, device != nil].count(where: \.self) + address.count
        guard count == 1 else {
            throw UsageError(
                "give one of --token, --device, --endpoint, --apns-token and --fcm-token")
        }
        try address.validate()
        if address.fcmToken == nil, address.platform != nil {
            throw UsageError("--platform is for --fcm-token")
        }
    }

    /// The receivers, at least one; those given by an address have no id.
    ///
    /// - Throws: `Failure` 3 if the registry has none, 2 for an unusable address.
    func tokens(in context: Context) async throws(Failure) -> [DeliveryToken] {
        if let given = try address.read(in: context) {
            // A token that was registered when it was typed cannot have been removed since.
            var token = DeliveryToken(id: "", address: given, createdAt: Timestamp(seconds: 0))
            token.device.platform = address.platform
            return [token]
        }
        let known = try await attempt(awaiting: await context.deliveryTokens().load())
        if let token { return [try known.named(token)] }
        let name = (device ?? "").lowercased()
        let found = known.all.filter {
            $0.device.name?.lowercased() == name || $0.device.id?.lowercased() == name
        }
        guard !found.isEmpty else { return [try known.named(device ?? "")] }
        return found
    }
}
