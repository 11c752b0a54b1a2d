import CCurl

/// The libcurl handle of one transfer, freed with the value (curl_easy_init(3)).
struct EasyHandle: ~Copyable {
    let pointer: OpaquePointer
    private let curl: CurlLibrary

    init(_ curl: CurlLibrary) throws(TransportError) {
        guard let pointer = curl.easyInit() else {
            throw TransportError(.noResources, "out of memory", nothingSent: true)
        }
        self.pointer = pointer
        self.curl = curl
    }

    deinit { curl.easyCleanup(pointer) }

    /// Sets an option that takes a `long`.
    borrowing func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(argus_easy_setopt_long(curl.setOption, pointer, option, value), option)
    }

    borrowing func set(_ option: CURLoption, _ value: Bool) throws(TransportError) {
        try set(option, value ? 1 : 0)
    }

    /// Sets an option that an older libcurl may lack.
    borrowing func setIfKnown(_ option: CURLoption, _ value: Int) {
        _ = argus_easy_setopt_long(curl.setOption, pointer, option, value)
    }

    /// Sets an option that takes text, which libcurl copies.
    borrowing func set(_ option: CURLoption, _ value: String) throws(TransportError) {
        try check(argus_easy_setopt_string(curl.setOption, pointer, option, value), option)
    }

    /// Sets an option that takes a pointer, which must outlive the transfer.
    borrowing func set(
        _ option: CURLoption, pointer value: UnsafeMutableRawPointer?
    ) throws(TransportError) {
        try check(argus_easy_setopt_pointer(curl.setOption, pointer, option, value), option)
    }

    /// Sets the function that receives header lines or body bytes.
    borrowing func set(
        _ option: CURLoption, callback: @escaping curl_write_callback
    ) throws(TransportError) {
        try check(argus_easy_setopt_callback(curl.setOption, pointer, option, callback), option)
    }

    borrowing func set(socketCallback: @escaping curl_sockopt_callback) throws(TransportError) {
        let option = CURLOPT_SOCKOPTFUNCTION
        try check(
            argus_easy_setopt_socket_callback(curl.setOption, pointer, option, socketCallback),
            option)
    }

    /// Sets the function that opens the socket of a connection, or refuses its address.
    borrowing func set(
        openCallback: @escaping curl_opensocket_callback, _ context: UnsafeMutableRawPointer
    ) throws(TransportError) {
        let option = CURLOPT_OPENSOCKETFUNCTION
        try check(
            argus_easy_setopt_open_callback(curl.setOption, pointer, option, openCallback), option)
        try set(CURLOPT_OPENSOCKETDATA, pointer: context)
    }

    /// Sets the function that is called before a request leaves; libcurl has it since 7.80.
    borrowing func set(
        departureCallback: @escaping curl_prereq_callback, _ context: UnsafeMutableRawPointer
    ) throws(TransportError) {
        let option = CURLOPT_PREREQFUNCTION
        try check(
            argus_easy_setopt_departure_callback(
                curl.setOption, pointer, option, departureCallback), option)
        try set(CURLOPT_PREREQDATA, pointer: context)
    }

    /// Sets the request body, which libcurl copies.
    borrowing func setBody(_ bytes: [UInt8]) throws(TransportError) {
        // The size comes first: without it libcurl looks for a terminating zero.
        let size = CURLOPT_POSTFIELDSIZE_LARGE
        try check(
            argus_easy_setopt_offset(curl.setOption, pointer, size, curl_off_t(bytes.count)), size)
        // An empty array has no address, and without one libcurl would ask for the body later.
        var bytes = bytes.isEmpty ? [0] : bytes
        try set(CURLOPT_COPYPOSTFIELDS, pointer: &bytes)
    }

    /// An info value that is a `long`; 0 if unknown.
    borrowing func long(_ info: CURLINFO) -> Int {
        var value = 0
        _ = argus_easy_getinfo_long(curl.getInfo, pointer, info, &value)
        return value
    }

    /// An info value that is a `curl_off_t`: bytes, or microseconds for times.
    borrowing func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        _ = argus_easy_getinfo_offset(curl.getInfo, pointer, info, &value)
        return Int64(value)
    }

    borrowing func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        _ = argus_easy_getinfo_string(curl.getInfo, pointer, info, &value)
        return value.map { String(cString: $0) }
    }

    /// The socket of the connection (CURLINFO_ACTIVESOCKET(3)); -1 if there is none.
    var activeSocket: curl_socket_t {
        var value: curl_socket_t = -1
        _ = argus_easy_getinfo_socket(curl.getInfo, pointer, CURLINFO_ACTIVESOCKET, &value)
        return value
    }

    /// Receives up to 16 KiB that have arrived (curl_easy_recv(3)).
    ///
    /// `CURLE_AGAIN` means none yet, and `CURLE_OK` without bytes the end.
    borrowing func receive() -> (code: CURLcode, bytes: [UInt8]) {
        var code = CURLE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
            code = curl.easyReceive(pointer, buffer.baseAddress, buffer.count, &count)
            if code != CURLE_OK { count = 0 }
        }
        return (code, bytes)
    }

    /// Sends as many bytes as the connection takes at once (curl_easy_send(3)).
    borrowing func send(_ bytes: ArraySlice<UInt8>) -> (code: CURLcode, count: Int) {
        guard !bytes.isEmpty else { return (CURLE_OK, 0) }
        return bytes.withUnsafeBytes { buffer in
            var count = 0
            let code = curl.easySend(pointer, buffer.baseAddress, buffer.count, &count)
            return (code, count)
        }
    }

    /// The server's own certificate in PEM, if CURLOPT_CERTINFO(3) is set.
    borrowing func peerCertificate() -> String? {
        var certificates: UnsafeMutablePointer<curl_certinfo>?
        _ = argus_easy_getinfo_certificates(
            curl.getInfo, pointer, CURLINFO_CERTINFO, &certificates)
        guard let list = certificates?.pointee, list.num_of_certs > 0 else { return nil }
        var next = list.certinfo?.pointee
        while let field = next?.pointee {
            let text = field.data.map { String(cString: $0) } ?? ""
            if text.hasPrefix("Cert:") { return String(text.dropFirst(5)) }
            next = field.next
        }
        return nil
    }

    /// libcurl's description of a code that came without a message (curl_easy_strerror(3)).
    borrowing func words(for code: CURLcode) -> String {
        curl.easyWords(code).map { String(cString: $0) } ?? ""
    }

    private borrowing func check(_ code: CURLcode, _ option: CURLoption) throws(TransportError) {
        guard code != CURLE_OK else { return }
        throw TransportError(
            .libraryMissing, "libcurl refuses option \(option.rawValue)", nothingSent: true)
    }
}

/// A list of strings that libcurl reads while a transfer runs (curl_slist_append(3)).
struct CurlList: ~Copyable {
    let head: UnsafeMutablePointer<curl_slist>?
    private let curl: CurlLibrary

    init(_ curl: CurlLibrary, _ texts: [String]) throws(TransportError) {
        var head: UnsafeMutablePointer<curl_slist>?
        for text in texts {
            guard let longer = curl.listAppend(head, text) else {
                curl.listFree(head)
                throw TransportError(.noResources, "out of memory", nothingSent: true)
            }
            head = longer
        }
        self.head = head
        self.curl = curl
    }

    deinit { curl.listFree(head) }
}
