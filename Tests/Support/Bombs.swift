/// Short bodies of long answers; their encoding is `gzip, gzip`.
package enum Bombs {
    /// `[0,0,…,0]` of 63 MiB.
    package static let zeros = decode(
        """
        H4sIAAAAAAACA+3bvUrbUQDG4X8Si1/UEqEIojWtTh2k3YQusQQVN0Ghi4h0lEKmrMmSEhAkl1CcrEvtkMnBksk7ULK0\
        guASERwEQTxyehnH55nea/jBO7M7lEX5Qr/78WUcPz6/uftdf7X74UshAwAAABJXrV00BuI4DWd7rUMAAAAgdSPH1XI+\
        xoDLsLNc2QAAAABS19xcKOViDLgNndl9cQQAAACS152fav//C9yHXnFNHAEAAIDkbU+MrcQW0HioX7cOxBEAAABI3tHo\
        4FyMAeXHk1plXRwBAACA5J03C+MxBpTC1qd32ggAAAAk732/mxuOMaAdfk0XtREAAABI3uvaRWMgxoDTcLbXEkcAAAAg\
        eSPH1XI+xoDLsLNcEUcAAAAgec3NhVIuxoDb0JndF0cAAAAged35qXZsAdl96BXXxBEAAABI3vbE2EpsAY2H+nXrQBwB\
        AACA5B2NDs7FGFB+PKlV1sURAAAASF6v+XUyy7Lvi6tXf5e+9UsZAADP2p/Oi/bbfz9DuCk8AaRdL8H7+gAA
        """)

    /// A string of 7 MiB.
    package static let text = decode(
        """
        H4sIAAAAAAACA+3QsQ1AUBhF4d8TiUYsICEGEBvZQMQE1AZQvMYSeo9aqRc1rUSHMcj5mnPrGzauvJS9m/odU9TqOdvi\
        RQkAAAAAAPi59TCW93TsktO/gpxHAAAAgA8aekdXZaqkkBvdlJHT/RsAAA==
        """)

    private static func decode(_ text: String) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for letter in text.utf8 {
            guard let value = letters.firstIndex(of: letter) else { continue }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bytes
    }
}
