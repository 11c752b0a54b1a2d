import Testing

@testable import ArgusEvents

@Suite("the inbox of a feed")
struct FeedInboxTests {
    private let inbox = FeedInbox(monotonic: { .zero }, sleep: { _ in })

    @Test("announcements beyond the capacity become one signal; what else waits is kept")
    func overflow() async {
        for number in 0..<FeedInbox.capacity + 100 { await inbox.send(.announced("\(number)")) }
        await inbox.send(.disconnected("gone"))
        for number in 0..<FeedInbox.capacity {
            #expect(await inbox.wait(until: .zero) == .announced("\(number)"))
        }
        #expect(await inbox.wait(until: .zero) == .overflow)
        #expect(await inbox.wait(until: .zero) == .disconnected("gone"))
        #expect(await inbox.wait(until: .zero) == nil)
    }
}
