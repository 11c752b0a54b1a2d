import ArgusCore
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
        let library = try SharedLibrary(name, of: "libsecret-1-0", failing: Self.unusable)
        newCancellable = try library.function("g_cancellable_new")
        cancel = try library.function("g_cancellable_cancel")
        releaseObject = try library.function("g_object_unref")
        freeError = try library.function("g_error_free")
        freeList = try library.function("g_list_free")
        newTable = try library.function("g_hash_table_new")
        insert = try library.function("g_hash_table_insert")
        releaseTable = try library.function("g_hash_table_unref")
        stringHash = try library.symbol("g_str_hash")
        stringEqual = try library.symbol("g_str_equal")
        newString = try library.function("g_variant_new_string")
        newTuple = try library.function("g_variant_new_tuple")
        child = try library.function("g_variant_get_child_value")
        boolean = try library.function("g_variant_get_boolean")
        releaseVariant = try library.function("g_variant_unref")
        bus = try library.function("g_bus_get_sync")
        setExitOnClose = try library.function("g_dbus_connection_set_exit_on_close")
        call = try library.function("g_dbus_connection_call_sync")
        service = try library.function("secret_service_get_sync")
        search = try library.function("secret_service_search_sync")
        store = try library.function("secret_service_store_sync")
        clear = try library.function("secret_service_clear_sync")
        collection = try library.function("secret_collection_for_alias_sync")
        isCollectionLocked = try library.function("secret_collection_get_locked")
        isItemLocked = try library.function("secret_item_get_locked")
        secretOfItem = try library.function("secret_item_get_secret")
        newValue = try library.function("secret_value_new")
        bytesOfValue = try library.function("secret_value_get")
        releaseValue = try library.function("secret_value_unref")
    }

    private static func unusable(_ reason: String) -> Unusable {
        Unusable(reason: "cannot use libsecret: \(reason)")
    }
}
