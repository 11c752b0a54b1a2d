import CCurl

extension TransferEvent.Started {
    init(_ submission: Submission, _ describeBody: BodyDescription) {
        let request = submission.request
        method = request.method.rawValue
        url = request.origin.description + SecretNames.masking(target: request.target)
        headers = request.headers.map { header in
            switch header.value {
            case .plain(let text) where !SecretNames.contains(header.name): (header.name, text)
            default: (header.name, SecretNames.mask)
            }
        }
        body = request.body.map { describeBody($0.contentType, $0.bytes) }
        usesProxy = submission.proxy != nil
    }
}

extension TransferEvent.Answered {
    init(_ head: ResponseHead) {
        status = head.status
        version = head.version
        headers = head.headers.fields.map { field in
            if SecretNames.contains(field.name) { return (field.name, SecretNames.mask) }
            guard field.name.equalsWithoutCase("Location") else { return field }
            return (field.name, SecretNames.masking(target: field.value))
        }
    }
}

extension TransferEvent.Finished {
    init(_ transfer: Transfer, _ describeBody: BodyDescription) {
        status = transfer.head.status
        receivedBytes = transfer.easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
        bodyBytes = transfer.bodyCount
        let type = transfer.head.headers["Content-Type"]
        body =
            if transfer.bodyCount == 0 {
                nil
            } else if transfer.body.isEmpty {
                "\(transfer.bodyCount) bytes of \(type ?? "unknown type")"
            } else {
                describeBody(type, transfer.body)
            }
        timings = TransferEvent.Timings(transfer)
    }
}

extension TransferEvent.Timings {
    init(_ transfer: Transfer) {
        let easy = { (info: CURLINFO) in Duration.microseconds(transfer.easy.offset(info)) }
        resolved = easy(CURLINFO_NAMELOOKUP_TIME_T)
        connected = easy(CURLINFO_CONNECT_TIME_T)
        secured = easy(CURLINFO_APPCONNECT_TIME_T)
        firstByte = easy(CURLINFO_STARTTRANSFER_TIME_T)
        total = easy(CURLINFO_TOTAL_TIME_T)
        let address = transfer.easy.text(CURLINFO_PRIMARY_IP) ?? ""
        if !address.isEmpty {
            let host = address.contains(":") ? "[\(address)]" : address
            remoteAddress = "\(host):\(transfer.easy.long(CURLINFO_PRIMARY_PORT))"
        }
        reusedConnection = remoteAddress != nil && transfer.easy.long(CURLINFO_NUM_CONNECTS) == 0
    }
}
