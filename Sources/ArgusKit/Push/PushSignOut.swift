package import ArgusAccount
import ArgusCore
package import ArgusTransport

/// The end of this machine's push registrations, before it signs out of a server.
package struct PushSignOut: Sendable {
    /// The kind of a registration, in words that follow `remove`.
    package enum Item: String, Sendable {
        case subscription = "the push subscription"
        case registration = "the push registration"
    }

    /// A message for the user; the sign-out continues.
    package enum Notice: Sendable {
        /// Nothing was sent, for this reason.
        case notTried(reason: String)
        case failed(Item, APIError, SignedInServer)
        case ended(Item, PushRegistrar.Ended, SignedInServer)
    }

    fileprivate let server: SignedInServer
    fileprivate let report: @Sendable (Notice) async -> Void

    /// Ends all registrations, and the subscriptions of receivers on this machine, and reports the result
    /// of each; a failure does not stop the others.
    fileprivate func end(
        _ push: StoredPush, _ receivers: [ListeningReceiver], in store: ReceiverStore?
    ) async {
        let subscriber = PushSubscriber(session: server.session)
        for receiver in receivers {
            await end(.subscription) { () async throws(APIError) in
                let wasThere = try await subscriber.unsubscribe(receiver.endpoint)
                try? await store?.remove(receiver.id)
                return wasThere ? .registration : .nothing
            }
        }
        for subscription in push.subscriptions {
            await end(.subscription) { () async throws(APIError) in
                try await subscriber.unsubscribe(subscription.endpoint) ? .registration : .nothing
            }
        }
        for registration in push.registrations {
            let device = registration.device
            let hasBoth = push.registrations(of: device.id).count > 1
            await end(.registration) { () async throws(APIError) in
                try await PushRegistrar(session: server.session).unregister(
                    device.id, hasBoth ? device.service : nil, mayEndAll: true)
            }
        }
    }

    private func end(
        _ item: Item, _ work: () async throws(APIError) -> PushRegistrar.Ended
    ) async {
        do throws(APIError) {
            await report(.ended(item, try await work(), server))
        } catch {
            await report(.failed(item, error, server))
        }
    }
}

extension SignOut {
    /// Prepares to sign out of servers, and to end this machine's push registrations there first.
    ///
    /// The parameters are those of the other initializer; `receivers` is the record of receivers on this
    /// machine, nil if it cannot be read; `reportPush` receives the results of the push registrations.
    package init(
        _ secrets: ServerSecrets, receivers store: ReceiverStore?,
        connect: @escaping Connect,
        endKey: @escaping @Sendable (SignedInServer, StoredKey) async throws(APIError) -> Void,
        report: @escaping @Sendable (Notice) async -> Void,
        reportPush: @escaping @Sendable (PushSignOut.Notice) async -> Void
    ) {
        self.init(
            secrets, connect: connect,
            endPush: { record, credential in
                do {
                    let push = try await secrets.storedPush(of: record)
                    let receivers = try? await store?.listening(of: record.id.text)
                    guard !push.isEmpty || receivers?.isEmpty == false else { return }
                    let server = try connect(record, credential, true)
                    await PushSignOut(server: server, report: reportPush)
                        .end(push, receivers ?? [], in: store)
                } catch let error as Unreachable {
                    await reportPush(.notTried(reason: error.reason))
                } catch {
                    await reportPush(.notTried(reason: "\(error)"))
                }
            }, endKey: endKey, report: report)
    }
}
