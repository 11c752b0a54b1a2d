import ArgusTestSupport
import Glibc

/// A network of a test's own, with its own D-Bus and avahi-daemon: namespaces that end with it.
///
/// The script runs as root in new mount, network and process namespaces (unshare(1)); when it ends
/// or is killed, the kernel ends all that it started.
struct LocalNetwork {
    /// Starts a script, which may call the functions listed here.
    ///
    /// - `bus`, `neighbours [INTERFACE,…]` (the avahi-daemon, on `lo` by default), `deaf` and
    ///   `hearing` (it stops answering, and answers again), `gone`; with `LOUD=--debug` before
    ///   `neighbours`, `asked` (somebody browses)
    /// - `advertise FILE NAME PORT [TXT…]` (a service file), `settled NAME` (waits for it)
    /// - `demo PORT [OPTION…]`, `web PORT ''`, `https PORT CERTIFICATE [BACKEND]` (nginx before the
    ///   demo of port 8001; `log-PORT` is what it received), `login URL [OPTION…]`
    /// - `halt PORT` (ends such an nginx), `stall PORT` and `resume PORT` (it accepts connections
    ///   and says nothing meanwhile), `met PORT` (somebody connected to it, though nothing was asked),
    ///   `waits PORT` (a request waits there while it is stalled), `certificate NAME`,
    ///   `fingerprint NAME`
    /// - `node NAME NET` (a network namespace at 10.NET.0.1, on the link `NAME0` to this one, which
    ///   is 10.NET.0.2), `gateway NAME NET` (makes it the way to everywhere), `announces NAME` (its
    ///   own avahi-daemon); with `NODE=NAME` before them, the others do their work in there
    static func launch(_ script: String, in home: TemporaryHome, deadline: Int32 = 300) -> Launch {
        let enter = [
            "unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc",
        ]
        let asRoot = geteuid() == 0 ? [] : ["sudo", "-n", "-E"]
        var launch = home.launch(
            [], ["PATH": "\(TemporaryHome.binaries):/usr/sbin:/sbin:/usr/bin:/bin"])
        launch.words = asRoot + enter + ["/bin/bash", "--norc", "-c", prelude + "\n" + script]
        launch.deadline = deadline
        return launch
    }

