import CCurl
import Glibc

extension EasyHandle {
    /// Makes connections fail soon after the machine has left their network.
    ///
    /// Otherwise a request waits for its whole time limit on a dead connection, and no other
    /// address is tried.
    borrowing func noticeLostNetworks() throws(TransportError) {
        try set(socketCallback: setUpSocket)
    }
}

/// Configures a new socket for libcurl (CURLOPT_SOCKOPTFUNCTION(3)).
///
/// Limits the time that sent bytes may stay unacknowledged, and probes an idle peer (tcp(7)). A
/// kernel that refuses only detects the loss later.
private func setUpSocket(
    _ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    let tcp = Int32(IPPROTO_TCP)
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    set(tcp, TCP_KEEPIDLE, 4)
    set(tcp, TCP_KEEPINTVL, 2)
    set(tcp, TCP_USER_TIMEOUT, 8000)
    return CURL_SOCKOPT_OK
}
