"""The part `network` of scripts/bench: commands over a link whose round trip takes 100 ms.

What counts there is how often a command waits for the server, next to curl with the requests for the
same answer, one after the other over one connection.
"""

import asyncio
import json
import statistics
import subprocess
import tempfile
import threading
import urllib.parse

# Seconds in one direction.
DELAY = 0.05
CAMERAS = 8
RUNS = 10


class Link:
    """A proxy on this machine that is as far from the server as DELAY says.

    The kernel accepts a connection to it at once, so its first bytes wait as long as the set-up of the
    connection would have taken.
    """

    def __init__(self, address):
        self.host, self.port = address.hostname, address.port
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        listening = asyncio.start_server(self.serve, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(listening, self.loop).result()
        self.url = "http://127.0.0.1:%d" % server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        start = self.loop.time() + 2 * DELAY
        far_reader, far_writer = await asyncio.open_connection(self.host, self.port)
        await asyncio.gather(
            self.carry(reader, far_writer, start), self.carry(far_reader, writer, 0),
            return_exceptions=True)
        for end in (writer, far_writer):
            end.close()

    async def carry(self, reader, writer, start):
        """Carries bytes one way, none of which leaves before `start`."""
        pieces = asyncio.Queue()
        delivery = asyncio.create_task(self.deliver(pieces, writer))
        piece = True
        while piece:
            piece = await reader.read(1 << 16)
            pieces.put_nowait((max(self.loop.time(), start) + DELAY, piece))
        await delivery

    async def deliver(self, pieces, writer):
        piece = True
        while piece:
            due, piece = await pieces.get()
            await asyncio.sleep(due - self.loop.time())
            if piece:
                writer.write(piece)
                await writer.drain()
        writer.write_eof()


def words(command):
    return subprocess.check_output(command, text=True).split()


def network(table, run):
    account = json.loads(subprocess.check_output(["argus", "whoami", "--json"]))
    link = Link(urllib.parse.urlparse(account["url"]))
    subprocess.run(
        ["argus", "server", "set", account["server"], "--local", link.url, "--quiet"], check=True)
    one = ["--format", "tsv", "--no-header", "--fields", "id"]
    cameras = words(["argus", "cameras", "list", *one])
    event = words(["argus", "events", "list", "-n", "1", *one])[0]
    token = words(["argus", "token"])[0]
    with tempfile.NamedTemporaryFile("w", suffix=".header") as header:
        header.write(f"Authorization: Bearer {token}\n")
        header.flush()

        def more(argus, *paths):
            """The round trips that a command takes more than curl."""
            urls = " ".join(f"-o /dev/null '{link.url}/api/v1/{path}'" for path in paths)
            # The range is for the video; other routes ignore it.
            curl = f"curl -sS -r 0-0 -H @{header.name} {urls}"
            run(argus)
            pairs = [run(argus) - run(curl) for _ in range(RUNS)]
            against = "curl -s of the same URL" + ("s" if len(paths) > 1 else "")
            table.add(f"{argus}, 100 ms away", against, statistics.median(pairs) / (2 * DELAY), 1,
                      "round trips more")

        more("argus api events?limit=50", "events?limit=50")
        more("argus events list -n 50", "events?limit=50")
        more("argus cameras list", "cameras", "cameras/health")
        show = f"events/{event}"
        more("argus events show latest", "events?limit=1", show, f"{show}/frames",
             f"{show}/video/download")
        more("argus devices list", "devices")

    def listing(chosen):
        return "argus events list " + " ".join(f"--camera {camera}" for camera in chosen)

    pairs = [run(listing(cameras[:CAMERAS])) / run(listing(cameras[:1])) for _ in range(RUNS)]
    table.add(f"events list of {CAMERAS} cameras, 100 ms away", "the same of one camera",
              statistics.median(pairs), 1.5)


def measure(demo):
    return demo(["--cameras", str(CAMERAS), "--events", "1000", "--all-online"], "network")
