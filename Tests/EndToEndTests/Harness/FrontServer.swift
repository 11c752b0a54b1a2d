import ArgusTestSupport

/// nginx with a certificate of its own in front of a demo; it writes down all that it receives.
struct FrontServer {
    /// Runs a script with `argus` in PATH, in which nginx serves the demo at `$URL`.
    ///
    /// The script may call `certificate NAME`, `renew NAME` (the same key), `serve NAME`,
    /// `fingerprint NAME` and `until_true COMMAND…`; `$LOG` is what nginx received, `$EXTRA` more of its configuration.
    static func launch(
        _ script: String, in home: TemporaryHome, before demo: DemoServer,
        isOnTerminal: Bool = false
    ) throws -> Launch {
        let port = try TLSServer.unusedPort()
        let prelude = """
            export LOG=$HOME/received.log URL=https://localhost:\(port)
            export PATH=$PATH:/usr/sbin; cd "$HOME"; touch received.log
            cert() { openssl req -x509 -days 2 -subj "/CN=$1" \
              -addext subjectAltName=DNS:localhost "${@:2}" -out $1.pem 2>>openssl.log; }
            certificate() { openssl ecparam -name prime256v1 -genkey -noout -out $1.key
              cert $1 -key $1.key; }
            renew() { cert $1 -key $1.key; }
            fingerprint() { openssl x509 -in $1.pem -noout -fingerprint -sha256 | cut -d= -f2; }
            halt() { [ -z "$NGINX" ] || { kill $NGINX; wait $NGINX; } 2>/dev/null; NGINX=; }
            trap halt EXIT
            serve() { halt; cat >nginx.conf <<END
            daemon off; master_process off; pid $HOME/pid; error_log $HOME/error.log; events {}
            http {
              log_format all '\\$request [\\$http_authorization] [\\$http_x_api_key]'
                ' [\\$http_cookie] [\\$request_body] [\\$http_x_device_id]';
              access_log $LOG all;
              client_body_temp_path $HOME; proxy_temp_path $HOME; fastcgi_temp_path $HOME;
              uwsgi_temp_path $HOME; scgi_temp_path $HOME;
              server { listen 127.0.0.1:\(port) ssl; ssl_certificate $HOME/$1.pem;
                ssl_certificate_key $HOME/$1.key; $EXTRA location / { proxy_pass \(demo.url); } }
            }
            END
              nginx -e error.log -c $HOME/nginx.conf & NGINX=$!
              until_true listens; }
            listens() { (: </dev/tcp/127.0.0.1/\(port)); }
            until_true() { for _ in {1..1000}; do "$@" 2>/dev/null && return; sleep 0.01; done
              echo "never: $*" >&2; return 1; }
            login() { argus login $URL --name home -u demo --password-stdin "$@" \
              <<<\(DemoServer.password); }
            """
        var launch = home.launch([])
        launch.words = ["/bin/bash", "--norc", "-c", prelude + "\n" + script]
        return isOnTerminal ? launch.onTerminal : launch
    }
}
