/// The tables of an archive and their changes from version to version (docs/archive.md).
enum ArchiveSchema {
    /// The number that marks the file as an archive: `argu` in ASCII (`PRAGMA application_id`).
    static let applicationID = 0x6172_6775

    /// The version that this argus reads and writes (`PRAGMA user_version`).
    static var version: Int { migrations.count }

    /// The statements that lead from each version to the next, the first from an empty file.
    private static let migrations: [[String]] = [first, second, third, fourth, fifth, sixth]

    /// Brings a database to the current version, in one step that may be interrupted.
    /// - Throws: `ArchiveError`; `.newer` for a database of a newer argus.
    static func migrate(_ database: SQLiteDatabase) throws(ArchiveError) {
        guard try expectKnown(database) < version else { return }
        try database.transaction { () throws(ArchiveError) in
            // Another process may have done it meanwhile.
            let found = try expectKnown(database)
            for step in migrations.dropFirst(found) {
                for statement in step { try database.run(statement) }
            }
            try database.run("PRAGMA application_id = \(applicationID)")
            try database.run("PRAGMA user_version = \(version)")
        }
    }

    /// The version of a database, 0 for an empty one.
    /// - Throws: `ArchiveError`; `.newer` for a database of a newer argus, `.damaged` for one that is
    ///   no archive.
    @discardableResult
    static func expectKnown(_ database: SQLiteDatabase) throws(ArchiveError) -> Int {
        let found = try database.number("PRAGMA user_version") ?? 0
        let application = try database.number("PRAGMA application_id") ?? 0
        guard application == applicationID || (application == 0 && found == 0) else {
            throw .damaged(database.path, "it is the database of another program")
        }
        guard found >= 0 else {
            throw .damaged(database.path, "its version is \(found)")
        }
        guard found <= version else { throw .newer(database.path, version: found) }
        return found
    }

    /// The tables of every version.
    private static let tables = [
        "server", "camera", "kind", "event", "object", "media", "forgotten", "event_text",
    ]
    /// The end of the numbers of events, which are dense.
    static let numberEnd = 1 << 28

