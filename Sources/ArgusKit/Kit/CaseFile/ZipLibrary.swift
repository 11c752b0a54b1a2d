import ArgusCore
import CZip

/// The functions of libzip, loaded at the first use of a case file.
///
/// Unchecked because C function types are not Sendable: every property is the address of code.
final class ZipLibrary: @unchecked Sendable {
    let makeSource: argus_zip_source_function_create
    let freeSource: argus_zip_source_free
    let open: argus_zip_open_from_source
    let close: argus_zip_close
    let discard: argus_zip_discard

    let beginError: argus_zip_error_init
    let describeError: argus_zip_error_strerror
    let endError: argus_zip_error_fini
    let describe: argus_zip_strerror

    let add: argus_zip_file_add
    let setCompression: argus_zip_set_file_compression
    let setTime: argus_zip_file_set_dostime
    let setAttributes: argus_zip_file_set_external_attributes

    let count: argus_zip_get_num_entries
    let comment: argus_zip_get_archive_comment
    let attributes: argus_zip_file_get_external_attributes
    let status: argus_zip_stat_index
    let openFile: argus_zip_fopen_index
    let read: argus_zip_fread
    let describeFile: argus_zip_file_strerror
    let closeFile: argus_zip_fclose

    static let shared = Result { () throws(CaseFileError) in try ZipLibrary() }

    private init() throws(CaseFileError) {
        let library = try Self.load()
        makeSource = try library.function("zip_source_function_create")
        freeSource = try library.function("zip_source_free")
        open = try library.function("zip_open_from_source")
        close = try library.function("zip_close")
        discard = try library.function("zip_discard")
        beginError = try library.function("zip_error_init")
        describeError = try library.function("zip_error_strerror")
        endError = try library.function("zip_error_fini")
        describe = try library.function("zip_strerror")
        add = try library.function("zip_file_add")
        setCompression = try library.function("zip_set_file_compression")
        setTime = try library.function("zip_file_set_dostime")
        setAttributes = try library.function("zip_file_set_external_attributes")
        count = try library.function("zip_get_num_entries")
        comment = try library.function("zip_get_archive_comment")
        attributes = try library.function("zip_file_get_external_attributes")
        status = try library.function("zip_stat_index")
        openFile = try library.function("zip_fopen_index")
        read = try library.function("zip_fread")
        describeFile = try library.function("zip_file_strerror")
        closeFile = try library.function("zip_fclose")
    }

    /// Loads the library of Debian 13, else that of Debian 12.
    private static func load() throws(CaseFileError) -> SharedLibrary<CaseFileError> {
        do throws(CaseFileError) {
            return try SharedLibrary(
                "libzip.so.5", of: "libzip5", failing: CaseFileError.libraryMissing)
        } catch {
            return try SharedLibrary(
                "libzip.so.4", of: "libzip5' or 'libzip4",
                failing: CaseFileError.libraryMissing)
        }
    }
}

/// The numbers of zip.h and of the ZIP format.
enum ZipCode {
    static let truncate: Int32 = 8
    static let readOnly: Int32 = 16
    static let consistent: Int32 = 4
    static let utf8: UInt32 = 2048
    static let asStored: UInt32 = 64
    static let store: Int32 = 0
    static let readError: Int32 = 5
    static let validSize: UInt64 = 4
    static let validName: UInt64 = 1
    /// Attributes are those of Unix, in the upper half.
    static let unix: UInt8 = 3
    static let fileMode: UInt32 = 0o100_644 << 16
    /// The bits of the type of a file, and those of a symbolic link.
    static let (typeMask, link): (UInt32, UInt32) = (0o170_000 << 16, 0o120_000 << 16)
    /// 1 January 1980, the first date of MS-DOS.
    static let firstDate: UInt16 = 0x21
}
