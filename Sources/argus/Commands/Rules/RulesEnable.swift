import ArgusAccount
import ArgusCore
import ArgusTransport
import CommandLineKit

enum RulesEnable: ArgusCommand {
    static let about = CommandInfo(
        name: "enable", summary: "Enable alert rules", effect: .changes,
        examples: ["argus rules enable 'Night people'": "By its name"],
        exitStatuses: .requests(3, 11), prints: .objects(RuleView.detailFields))

    static let arguments: [Argument<Operands>] = [.rules(\.words)]

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        try await RulesSwitch.run(options.words, isOn: true, in: context)
    }
}
