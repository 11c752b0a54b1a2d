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
