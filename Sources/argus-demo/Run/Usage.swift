/// The text of `--help`.
enum Usage {
    static let text = """
        Usage: argus-demo [OPTION]... [-- COMMAND...]

        Runs a make-believe ArgusAI server on 127.0.0.1, with cameras, pictures and events that
        keep arriving. Without a command it serves until Ctrl-C. With one, it runs the command in
        a throw-away HOME that is already signed in, and exits with its status.

          --port N           listen there; 0 takes a free port (8000, with a command 0)
          --api NAME         the API to speak: current, mobile or documented (current)
          --cameras N        number of cameras (6)
          --all-online       every camera is on; without it one is offline and one disabled
          --events N         how many events there were in the past 14 days (240)
          --unreadable N     how many of them the server cannot read: it answers 500 to each request
                             whose answer has one (0)
          --entities N       how many people and vehicles the server recognises (5)
          --seed N           the same number gives the same data (1)
          --rate N           how many events arrive each minute (6)
          --arrivals N       how many events arrive in all (no limit)
          --late N           percent of them that are stored late, up to an hour, a quarter of
                             those up to 25 hours after their capture (0)
          --future N         percent whose capture time is up to a day ahead (0)
          --unannounced N    percent that the WebSocket does not announce (0)
          --flips N          percent whose alert_triggered is set within 10 s of storing (0)
          --no-alerts        alert_triggered comes from alert rules only, as on a real server; without
                             it a fifth of the events has it
          --churn N          each second, add N events to the past and take N of those away (0)
          --camera-fault KIND[,camera=NAME]
                             let a camera, or all, fail in silence: stopped sends no events, and has
                             none in the past day; the pictures of frozen never change, those of
                             black and plain show nothing; may be given several times
          --undescribed N    percent of the events that the AI fails to describe (0)
          --cost-cap daily|monthly
                             this cap pauses the descriptions of the last 20 events and of new ones
          --protect STATE    the Protect controller: none, connected, disconnected or silent (none)
          --queue N          events in the queue, which holds 50 (0)
          --disk N           percent of the disk that is full (24)
          --asked-paths N    paths that others asked for, 1.3 KB each in /metrics (0)
          --token-ttl N      seconds that an access token lives (86400; mobile 3600)
          --clock-offset N   seconds by which the Date of its answers is ahead; negative: behind (0)
          --database NAME    sqlite, on which no device can renew its tokens, or postgres (sqlite)
          --reuse-detection on|off
                             end the sign-in whose refresh token is used twice (off)
          --cookie-only      hand out tokens in cookies only, and take them in no other form
          --rate-limits on|off
                             refuse a sixth login within 15 minutes, and the like
                             (on; with a command off)
          --fault SPEC       fail on purpose, see below; may be given several times
          --stream-fault KIND[,every=TIME]
                             again and again (10s), drop the WebSockets, silence those that are
                             open, send them garbage, or restart the server; may be given
                             several times
          --advertise        announce the server through avahi-daemon, for argus discover
          --log FILE         append a JSON line about each request received
          --event-log FILE   append a JSON line about each event stored: id, times, final alert
          --ready-file FILE  write the address there as JSON once the server listens
          -h, --help         show this

        Accounts: demo (admin), viewer, newcomer (must change the password) and former (disabled),
        all with the password argus-demo-1.

        Faults: parts separated by commas.
          route=PATH         only paths that begin with it; with * a pattern for the whole path
          method=NAME        only requests of that method
          after=N, times=N   let N requests pass first; strike N requests, then no more
          delay=200ms        answer later
          status=N           answer with that status
          header=NAME:VALUE  add a header
          content-type=TYPE  answer with that type
          body=TEXT          answer with that body; takes the rest of SPEC
          html               answer with a page, as a proxy in front does (502 without status=)
          echo               repeat the secrets of requests and answers in all texts
          reset, silent      reset the connection; accept and never answer
          truncate=BYTES     close after this many bytes of the body
          drip=BYTES         send this many bytes of the body each second
          endless, garbage   never finish the body; answer with bytes that are not HTTP

        Examples:
          argus-demo --port 0 --api mobile
          argus-demo -- argus events list
          argus-demo --fault route=/api/v1/events,status=503,times=2 -- argus events list
          argus-demo --fault 'route=*/snapshot,delay=200ms' --fault route=/health,reset

        """
}
