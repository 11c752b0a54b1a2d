import ArgusCore
import ArgusTransport

// The encoding of records in `servers.json`; members that this version does not know are preserved.

extension ServerRecord {
    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        id = try ServerID(object.text("id").required()).required()
        name = try object.text("name").required()
        endpoints = []
        for endpoint in try object.list("ways").required() {
            endpoints.append(try Endpoint(state: endpoint))
        }
        for allowance in try object.list("plain_http") ?? [] {
            plainHTTPAllowances.append(try PlainHTTPAllowance(state: allowance))
        }
        dashboard = try object.text("dashboard").flatMap { try? ServerAddress(parsing: $0) }
        account = try object.take("account").map(ServerAccount.init(state:))
        // Records of the first versions name no store, because there was only one. An unknown name
        // is never taken for it.
        if let word = try object.text("credential_store") {
            credentialStore = try CredentialStoreKind(word).required()
        }
        knowledge =
            try object.take("knowledge").map(ServerKnowledge.init(state:)) ?? ServerKnowledge()
        clockOffset = try object.integer("clock_offset_ms").map { .milliseconds($0) }
        addedAt = try object.time(microseconds: "added_at_us") ?? Timestamp(microseconds: 0)
        others = object.rest
    }

    var state: JSONValue {
        var object = JSONObject(others)
        object.put("id", id.text)
        object.put("name", name)
        object.put("ways", .list(endpoints.map(\.state)))
        object.put("plain_http", .list(plainHTTPAllowances.map(\.state)))
        object.put("dashboard", dashboard?.description)
        object.put("account", account?.state)
        object.put("credential_store", credentialStore.text)
        object.put("knowledge", knowledge.state)
        object.put("clock_offset_ms", clockOffset.map { .integer(milliseconds($0)) })
        object.put("added_at_us", microseconds: addedAt)
        return object.value
    }

    private func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000
            + duration.components.attoseconds / 1_000_000_000_000_000
    }
}

extension Endpoint {
    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        self.init(
            try Kind(rawValue: object.text("kind").required()).required(),
            try object.text("address").required(),
            proof: try EndpointProof(text: object.text("proof").required()).required())
        fingerprint = try object.text("fingerprint").flatMap { CertificateFingerprint($0) }
        authorities = try object.text("cacert")
        certificate = try object.text("cert")
        key = try object.text("key")
        others = object.rest
    }

    var state: JSONValue {
        var object = JSONObject(others)
        object.put("kind", kind.rawValue)
        object.put("address", address)
        object.put("proof", proof.text)
        object.put("fingerprint", fingerprint?.hex)
        object.put("cacert", authorities)
        object.put("cert", certificate)
        object.put("key", key)
        return object.value
    }
}

extension PlainHTTPAllowance {
    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        let address = try? ServerAddress(parsing: try object.text("origin").required())
        self.init(
            origin: try address.required().origin,
            gatewayMAC: try object.text("gateway_mac"))
    }

    var state: JSONValue {
        var object = JSONObject()
        object.put("origin", origin.description)
        object.put("gateway_mac", gatewayMAC)
        return object.value
    }
}

extension ServerAccount {
    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        self.init(
            kind: try Kind(rawValue: object.text("kind").required()).required(),
            username: try object.text("username"), userID: try object.text("user_id"))
        pairedAt = try object.time(microseconds: "paired_at_us")
        others = object.rest
    }

    var state: JSONValue {
        var object = JSONObject(others)
        object.put("kind", kind.rawValue)
        object.put("username", username)
        object.put("user_id", userID)
        object.put("paired_at_us", microseconds: pairedAt)
        return object.value
    }
}

extension ServerKnowledge {
    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        if let value = object.take("generations") {
            for (operation, generation) in try JSONObject(value).rest {
                guard case .text(let word) = generation else { throw StateUnreadable() }
                generations[operation] = word
            }
        }
        serverVersion = try object.text("server_version")
        learntAt = try object.time(microseconds: "learnt_at_us")
        others = object.rest
    }

    var state: JSONValue {
        var object = JSONObject(others)
        object.put("generations", .object(generations.mapValues(JSONValue.text)))
        object.put("server_version", serverVersion)
        object.put("learnt_at_us", microseconds: learntAt)
        return object.value
    }
}
