import ArgusTransport
import Glibc
import Testing

@testable import ArgusCore

@Suite("DeviceIdentity")
struct DeviceIdentityTests {
    private let machine = "0123456789abcdef0123456789abcdef"

    @Test("the id is a lower-case UUID, the same for a user on a machine, and for no one else")
    func id() throws {
        let id = DeviceIdentity.id(machine: machine, user: 1000)
        #expect(
            id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
                != nil)
        #expect(DeviceIdentity.id(machine: machine, user: 1000) == id)
        #expect(DeviceIdentity.id(machine: machine, user: 1001) != id)
        #expect(DeviceIdentity.id(machine: String(machine.reversed()), user: 1000) != id)
        #expect(!id.contains(machine.prefix(8)))
    }

    @Test("this machine is the device of its id and of this user")
    func current() {
        var names = utsname()
        uname(&names)
        let host = withUnsafeBytes(of: &names.nodename) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        // A container may have no id; its name stands for it.
        let machine = (try? MachineID.read())?.reveal() ?? host
        #expect(DeviceIdentity.current().id == DeviceIdentity.id(machine: machine, user: getuid()))
    }

    @Test("the header fields are those of the documents")
    func headers() {
        let device = DeviceIdentity(
            id: "i", model: "Linux x86_64", system: "Debian 12", name: "Linux")
        let fields = device.headers(appVersion: "0.1.0").map { header in
            guard case .plain(let text) = header.value else { return header.name }
            return "\(header.name): \(text)"
        }
        #expect(
            fields == [
                "X-Device-Id: i", "X-Device-Platform: linux", "X-Device-Model: Linux x86_64",
                "X-App-Version: 0.1.0",
            ])
        #expect(device.userAgent(of: "argus/0.1.0") == "argus/0.1.0 (Linux x86_64; Debian 12)")
    }

    @Test("the system is named as os-release(5) has it")
    func system() {
        let release = "PRETTY_NAME=\"x\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n"
        #expect(DeviceIdentity.name(inRelease: release) == "Debian GNU/Linux 12")
        #expect(DeviceIdentity.name(inRelease: "NAME=Arch") == "Arch")
        #expect(DeviceIdentity.name(inRelease: "") == nil)
    }
}
