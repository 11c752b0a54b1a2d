import ArgusCore
import Testing

@Suite("Environment")
struct EnvironmentTests {
    @Test("an empty variable is unset")
    func emptyIsUnset() {
        let environment = Environment(["A": "", "B": "b"])
        #expect(environment["A"] == nil)
        #expect(environment["B"] == "b")
        #expect(environment["C"] == nil)
    }

    @Test("the process's own variables are there")
    func processVariables() {
        #expect(Environment.process["PATH"]?.isEmpty == false)
    }

    @Test("a child's environment loses what it must not inherit")
    func removesSecrets() {
        let environment = Environment(["ARGUS_TOKEN": "t", "PATH": "/bin", "A": "1=2"])
        #expect(environment.forChildren.words == ["A=1=2", "PATH=/bin"])
    }
}
