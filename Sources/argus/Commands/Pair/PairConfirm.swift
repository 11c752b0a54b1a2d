import ArgusAccount
import ArgusCore
import ArgusTransport
import CommandLineKit

enum PairConfirm: ArgusCommand {
    struct Options: VerbOptions {
        var code: [String] = []
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "confirm", summary: "Confirm the code of a device", effect: .changes,
        description: """
            Shows the device and how long ago it asked, and waits for a typed \(code: "yes"). From
            then on, the device can use the server as you do.
            """,
        examples: [
            "argus pair confirm 482913": "Look at the device, then confirm it",
            "argus pair confirm 482-913 --yes": "Confirm without looking at it",
        ],
        exitStatuses: .requests(3), prints: .objects(PendingDeviceView.fields))

    static let flags: [Flag<Options>] = [.yes(\.assumesYes)]

    static let arguments: [Argument<Options>] = [.code(\.code)]

    static func validate(_ options: Options) throws(UsageError) {
        _ = try options.code.pairingCode()
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let code = try attempt(options.code.pairingCode())
        let printer = try context.printer(of: PendingDeviceView.fields, .operands(1))
        if !options.assumesYes {
            try context.console.expectTerminal(toConfirmOr: "--yes")
        }
        let server = try await context.server()
        var device = try await lookUp(code, on: server) ?? PendingDevice(code: code)
        if !options.assumesYes { try await ask(about: device, on: server, in: context) }
        let answer = try await server.attempt(
            "confirm the pairing", await server.session.call(PairingRoutes.confirm, code))
        device.read(answer)
        let name = device.name.map { "'\($0)'" } ?? "the device"
        try context.report(
            PendingDeviceRow(state: "confirmed", device: device), with: printer,
            "\(name) can now use '\(server.name)'")
    }

    /// The device with a code; nil if the server has no list.
    private static func lookUp(
        _ code: PairingCode, on server: SignedInServer
    ) async throws(Failure) -> PendingDevice? {
        do throws(Failure) {
            let devices = try await server.attempt(
                "list the devices that want to pair",
                await server.session.call(PairingRoutes.pending, ()))
            if let device = devices.values.first(where: { $0.code == code }) { return device }
        } catch  where error.kind == .unsupported {
            return nil
        }
        throw Failure(
            .notFound, "no device on '\(server.name)' waits with that code",
            hint: "'argus pair pending' lists the waiting devices", reason: "no_such_code")
    }

    private static func ask(
        about device: PendingDevice, on server: SignedInServer, in context: Context
    ) async throws(Failure) {
        var lines = ["A device wants to use '\(server.name)' as you:"]
        if device.createdAt == nil, device.name == nil {
            lines.append("  This server does not describe the device.")
        } else {
            lines.append("  name:  \(device.name ?? "none")")
            lines.append("  model: \(device.model ?? "unknown")")
        }
        // argus, which names a machine of Linux, has to call itself iOS or Android.
        if let platform = device.platform, device.model?.hasPrefix("Linux") != true {
            lines.append("  OS:    \(platform)")
        }
        if let createdAt = device.createdAt {
            let now = await server.session.renewal?.serverTime ?? context.now()
            lines.append("  asked: \(DurationText.short(now - createdAt)) ago")
        }
        try context.console.confirm(
            "Allow this device?", below: lines, otherwise: "the device was not confirmed",
            hint: "to reject it, use 'argus pair reject'")
    }
}
