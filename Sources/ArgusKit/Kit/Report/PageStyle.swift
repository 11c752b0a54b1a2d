import ArgusCore

/// The style sheet of all pages: light, dark, narrow, and in print.
package enum PageStyle {
    /// The classes of elements.
    package enum Class: String, Sendable, CaseIterable {
        /// Text of less weight.
        case quiet
        /// What went wrong, or is missing.
        case warning
        /// A number, to the right of its column.
        case number
        /// An identifier or a checksum, in letters of one width.
        case code
        /// Names with their values beside them, for `dl`.
        case facts
        /// A chapter with a rule above it.
        case chapter
        /// An event: its heading, its pictures, its text.
        case event
        /// The pictures of an event, beside each other.
        case pictures
        /// Small pictures beside each other, each a `figure`.
        case sheet
        /// A picture that may take the width of the page.
        case large
        /// A table of names, numbers and what belongs to them, whose names and headings are not broken.
        case counts
        /// Figures in large letters beside each other, each a `div` of two lines.
        case figures
    }

    /// The source expression that allows the style sheet and no other (Content Security Policy 3,
    /// section 2.3.1).
    static let hash = "sha256-" + Checksum.base64SHA256(Array(text.utf8))

    static let text = """

        :root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1d; --quiet: #63636b;
          --line: #d9d9de; --tint: #f5f5f7; --warning: #a3330a; }
        @media (prefers-color-scheme: dark) { :root { --paper: #161618; --ink: #ececf0;
          --quiet: #a0a0aa; --line: #3a3a40; --tint: #212125; --warning: #ff9d76; } }
        * { box-sizing: border-box; }
        body { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; background: var(--paper);
          color: var(--ink); font: 1rem/1.5 system-ui, "Liberation Sans", Arial, sans-serif;
          overflow-wrap: anywhere; }
        h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; }
        h2 { font-size: 1.25rem; line-height: 1.3; margin: 2rem 0 .5rem; }
        h3 { font-size: 1.05rem; line-height: 1.3; margin: 0 0 .25rem; }
        p { margin: .25rem 0 .75rem; white-space: pre-line; }
        a { color: inherit; }
        img, video { max-width: 100%; height: auto; border-radius: 4px; background: var(--tint); }
        figure { margin: 0; }
        figcaption { color: var(--quiet); font-size: .85rem; line-height: 1.35; }
        table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
        th, td { text-align: start; vertical-align: top; padding: .3rem .6rem .3rem 0;
          border-bottom: 1px solid var(--line); }
        th { color: var(--quiet); font-weight: 600; font-size: .9rem; overflow-wrap: normal; }
        td:first-child { min-width: 6rem; }
        dl { margin: .5rem 0 1rem; }
        dt { color: var(--quiet); }
        dd { margin: 0 0 .4rem; }
        code, .code { font-family: ui-monospace, "Liberation Mono", monospace; font-size: .85em; }
        footer { margin-top: 2.5rem; padding-top: .75rem; border-top: 1px solid var(--line);
          color: var(--quiet); font-size: .9rem; }
        .quiet { color: var(--quiet); }
        .warning { color: var(--warning); }
        .number { font-variant-numeric: tabular-nums; }
        td > .number { display: block; text-align: end; }
        .facts { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr;
          gap: .2rem 1rem; }
        .facts dd { margin: 0; min-width: 0; }
        .chapter { border-top: 1px solid var(--line); margin-top: 2rem; }
        .event { border-top: 1px solid var(--line); padding: 1rem 0; }
        .event p { margin-bottom: .35rem; }
        ul.code { list-style: none; margin: 0; padding: 0; }
        .pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr));
          gap: .75rem; margin: .5rem 0; }
        .pictures img, .pictures video { width: 100%; }
        .sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr));
          gap: .75rem; margin: .5rem 0 1rem; }
        .sheet img { width: 100%; }
        .large { display: block; width: 100%; }
        .counts th { overflow-wrap: normal; }
        .counts td:first-child { min-width: 7rem; width: 25%; }
        .counts td:nth-child(2) { min-width: 4rem; width: 15%; }
        .figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr));
          gap: .75rem; margin: 1rem 0; }
        .figures > div { background: var(--tint); border-radius: 6px; padding: .6rem .8rem; }
        .figures strong { display: block; font-size: 1.6rem; line-height: 1.2; }
        @media (max-width: 36rem) { table { font-size: .85rem; }
          .facts { display: block; } .facts dd { margin-bottom: .5rem; }
          .pictures { grid-template-columns: 1fr; } }
        @media print { :root { color-scheme: light; --paper: #fff; --ink: #000; --quiet: #444;
          --line: #bbb; --tint: #f2f2f2; --warning: #7a2200; }
          @page { margin: 16mm; }
          body { max-width: none; padding: 0; font-size: 10pt; }
          h2, h3 { break-after: avoid; }
          .event > header, .event > p { break-after: avoid; }
          figure, tr, .event > header, .figures > div { break-inside: avoid; }
          .pictures { grid-template-columns: repeat(2, 1fr); }
          .sheet { grid-template-columns: repeat(4, 1fr); }
          video { display: none; } }

        """
}
