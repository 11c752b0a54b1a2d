package import ArgusAccount
import ArgusCore
package import ArgusTransport

/// A filter of events as a user writes it, with cameras by name.
package struct UnresolvedFilter: Sendable {
    /// A side finding of resolving a filter, to report to the user.
    package enum Notice: Sendable {
        /// The server has no event of this type, which argus does not know.
        case unknownType(String)
        /// All cameras of the server.
        case cameras([Camera])
    }

    /// The filter without its cameras.
    package var filter: EventFilter
    /// Lists of names of cameras, their ids, or starts of ids, separated by commas.
    package var cameras: [String]
    /// The types, in lower case, that argus does not know, though a server may.
    package var unknownTypes: [String]

    package init(_ filter: EventFilter, cameras: [String] = [], unknownTypes: [String] = []) {
        (self.filter, self.cameras, self.unknownTypes) = (filter, cameras, unknownTypes)
    }

    /// The filter with the ids of the cameras; a removed camera is named by its id.
    /// - Throws: `FilterError`.
    package func resolved(
        with session: Session, notify: (Notice) -> Void
    ) async throws(FilterError) -> EventFilter {
        let events = EventService(session: session)
        var filter = filter
        do throws(APIError) {
            for type in unknownTypes where try await !events.hasEvents(ofType: type) {
                notify(.unknownType(type))
            }
        } catch {
            throw .events(error)
        }
        guard !cameras.isEmpty else { return filter }
        let known: [Camera]
        do throws(APIError) {
            known = try await CameraService(session: session).plainList().values
        } catch {
            throw .cameras(error)
        }
        notify(.cameras(known))
        for name in NameLookup.entries(of: cameras, among: known.compactMap(\.name)) {
            let found = NameLookup.find(name, in: known, id: \.id, name: \.name)
            if let camera = found.only {
                filter.cameraIDs.append(camera.id)
                continue
            }
            let isGone: Bool
            do throws(APIError) {
                isGone = found.isEmpty ? try await events.hasEvents(ofCamera: name) : false
            } catch {
                throw .events(error)
            }
            guard isGone else { throw .name(name, found, among: known) }
            filter.cameraIDs.append(name)
        }
        return filter
    }
}

/// The reason why a filter cannot be resolved, or events cannot be read by it.
package enum FilterError: Error, Sendable {
    /// The list of events failed.
    case events(APIError)
    /// The list of cameras failed.
    case cameras(APIError)
    /// The name names none of the cameras, or several, which are given before all of them.
    case name(String, [Camera], among: [Camera])

    /// The server's failure; nil if its answers were usable.
    package var cause: APIError? {
        switch self {
        case .events(let error), .cameras(let error): error
        case .name: nil
        }
    }
}
