// How records stand in `servers.json`; members that this version does not know are carried along.

extension ServerRecord {
    /// Reads a record.
    ///
    /// - Throws: `StateUnreadable` when something is missing or of another type.
    init(state: StateValue) throws(StateUnreadable) {
        var object = try StateObject(state)
        id = try ServerID(object.text("id").required()).required()
        name = try object.text("name").required()
        ways = []
        for way in try object.list("ways").required() { ways.append(try ServerWay(state: way)) }
        for allowance in try object.list("plain_http") ?? [] {
            plainHTTPAllowances.append(try PlainHTTPAllowance(state: allowance))
        }
        account = try object.take("account").map(ServerAccount.init(state:))
        // Records of the first versions name no store: they knew one. A word that this version does
        // not know is never taken for it.
        if let word = try object.text("credential_store") {
            credentialStore = try CredentialStoreKind(word).required()
        }
        knowledge =
            try object.take("knowledge").map(ServerKnowledge.init(state:)) ?? ServerKnowledge()
        clockOffset = try object.integer("clock_offset_ms").map { .milliseconds($0) }
        addedAt = Timestamp(microseconds: try object.integer("added_at_us") ?? 0)
        others = object.rest
    }

    /// The record as it is written.
    var state: StateValue {
        var object = StateObject(others)
        object.put("id", .text(id.text))
        object.put("name", .text(name))
        object.put("ways", .list(ways.map(\.state)))
        object.put("plain_http", .list(plainHTTPAllowances.map(\.state)))
        object.put("account", account?.state)
        object.put("credential_store", .text(credentialStore.text))
        object.put("knowledge", knowledge.state)
        object.put("clock_offset_ms", clockOffset.map { .integer(milliseconds($0)) })
        object.put("added_at_us", .integer(addedAt.microseconds))
        return object.value
    }

    private func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000
            + duration.components.attoseconds / 1_000_000_000_000_000
    }
}

extension ServerWay {
    init(state: StateValue) throws(StateUnreadable) {
        var object = try StateObject(state)
        self.init(
            try Kind(rawValue: object.text("kind").required()).required(),
            try object.text("address").required(),
            proof: try WayProof(text: object.text("proof").required()).required())
        fingerprint = try object.text("fingerprint").flatMap { CertificateFingerprint($0) }
        authorities = try object.text("cacert")
        certificate = try object.text("cert")
        key = try object.text("key")
        others = object.rest
    }

    var state: StateValue {
        var object = StateObject(others)
        object.put("kind", .text(kind.rawValue))
        object.put("address", .text(address))
        object.put("proof", .text(proof.text))
        object.put("fingerprint", fingerprint.map { .text($0.hex) })
        object.put("cacert", authorities.map(StateValue.text))
        object.put("cert", certificate.map(StateValue.text))
        object.put("key", key.map(StateValue.text))
        return object.value
    }
}

extension PlainHTTPAllowance {
    init(state: StateValue) throws(StateUnreadable) {
        var object = try StateObject(state)
        let address = try? ServerAddress(parsing: try object.text("origin").required())
        self.init(
            origin: try address.required().origin,
            gatewayMAC: try object.text("gateway_mac"))
    }

    var state: StateValue {
        var object = StateObject()
        object.put("origin", .text(origin.description))
        object.put("gateway_mac", gatewayMAC.map(StateValue.text))
        return object.value
    }
}

extension ServerAccount {
    init(state: StateValue) throws(StateUnreadable) {
        var object = try StateObject(state)
        self.init(
            kind: try Kind(rawValue: object.text("kind").required()).required(),
            username: try object.text("username"), userID: try object.text("user_id"))
        pairedAt = try object.integer("paired_at_us").map(Timestamp.init(microseconds:))
        others = object.rest
    }

    var state: StateValue {
        var object = StateObject(others)
        object.put("kind", .text(kind.rawValue))
        object.put("username", username.map(StateValue.text))
        object.put("user_id", userID.map(StateValue.text))
        object.put("paired_at_us", pairedAt.map { .integer($0.microseconds) })
        return object.value
    }
}

extension ServerKnowledge {
    init(state: StateValue) throws(StateUnreadable) {
        var object = try StateObject(state)
        if let value = object.take("generations") {
            for (operation, generation) in try StateObject(value).rest {
                guard case .text(let word) = generation else { throw StateUnreadable() }
                generations[operation] = word
            }
        }
        serverVersion = try object.text("server_version")
        learntAt = try object.integer("learnt_at_us").map(Timestamp.init(microseconds:))
        others = object.rest
    }

    var state: StateValue {
        var object = StateObject(others)
        object.put("generations", .object(generations.mapValues(StateValue.text)))
        object.put("server_version", serverVersion.map(StateValue.text))
        object.put("learnt_at_us", learntAt.map { .integer($0.microseconds) })
        return object.value
    }
}
