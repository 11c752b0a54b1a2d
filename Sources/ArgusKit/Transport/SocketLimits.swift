import CCurl
import Glibc

extension EasyHandle {
    /// Makes connections break soon after the machine has left the network that they go through.
    ///
    /// Otherwise a request waits for its whole time on a connection whose other end nobody can
    /// reach any more, and no other way is tried.
    borrowing func noticeLostNetworks() throws(TransportError) {
        try set(socketCallback: setUpSocket)
    }
}

/// Sets a new socket up for libcurl (CURLOPT_SOCKOPTFUNCTION(3)).
///
/// It bounds how long sent bytes may stay unacknowledged, and asks an idle peer whether it is still
/// there (tcp(7)). A kernel that refuses only notices later.
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
