import CSecret
import Glibc

/// The functions of libsecret and of the GLib below it, loaded at the first use of a keyring.
final class SecretLibrary: @unchecked Sendable {
    // Unchecked because C function types are not Sendable: every property is the address of code,
    // written once before the first reader exists.

    let newCancellable: argus_g_cancellable_new
    let cancel: argus_g_cancellable_cancel
    let releaseObject: argus_g_object_unref
    let freeError: argus_g_error_free
    let freeList: argus_g_list_free

    let newTable: argus_g_hash_table_new
    let insert: argus_g_hash_table_insert
    let releaseTable: argus_g_hash_table_unref
    let stringHash: UnsafeMutableRawPointer
    let stringEqual: UnsafeMutableRawPointer

    let newString: argus_g_variant_new_string
    let newTuple: argus_g_variant_new_tuple
    let child: argus_g_variant_get_child_value
    let boolean: argus_g_variant_get_boolean
    let releaseVariant: argus_g_variant_unref

    let bus: argus_g_bus_get_sync
    let setExitOnClose: argus_g_dbus_connection_set_exit_on_close
    let call: argus_g_dbus_connection_call_sync

    let service: argus_secret_service_get_sync
    let search: argus_secret_service_search_sync
    let store: argus_secret_service_store_sync
    let clear: argus_secret_service_clear_sync
    let collection: argus_secret_collection_for_alias_sync
    let isCollectionLocked: argus_secret_collection_get_locked
    let isItemLocked: argus_secret_item_get_locked
    let secretOfItem: argus_secret_item_get_secret
    let newValue: argus_secret_value_new
    let bytesOfValue: argus_secret_value_get
    let releaseValue: argus_secret_value_unref

    /// The reason why the library cannot be used.
    struct Unusable: Error { var reason: String }

    /// The library of this process, opened once.
    static let shared = Result { () throws(Unusable) in
        try SecretLibrary(opening: "libsecret-1.so.0")
    }

    /// Opens a shared library and finds the functions in it and in the libraries below it.
    init(opening name: String) throws(Unusable) {
        guard let image = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else {
            let words = dlerror().map { String(cString: $0) } ?? "cannot open \(name)"
            throw Self.unusable(words)
        }
        // One that is built on GnuTLS expects it to have prepared itself (LibraryStarts.swift).
        if let start = dlsym(image, "gnutls_global_init") {
            _ = unsafeBitCast(start, to: (@convention(c) () -> Int32).self)()
        }
        func symbol(_ name: String) throws(Unusable) -> UnsafeMutableRawPointer {
            guard let address = dlsym(image, name) else { throw Self.unusable("it lacks \(name)") }
            return address
        }
        func function<Signature>(_ name: String) throws(Unusable) -> Signature {
            unsafeBitCast(try symbol(name), to: Signature.self)
        }
        newCancellable = try function("g_cancellable_new")
        cancel = try function("g_cancellable_cancel")
        releaseObject = try function("g_object_unref")
        freeError = try function("g_error_free")
        freeList = try function("g_list_free")
        newTable = try function("g_hash_table_new")
        insert = try function("g_hash_table_insert")
        releaseTable = try function("g_hash_table_unref")
        stringHash = try symbol("g_str_hash")
        stringEqual = try symbol("g_str_equal")
        newString = try function("g_variant_new_string")
        newTuple = try function("g_variant_new_tuple")
        child = try function("g_variant_get_child_value")
        boolean = try function("g_variant_get_boolean")
        releaseVariant = try function("g_variant_unref")
        bus = try function("g_bus_get_sync")
        setExitOnClose = try function("g_dbus_connection_set_exit_on_close")
        call = try function("g_dbus_connection_call_sync")
        service = try function("secret_service_get_sync")
        search = try function("secret_service_search_sync")
        store = try function("secret_service_store_sync")
        clear = try function("secret_service_clear_sync")
        collection = try function("secret_collection_for_alias_sync")
        isCollectionLocked = try function("secret_collection_get_locked")
        isItemLocked = try function("secret_item_get_locked")
        secretOfItem = try function("secret_item_get_secret")
        newValue = try function("secret_value_new")
        bytesOfValue = try function("secret_value_get")
        releaseValue = try function("secret_value_unref")
    }

    private static func unusable(_ reason: String) -> Unusable {
        Unusable(
            reason: "cannot use libsecret: \(reason); install the package 'libsecret-1-0'")
    }
}