    /// Checks that a database, of which a marker says that it is an archive, has not lost its tables.
    /// - Throws: `ArchiveError`; `.notDatabase` for one that was emptied, or has other things in their
    ///   places.
    static func expectArchive(_ database: SQLiteDatabase) throws(ArchiveError) {
        guard try expectKnown(database) > 0 else {
            throw .notDatabase(database.path, "it is empty")
        }
        let present = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            $0.text(0)
        }
        if let missing = tables.first(where: { !present.contains($0) }) {
            throw .notDatabase(database.path, "it has no table '\(missing)'")
        }
        let strange = try database.number(
            """
            SELECT 1 WHERE (SELECT min(number) FROM event) < 0
              OR (SELECT max(number) FROM event) >= \(numberEnd)
            """)
        guard strange == nil else {
            throw .notDatabase(database.path, "its events have numbers that argus does not give")
        }
    }

    private static let first = [
        """
        CREATE TABLE server (
          number INTEGER PRIMARY KEY,
          record TEXT NOT NULL UNIQUE,
          name TEXT NOT NULL,
          address TEXT NOT NULL,
          last_sync INTEGER,
          last_full_sync INTEGER
        ) STRICT
        """,
        """
        CREATE TABLE camera (
          server INTEGER NOT NULL REFERENCES server(number),
          id TEXT NOT NULL,
          name TEXT,
          PRIMARY KEY (server, id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE TABLE kind (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
        """
        CREATE TABLE event (
          number INTEGER PRIMARY KEY,
          server INTEGER NOT NULL REFERENCES server(number),
          id TEXT NOT NULL,
          camera_id TEXT,
          camera_name TEXT,
          timestamp INTEGER,
          type TEXT NOT NULL,
          kinds TEXT NOT NULL,
          objects TEXT,
          confidence INTEGER,
          description TEXT,
          is_doorbell_ring INTEGER,
          alert_triggered INTEGER,
          carrier TEXT,
          source TEXT,
          has_thumbnail INTEGER,
          sha256 TEXT NOT NULL,
          added_at INTEGER NOT NULL,
          changed_at INTEGER,
          deleted_at INTEGER,
          UNIQUE (server, id)
        ) STRICT
        """,
        "CREATE INDEX event_time ON event (timestamp DESC)",
        "CREATE INDEX event_camera ON event (camera_id, timestamp DESC)",
        "CREATE INDEX event_present ON event (server) WHERE deleted_at IS NULL",
        """
        CREATE TABLE object (
          event INTEGER PRIMARY KEY REFERENCES event(number),
          raw TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE media (
          event INTEGER NOT NULL REFERENCES event(number),
          kind TEXT NOT NULL,
          item INTEGER NOT NULL,
          state TEXT NOT NULL,
          sha256 TEXT,
          bytes INTEGER,
          extension TEXT,
          tries INTEGER NOT NULL,
          reason TEXT,
          PRIMARY KEY (event, kind, item)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX media_wanted ON media (event) WHERE state = 'wanted'",
        "CREATE INDEX media_file ON media (sha256)",
        """
        CREATE TABLE forgotten (
          server INTEGER NOT NULL REFERENCES server(number),
          id TEXT NOT NULL,
          forgotten_at INTEGER NOT NULL,
          PRIMARY KEY (server, id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE VIRTUAL TABLE event_text USING fts5 (
          description, content = 'event', content_rowid = 'number', tokenize = 'unicode61'
        )
        """,
        // New events are indexed by the writer: a trigger would have FTS5 write after each of them.
        """
        CREATE TRIGGER event_text_removed AFTER DELETE ON event BEGIN
          INSERT INTO event_text (event_text, rowid, description)
            VALUES ('delete', old.number, old.description);
        END
        """,
        """
        CREATE TRIGGER event_text_changed AFTER UPDATE OF description ON event
        WHEN old.description IS NOT new.description BEGIN
          INSERT INTO event_text (event_text, rowid, description)
            VALUES ('delete', old.number, old.description);
          INSERT INTO event_text (rowid, description) VALUES (new.number, new.description);
        END
        """,
        """
        CREATE VIEW events AS SELECT
          server.name AS server, event.id, camera_id, camera_name,
          strftime('%Y-%m-%dT%H:%M:%S', timestamp / 1000000, 'unixepoch')
            || printf('.%06dZ', timestamp % 1000000) AS timestamp,
          type, objects, confidence, description, is_doorbell_ring, alert_triggered, carrier,
          source, has_thumbnail,
          strftime('%Y-%m-%dT%H:%M:%SZ', deleted_at / 1000000, 'unixepoch') AS deleted_at,
          raw
        FROM event JOIN object ON object.event = event.number
          JOIN server ON server.number = event.server
        """,
    ]

    /// An index of words without any diacritics; the first one kept those of letters with two.
    private static let second = [
        "DROP TABLE event_text",
        """
        CREATE VIRTUAL TABLE event_text USING fts5 (
          description, content = 'event', content_rowid = 'number',
          tokenize = 'unicode61 remove_diacritics 2'
        )
        """,
        "INSERT INTO event_text (event_text) VALUES ('rebuild')",
    ]

    /// No index that costs each new event more than it saves.
    private static let third = [
        "DROP INDEX event_present",
        "DROP INDEX media_file",
        "CREATE INDEX media_file ON media (sha256) WHERE sha256 IS NOT NULL",
    ]

    /// Keeps objects that the server has changed, and wants files again that no sync asked for.
    private static let fourth = [
        """
        CREATE TABLE former (
          event INTEGER NOT NULL REFERENCES event(number),
          sha256 TEXT NOT NULL,
          raw TEXT NOT NULL,
          replaced_at INTEGER NOT NULL,
          UNIQUE (event, sha256)
        ) STRICT
        """,
        "UPDATE media SET state = 'wanted', tries = 0 WHERE state = 'lost'",
    ]

    /// Shows who was recognised in an event, also in events that an older argus has archived.
    private static let sixth = [
        "DROP VIEW events",
        """
        CREATE VIEW events AS SELECT
          server.name AS server, event.id, camera_id, camera_name,
          strftime('%Y-%m-%dT%H:%M:%S', timestamp / 1000000, 'unixepoch')
            || printf('.%06dZ', timestamp % 1000000) AS timestamp,
          type, objects, confidence, description, is_doorbell_ring, alert_triggered, carrier,
          source, has_thumbnail,
          CASE WHEN json_valid(raw) THEN json_extract(raw, '$.entity_id') END AS entity_id,
          CASE WHEN json_valid(raw) THEN json_extract(raw, '$.entity_name') END AS entity_name,
          strftime('%Y-%m-%dT%H:%M:%SZ', deleted_at / 1000000, 'unixepoch') AS deleted_at,
          raw
        FROM event JOIN object ON object.event = event.number
          JOIN server ON server.number = event.server
        """,
    ]

    /// Remembers by which other records a server was recognised.
    private static let fifth = [
        """
        CREATE TABLE alias (
          record TEXT PRIMARY KEY,
          server INTEGER NOT NULL REFERENCES server(number)
        ) STRICT, WITHOUT ROWID
        """
    ]
}
