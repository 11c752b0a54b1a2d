import ArgusAccount
import ArgusEvents
import ArgusPush

/// The services of a signed-in server, each on its session.
extension SignedInServer {
    var cameras: CameraService { CameraService(session: session) }
    var devices: DeviceService { DeviceService(session: session) }
    var entities: EntityService { EntityService(session: session) }
    var events: EventService { EventService(session: session) }
    var registrar: PushRegistrar { PushRegistrar(session: session) }
    var rules: RuleService { RuleService(session: session) }
    var subscriber: PushSubscriber { PushSubscriber(session: session) }
}
