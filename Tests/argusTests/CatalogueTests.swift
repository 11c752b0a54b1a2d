import ArgusTestSupport
import CommandLineKit
import Testing

@testable import argus

@Suite("Catalogue")
struct CatalogueTests {
    @Test("the table of commands has no fault")
    func faults() {
        #expect(Catalogue.faults(in: Tool.commandLine) == [])
    }

    @Test("man -k 'security camera' finds argus")
    func keywords() {
        #expect(Tool.commandLine.info.summary.contains("security camera"))
    }

    @Test("an option whose value is a list adds up when it is repeated")
    func lists() {
        let tool = Tool.commandLine.description
        let flags = tool.globalFlags + tool.root.visibleTree.flatMap(\.flags)
        let lists = flags.filter { $0.valueName?.contains(",") == true }
        #expect(lists.count > 4)
        #expect(lists.filter { $0.kind != .repeated }.map(\.long) == [])
    }

    @Test("every exit status of the contract stands in the table, in order")
    func exitStatuses() {
        let codes = ExitKind.allCases.map { Int($0.rawValue) }
        #expect(codes == Array(0...14))
        let names = ExitKind.allCases.compactMap(\.name)
        #expect(
            names == [
                "failed", "usage", "not_found", "not_signed_in", "forbidden", "unreachable",
                "server_error", "rate_limited", "identity", "rejected", "partial", "gap",
                "timeout", "unsupported",
            ])
    }
}
