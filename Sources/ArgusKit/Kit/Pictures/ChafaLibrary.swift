import ArgusCore

/// The functions of libchafa, opened at the first use (chafa.h of chafa 1.12, which later releases
/// keep).
struct ChafaLibrary: Sendable {
    typealias Object = UnsafeMutableRawPointer
    typealias Variables = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// `ChafaCanvasMode`; of 256 colours the 16 that users change are left out.
    enum ColorMode: Int32 {
        case direct = 0
        case indexed256 = 2
        case indexed16 = 3
        case none = 5
    }

    /// `ChafaPixelMode`.
    enum PixelMode: Int32 {
        case symbols, sixels, kitty, iterm2
    }

    /// `ChafaTermSeq`, the names of control sequences.
    enum Sequence: Int32 {
        case direct = 33
        case indexed256 = 36
        case indexed16 = 39
        case beginSixels = 40
        case endSixels = 41
        case kittyImage = 43
        case iterm2Image = 47
    }

    /// `CHAFA_PIXEL_RGB8`.
    static let rgb: Int32 = 8
    /// `CHAFA_SYMBOL_TAG_ASCII`.
    static let ascii: Int32 = 1 << 14

    let makeConfiguration: @convention(c) () -> Object?
    let releaseConfiguration: @convention(c) (Object) -> Void
    let setSize: @convention(c) (Object, Int32, Int32) -> Void
    let setCellSize: @convention(c) (Object, Int32, Int32) -> Void
    let setColors: @convention(c) (Object, Int32) -> Void
    let setPixels: @convention(c) (Object, Int32) -> Void
    let setSymbols: @convention(c) (Object, Object) -> Void
    let makeSymbols: @convention(c) () -> Object?
    let releaseSymbols: @convention(c) (Object) -> Void
    let addSymbols: @convention(c) (Object, Int32) -> Void
    let makeCanvas: @convention(c) (Object) -> Object?
    let releaseCanvas: @convention(c) (Object) -> Void
    let draw: @convention(c) (Object, Int32, UnsafePointer<UInt8>, Int32, Int32, Int32) -> Void
    let print: @convention(c) (Object, Object) -> Object?
    let terminals: @convention(c) () -> Object?
    let detect: @convention(c) (Object, Variables) -> Object?
    let fallback: @convention(c) (Object) -> Object?
    let supplement: @convention(c) (Object, Object) -> Void
    let releaseTerminal: @convention(c) (Object) -> Void
    let has: @convention(c) (Object, Int32) -> Int32
    let set: @convention(c) (Object, Int32, UnsafePointer<CChar>, Object?) -> Int32
    /// `g_string_free` of GLib, which libchafa loads.
    let releaseText: @convention(c) (Object, Int32) -> UnsafeMutablePointer<CChar>?

    /// - Throws: `PicturesUnavailable` if the library is absent.
    init() throws(PicturesUnavailable) {
        let library = try SharedLibrary<PicturesUnavailable>(
            "libchafa.so.0", of: "libchafa0", failing: PicturesUnavailable.init)
        makeConfiguration = try library.function("chafa_canvas_config_new")
        releaseConfiguration = try library.function("chafa_canvas_config_unref")
        setSize = try library.function("chafa_canvas_config_set_geometry")
        setCellSize = try library.function("chafa_canvas_config_set_cell_geometry")
        setColors = try library.function("chafa_canvas_config_set_canvas_mode")
        setPixels = try library.function("chafa_canvas_config_set_pixel_mode")
        setSymbols = try library.function("chafa_canvas_config_set_symbol_map")
        makeSymbols = try library.function("chafa_symbol_map_new")
        releaseSymbols = try library.function("chafa_symbol_map_unref")
        addSymbols = try library.function("chafa_symbol_map_add_by_tags")
        makeCanvas = try library.function("chafa_canvas_new")
        releaseCanvas = try library.function("chafa_canvas_unref")
        draw = try library.function("chafa_canvas_draw_all_pixels")
        print = try library.function("chafa_canvas_print")
        terminals = try library.function("chafa_term_db_get_default")
        detect = try library.function("chafa_term_db_detect")
        fallback = try library.function("chafa_term_db_get_fallback_info")
        supplement = try library.function("chafa_term_info_supplement")
        releaseTerminal = try library.function("chafa_term_info_unref")
        has = try library.function("chafa_term_info_have_seq")
        set = try library.function("chafa_term_info_set_seq")
        releaseText = try library.function("g_string_free")
    }
}
