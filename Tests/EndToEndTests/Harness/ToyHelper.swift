import ArgusTestSupport

/// A credential helper that stores requests as files in `vault` below HOME.
///
/// It records its arguments and variables in `words` and `variables`.
enum ToyHelper {
    static let script = """
        umask 077; cd "$HOME" || exit 2; mkdir -p vault; IFS= read -r request
        env >> variables; printf '%s\\n' "$*" >> words
        place() { printf '%s\\n' "$request" |
          sed 's/.*"server":"\\([^"]*\\)","item":"\\([^"]*\\)".*/\\1.\\2/'; }
        file=vault/$(place)
        case $1 in
        get) [ -e "$file" ] || exit 1; cat "$file" ;;
        store) printf '%s\\n' "$request" > "$file.new" && mv "$file.new" "$file" ;;
        erase) [ -e "$file" ] || exit 1; rm "$file" ;;
        esac
        """

    /// A helper that kills the argus which called it, before or after (`KILLED`) it did what it was
    /// called for, at the call that `KILLED_AT` counts; it forgets the count with the file `count`.
    static let deadly =
        """
        if [ -n "$KILLED_AT" ]; then
          count=$(($(cat "$HOME/count" 2>/dev/null || echo 0) + 1)); echo $count >"$HOME/count"
          [ "$count $KILLED" != "$KILLED_AT before" ] || { kill -9 $PPID; exit 2; }
          [ "$count $KILLED" != "$KILLED_AT after" ] || trap 'kill -9 $PPID' EXIT
        fi

        """ + script

    /// The variables by which it kills.
    static func killing(at call: Int, _ when: String) -> [String: String] {
        ["KILLED_AT": String(call), "KILLED": when]
    }

    /// Makes a script the helper of that name, in the folder `bin` of a home.
    ///
    /// Another program writes it: what this process has open for writing cannot be run.
    static func install(_ script: String = script, as name: String = "toy", in home: String) throws
    {
        let write = """
            mkdir -p "$1/bin"; printf '#!/bin/sh\\n%s\\n' "$3" > "$1/bin/$2"; chmod 700 "$1/bin/$2"
            """
        let status = try ChildProcess(
            ["sh", "-ec", write, "sh", home, "argus-credential-\(name)", script]
        ).wait()
        guard status == 0 else { throw NotReady(reason: "the helper was not installed") }
    }
}
