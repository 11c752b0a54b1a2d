/// The commands that a server may keep from their end, as command lines: `;` parts those that belong
/// together, `OUT` is a folder with the files `old` and `new` of passwords.
package enum FuzzedCommands {
    private static let event = "8f85eda1-3922-436c-9153-a4cd5b4836f2"
    private static let device = "550e8400-e29b-41d4-a716-446655440000"
    private static let camera = "83e8482b-3da8-42c3-a4f1-6806e221aaa0"
    private static let garage = "7323d311-eb43-4837-9f08-07f69d4ce47d"
    private static let apns = String(repeating: "0a", count: 32)
    private static let point =
        "BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2LAhWPjJI6-8XmhO1X1do"
    private static let auth = "XRpmO3zxJ_wnG30AaMvyeg"
    private static let endpoint = "https://push.example/send/secret-endpoint-1234"

    /// The commands that go on until a server refuses for good.
    package static let watches = [
        "events watch --since 30d", "events wait --since 30d -n 1000",
        "notify run --watch --state push", "rules run --webhooks --state rules",
    ]

    package static let lines =
        [
            "login https://home.example -u ann --password-file OUT/old", "logout", "token",
            "passwd --password-file OUT/old --new-password-file OUT/new",
            "pair https://home.example", "pair https://home.example --no-wait; pair resume",
            "pair https://home.example --code 376529", "pair confirm 376529 --yes",
            "pair reject 376529",
            "whoami", "events list", "events list --all", "events list --all --reverse",
            "events list --sort confidence", "events list --camera \(camera) --camera \(garage)",
            "events list --type manual_trigger",
            "events list --search person --type person", "events list --raw",
            "events show \(event)", "events show \(event.prefix(12))", "events show latest",
            "events thumbnail \(event) -o OUT/ --force", "events frames \(event) -o OUT/ --force",
            "events video \(event) -o OUT/ --force", "events export",
            "events export --server-side --fields id,timestamp",
            "events export -o OUT/e.ndjson --force", "events stats", "events digest",
            "events digest --html OUT/d.html", "events digest --mail --to ann",
            "events bundle --type person -o OUT/c.zip --force --frames --video",
            "events bundle \(event) -o OUT/c.zip --force",
            "events delete \(event) --yes", "events delete --type person --yes",
            "events feedback \(event) helpful", "events reanalyze \(event)", "cameras list",
            "cameras show \(camera)", "cameras snapshot \(camera) -o OUT/ --force",
            "cameras snapshot --all -o OUT/ --force", "cameras wall -o OUT/wall.jpg --force",
            "events timelapse --since 3d -o OUT/film.mp4 --force",
            "queue run; cameras enable \(camera) --queue",
            "cameras disable --capture \(camera)", "cameras reconnect \(camera)", "server show",
            "pair pending", "devices list", "devices show attic", "devices rename \(device) attic",
            "devices preferences \(device) --critical on", "devices revoke \(device) --yes",
            "mute 1h --camera \(garage)", "rules list", "rules list --json --raw --yes",
            "rules show f0d86edd",
            "rules create x --camera \(garage) --entity 156ee2d2",
            "rules edit f0d86edd --between 22:00-06:00", "rules enable f0d86edd",
            "rules disable f0d86edd", "rules delete f0d86edd --yes",
            "rules test f0d86edd", "rules test f0d86edd --server-side",
            "rules test f0d86edd --explain \(event)", "entities list",
            "entities show 156ee2d2", "entities rename 156ee2d2 x", "entities vip 156ee2d2",
            "entities block 156ee2d2", "entities merge 156ee2d2 \(event) --yes",
            "entities delete 156ee2d2 --yes", "entities thumbnail 156ee2d2 -o OUT/ --force",
            "sessions list", "sessions revoke --others --yes", "keys list", "keys create cron",
            "keys revoke sample", "push key",
            "push register --push-token \(apns) --platform ios --yes",
            "push update --push-token \(apns) --yes", "push unregister --yes",
            "push subscriptions", "push subscriptions --raw",
            "push subscribe --endpoint \(endpoint) --p256dh \(point) "
                + "--auth \(auth)",
            "push test", "push listen --test --address 127.0.0.1",
            "push prefs --endpoint \(endpoint)",
            "push prefs set --endpoint \(endpoint) --yes --sound off", "push prefs",
            "push unsubscribe --endpoint \(endpoint) --yes", "notify why sample",
            "notify run sample",
            "notify why --camera sample --type person",
            "notify send --endpoint \(endpoint) --p256dh \(point) --auth \(auth) --event sample "
                + "--dry-run", "api events",
            "api events --raw", "api -i events", "api --paginate events?limit=5", "api --list",
            "api --paginate cameras --format csv", "api DELETE events/\(event)", "doctor",
            "check --pictures",
            "archive init OUT/a; archive verify --repair --archive OUT/a; "
                + "archive sync --archive OUT/a",
            "archive init OUT/d; archive sync --archive OUT/d; archive digest --archive OUT/d",
        ]
}
