import CAvahi

/// AvahiClientCallback: the connection's state changed; also called inside avahi_client_new.
func clientChanged(
    _ client: OpaquePointer?, _ state: AvahiClientState, _ context: UnsafeMutableRawPointer?
) {
    guard let client, let context else { return }
    Unmanaged<AvahiSearch>.fromOpaque(context).takeUnretainedValue().changed(client, state)
}

/// AvahiServiceBrowserCallback: a service appeared or vanished, or the browser failed.
func serviceSeen(
    _ browser: OpaquePointer?, _ interface: AvahiIfIndex, _ family: AvahiProtocol,
    _ event: AvahiBrowserEvent, _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?,
    _ domain: UnsafePointer<CChar>?, _ flags: AvahiLookupResultFlags,
    _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    let search = Unmanaged<AvahiSearch>.fromOpaque(context).takeUnretainedValue()
    if event == AVAHI_BROWSER_FAILURE { return search.browserFailed() }
    guard event == AVAHI_BROWSER_NEW, let name, let type, let domain else { return }
    let service = AvahiService(
        search, interface, family, name: String(cString: name), type: String(cString: type),
        domain: String(cString: domain))
    search.seen(service)
}

/// AvahiServiceResolverCallback: a service's host, port and TXT record, or a time-out.
func serviceResolved(
    _ resolver: OpaquePointer?, _ interface: AvahiIfIndex, _ family: AvahiProtocol,
    _ event: AvahiResolverEvent, _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?,
    _ domain: UnsafePointer<CChar>?, _ host: UnsafePointer<CChar>?,
    _ address: UnsafePointer<AvahiAddress>?, _ port: UInt16,
    _ txt: UnsafeMutablePointer<AvahiStringList>?,
    _ flags: AvahiLookupResultFlags, _ context: UnsafeMutableRawPointer?
) {
    guard let context, let resolver else { return }
    let service = Unmanaged<AvahiService>.fromOpaque(context).takeUnretainedValue()
    let search = service.search
    guard event == AVAHI_RESOLVER_FOUND, let host else {
        return search.resolved(service, by: resolver, nil)
    }
    search.resolved(
        service, by: resolver, (String(cString: host), port, search.avahi.entries(of: txt)))
}

/// AvahiRecordBrowserCallback: a host has an address.
func addressSeen(
    _ browser: OpaquePointer?, _ interface: AvahiIfIndex, _ family: AvahiProtocol,
    _ event: AvahiBrowserEvent, _ name: UnsafePointer<CChar>?, _ recordClass: UInt16,
    _ type: UInt16, _ data: UnsafeRawPointer?, _ size: Int, _ flags: AvahiLookupResultFlags,
    _ context: UnsafeMutableRawPointer?
) {
    guard event == AVAHI_BROWSER_NEW, let context, let data, size == 4 || size == 16 else { return }
    let host = Unmanaged<AvahiHost>.fromOpaque(context).takeUnretainedValue()
    let bytes = Array(UnsafeRawBufferPointer(start: data, count: size))
    host.search.seen(AvahiHost.Address(bytes: bytes, interface: interface), of: host)
}