    private static let prelude = """
        mount -t tmpfs tmpfs /run; mount -t tmpfs tmpfs /etc/avahi/services
        mkdir -p /run/dbus /run/avahi-daemon; ip link set lo up; cd "$HOME"
        export BUS=${BUS:-/run/dbus/system_bus_socket}
        until_true() { for _ in {1..10000}; do "$@" 2>/dev/null && return; sleep 0.01; done
          echo "never: $*" >&2; return 1; }
        bus() { cat >/run/bus.conf <<END
        <busconfig><type>system</type><listen>unix:path=$BUS</listen><policy context="default">
        <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/><allow user="*"/>$POLICY
        </policy></busconfig>
        END
          dbus-daemon --config-file=/run/bus.conf --nofork --nopidfile 2>/dev/null &
          until_true test -S $BUS; }
        neighbours() { cat >/run/avahi.conf <<END
        [server]
        host-name=${NAME:-home}
        allow-interfaces=${1:-lo}
        [wide-area]
        enable-wide-area=no
        [publish]
        publish-hinfo=no
        publish-workstation=no
        END
          : >/run/avahi.log
          DBUS_SYSTEM_BUS_ADDRESS=unix:path=$BUS avahi-daemon $LOUD --no-drop-root --no-chroot \
            --no-rlimits -f /run/avahi.conf 2>/run/avahi.log & AVAHI=$!
          until_true grep -q 'startup complete' /run/avahi.log; }
        gone() { kill $AVAHI; wait $AVAHI 2>/dev/null; }
        asked() { grep -aq 'member=ServiceBrowser' /run/avahi.log; }
        deaf() { kill -STOP $AVAHI; }
        hearing() { kill -CONT $AVAHI; }
        advertise() { local file=$1 name=$2 port=$3; shift 3
          { echo '<service-group><name>'"$name"'</name><service><type>_argusai._tcp</type>'
            echo "<port>$port</port>"; for txt; do echo "<txt-record>$txt</txt-record>"; done
            echo '</service></service-group>'; } >/run/new.service
          local folder=/etc/avahi/services; [ -z "$NODE" ] || folder=services-$NODE
          mv /run/new.service $folder/$file.service; }
        established() { grep 'successfully established' /run/avahi.log; }
        is_settled() { established | grep -qF "\\"$1\\""; }
        settled() { until_true is_settled "$1"; }
        inside() { if [ -n "$NODE" ]; then ip netns exec $NODE "$@"; else "$@"; fi; }
        listens() { inside bash -c ": </dev/tcp/127.0.0.1/$1"; }
        demo() { inside argus-demo --port "$@" --rate 0 --rate-limits off >/dev/null 2>&1 &
          until_true listens $1; }
        halt() { kill $(cat pid-$NODE$1); until_true is_silent $1; }
        is_silent() { ! listens $1; }
        stall() { kill -STOP $(cat pid-$NODE$1); }
        resume() { kill -CONT $(cat pid-$NODE$1); }
        met() { grep -q 'client: 10\\.' log-$NODE$1.errors; }
        waits() { inside ss -Htn state established "sport = :$1" | grep -q '^ *[1-9]'; }
        certificate() { openssl req -x509 -days 2 -subj "/CN=$1" -newkey ec -nodes \
          -pkeyopt ec_paramgen_curve:prime256v1 -keyout $1.key -out $1.pem \
          -addext "subjectAltName=DNS:${2:-localhost}" 2>>openssl.log; }
        fingerprint() { openssl x509 -in $1.pem -noout -fingerprint -sha256 | cut -d= -f2; }
        web() { local port=$1 tls=$2 backend=${3:-http://127.0.0.1:8001} log=log-$NODE$1
          cat >nginx-$NODE$port.conf <<END
        daemon off; master_process off; pid $HOME/pid-$NODE$port; error_log $HOME/$log.errors info; events {}
        http { log_format all '\\$request [\\$http_authorization\\$http_x_api_key\\$http_cookie]'
            ' [\\$request_body] [\\$http_x_device_id] [\\$http_x_gate]';
          access_log $HOME/$log all; client_body_temp_path $HOME; proxy_temp_path $HOME;
          fastcgi_temp_path $HOME; uwsgi_temp_path $HOME; scgi_temp_path $HOME;
          server { listen $port $tls; listen [::]:$port $tls;
            location / { proxy_pass $backend; } } }
        END
          : >$log; inside nginx -e errors -c $HOME/nginx-$NODE$port.conf &
          until_true listens $port; }
        https() { web $1 "ssl; ssl_certificate $HOME/$2.pem; ssl_certificate_key $HOME/$2.key" $3; }
        node() { local name=$1 net=$2 mac=02:00:00:00:00:0$2; ip netns add $name
          ip link add ${name}0 type veth peer name ${name}1 netns $name
          ip addr add 10.$net.0.2/24 dev ${name}0; ip link set ${name}0 up
          ip -n $name addr add 10.$net.0.1/24 dev ${name}1; ip -n $name link set lo up
          ip -n $name link set ${name}1 address $mac up; mkdir services-$name; }
        gateway() { ip neigh replace 10.$2.0.1 lladdr 02:00:00:00:00:0$2 dev ${1}0
          ip route replace default via 10.$2.0.1 dev ${1}0; }
        announces() { local name=$1; cat >avahi-$name.conf <<END
        [server]
        host-name=$name
        enable-dbus=no
        allow-interfaces=${name}1
        [publish]
        publish-hinfo=no
        publish-workstation=no
        END
          ip netns exec $name unshare --mount bash -c "mount -t tmpfs tmpfs /run
            mkdir /run/avahi-daemon; mount --bind $HOME/services-$name /etc/avahi/services
            exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f avahi-$name.conf \
            2>avahi-$name.log" &
          until_true grep -q 'successfully established' avahi-$name.log; }
        login() { argus login "$@" -u demo --password-stdin <<<\(DemoServer.password); }
        """
}

extension TemporaryHome {
    /// Runs a script in a network of its own to its end; see `LocalNetwork`.
    func localNetwork(_ script: String, deadline: Int32 = 300) throws -> ProgramResult {
        try LocalNetwork.launch(script, in: self, deadline: deadline).start().finish()
    }
}
