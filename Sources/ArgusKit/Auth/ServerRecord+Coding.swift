extension ServerID: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try String(from: decoder)
        guard let id = ServerID(text) else { throw unreadable(decoder, "no server id") }
        self = id
    }

    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension ServerRecord: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case id, name, ways, account, knowledge
        case plainHTTPAllowances = "plain_http"
        case clockOffset = "clock_offset_ms"
        case addedAt = "added_at_us"
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        id = try object.decode(ServerID.self, forKey: .id)
        name = try object.decode(String.self, forKey: .name)
        ways = try object.decode([ServerWay].self, forKey: .ways)
        plainHTTPAllowances =
            try object.decodeIfPresent([PlainHTTPAllowance].self, forKey: .plainHTTPAllowances)
            ?? []
        account = try object.decodeIfPresent(ServerAccount.self, forKey: .account)
        knowledge =
            try object.decodeIfPresent(ServerKnowledge.self, forKey: .knowledge)
            ?? ServerKnowledge()
        clockOffset = try object.decodeIfPresent(Int64.self, forKey: .clockOffset)
            .map { .milliseconds($0) }
        addedAt = Timestamp(
            microseconds: try object.decodeIfPresent(Int64.self, forKey: .addedAt) ?? 0)
        others = try decoder.otherMembers(than: Key.self)
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encodeOthers(others)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(id, forKey: .id)
        try object.encode(name, forKey: .name)
        try object.encode(ways, forKey: .ways)
        try object.encode(plainHTTPAllowances, forKey: .plainHTTPAllowances)
        try object.encodeIfPresent(account, forKey: .account)
        try object.encode(knowledge, forKey: .knowledge)
        try object.encodeIfPresent(clockOffset.map(milliseconds), forKey: .clockOffset)
        try object.encode(addedAt.microseconds, forKey: .addedAt)
    }

    private func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000
            + duration.components.attoseconds / 1_000_000_000_000_000
    }
}

extension ServerWay: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case kind, address, proof, fingerprint
        case authorities = "cacert"
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let word = try object.decode(String.self, forKey: .proof)
        guard let proof = WayProof(text: word) else { throw unreadable(decoder, "unknown proof") }
        self.init(
            try object.decode(Kind.self, forKey: .kind),
            try object.decode(String.self, forKey: .address), proof: proof)
        fingerprint = try object.decodeIfPresent(String.self, forKey: .fingerprint)
            .flatMap { CertificateFingerprint($0) }
        authorities = try object.decodeIfPresent(String.self, forKey: .authorities)
        others = try decoder.otherMembers(than: Key.self)
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encodeOthers(others)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(kind, forKey: .kind)
        try object.encode(address, forKey: .address)
        try object.encode(proof.text, forKey: .proof)
        try object.encodeIfPresent(fingerprint?.hex, forKey: .fingerprint)
        try object.encodeIfPresent(authorities, forKey: .authorities)
    }
}

extension PlainHTTPAllowance: Codable {
    private enum Key: String, CodingKey {
        case origin
        case gatewayMAC = "gateway_mac"
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let text = try object.decode(String.self, forKey: .origin)
        guard let origin = ServerAddressText.origin(of: text) else {
            throw unreadable(decoder, "no origin")
        }
        self.init(
            origin: origin,
            gatewayMAC: try object.decodeIfPresent(String.self, forKey: .gatewayMAC))
    }

    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(origin.description, forKey: .origin)
        try object.encodeIfPresent(gatewayMAC, forKey: .gatewayMAC)
    }
}

extension ServerAccount: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case kind, username
        case userID = "user_id"
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        self.init(
            kind: try object.decode(Kind.self, forKey: .kind),
            username: try object.decodeIfPresent(String.self, forKey: .username),
            userID: try object.decodeIfPresent(String.self, forKey: .userID))
        others = try decoder.otherMembers(than: Key.self)
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encodeOthers(others)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(kind, forKey: .kind)
        try object.encodeIfPresent(username, forKey: .username)
        try object.encodeIfPresent(userID, forKey: .userID)
    }
}

extension ServerKnowledge: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case generations
        case serverVersion = "server_version"
        case learntAt = "learnt_at_us"
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        generations =
            try object.decodeIfPresent([String: String].self, forKey: .generations) ?? [:]
        serverVersion = try object.decodeIfPresent(String.self, forKey: .serverVersion)
        learntAt = try object.decodeIfPresent(Int64.self, forKey: .learntAt)
            .map(Timestamp.init(microseconds:))
        others = try decoder.otherMembers(than: Key.self)
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encodeOthers(others)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(generations, forKey: .generations)
        try object.encodeIfPresent(serverVersion, forKey: .serverVersion)
        try object.encodeIfPresent(learntAt?.microseconds, forKey: .learntAt)
    }
}

private func unreadable(_ decoder: any Decoder, _ words: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: words))
}
