import ArgusCore
import Testing

@Suite("NameLookup")
struct NameLookupTests {
    private struct Thing {
        var id: String
        var name: String?
    }

    private let things = [
        Thing(id: "abcd1111", name: "Front Door"), Thing(id: "abcd2222", name: "Garage"),
        Thing(id: "ffff0000", name: "abcd1111"), Thing(id: "cam-789", name: "garage"),
        Thing(id: "eeee1234", name: nil), Thing(id: "Straße01", name: "GARTEN"),
    ]

    private func find(_ word: String) -> [String] {
        NameLookup.find(word, in: things, id: \.id, name: \.name).map(\.id)
    }

    @Test("an exact id wins over a name that is the same, in any case")
    func id() {
        #expect(find("ABCD1111") == ["abcd1111"])
        #expect(find("cam-789") == ["cam-789"])
    }

    @Test("an exact name is found in any case; two of them are ambiguous")
    func name() {
        #expect(find("front DOOR") == ["abcd1111"])
        #expect(find("garten") == ["Straße01"])
        #expect(find("Garage") == ["abcd2222", "cam-789"])
        #expect(find("Front") == [])
    }

    @Test("four characters or more of one id are enough, and of two too few")
    func prefix() {
        #expect(find("eee") == [])
        #expect(find("eeee") == ["eeee1234"])
        #expect(find("ABCD2") == ["abcd2222"])
        #expect(find("abcd") == ["abcd1111", "abcd2222"])
        #expect(find("") == [])
    }

    @Test(
        "a list is split at commas, except in a name that has them",
        arguments: [
            ("a,b", ["a", "b"]), ("a", ["a"]), ("garage, LEFT", ["garage, LEFT"]),
            ("a,Garage, left,b", ["a", "Garage, left", "b"]), ("Garage,left", ["Garage", "left"]),
            ("x,y", ["x,y"]), ("x,y,z", ["x,y,z"]), ("x,y,a", ["x,y", "a"]),
            ("a,,b", ["a", "", "b"]), ("", [""]),
        ])
    func entries(list: String, expected: [String]) {
        let names = ["Garage", "Garage, left", "x,y", "x,y,z", "left"]
        #expect(NameLookup.entries(of: [list], among: names) == expected)
    }
}
