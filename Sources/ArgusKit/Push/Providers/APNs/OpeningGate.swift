/// Lets one send pass until APNs has accepted its token, since a connection has only one stream
/// before; the others would open connections of their own, which Apple treats as abuse.
actor OpeningGate {
    private var isOpen = false
    private var isTried = false
    private var waiting: [CheckedContinuation<Bool, Never>] = []

    /// Waits until the gate is open, or this send is the one to open it: true.
    func enter() async -> Bool {
        if isOpen { return false }
        guard isTried else {
            isTried = true
            return true
        }
        return await withCheckedContinuation { waiting.append($0) }
    }

    /// Ends the try of the send that entered to open the gate; if it failed, the next one tries.
    func leave(hasOpened: Bool) {
        if hasOpened {
            isOpen = true
            for send in waiting { send.resume(returning: false) }
            waiting = []
        } else if waiting.isEmpty {
            isTried = false
        } else {
            waiting.removeFirst().resume(returning: true)
        }
    }
}
