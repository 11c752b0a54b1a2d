"""Simulates the services that deliver notifications to devices, on ports of this machine.

They are as strict as the real ones, and libraries of others do the work: h2 speaks HTTP/2, PyJWT
verifies tokens, and cryptography decrypts what browsers get.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from contextlib import suppress
from pathlib import Path

import faults
import folder
from simulator import Options, Simulator


def main() -> None:
    options = parse()
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(options.folder.absolute(), Options(
            log=options.log, faults=options.fault, tokens=options.tokens, clock=options.clock,
            environment=options.environment)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="PushSimulator", description=__doc__, epilog=faults.HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("folder", type=Path, metavar="FOLDER",
        help="write keys, tokens, subscriptions and environment there")
    add("--log", type=Path, metavar="FILE", help="append a JSON line about each request received")
    add("--fault", type=faults.Fault.parse, action="append", default=[], metavar="SPEC",
        help="fail on purpose, see below; may be given several times")
    add("--tokens", type=int, default=5, metavar="N",
        help="how many addresses each service has given out (5)")
    add("--clock", type=float, default=0, metavar="SECONDS",
        help="by how much the services' clocks are ahead (0)")
    add("--environment", choices=["production", "sandbox"], default="production",
        help="Apple's environment (production)")
    return parser.parse_args()


async def serve(place: Path, options: Options) -> None:
    os.umask(0o077)
    place.mkdir(exist_ok=True)
    simulator = Simulator(options, folder.write_certificate(place))
    await simulator.open()
    variables = folder.write(simulator, place)
    print(f"Push services: keys, tokens and subscriptions in {place}; for argus,")
    print(f"with --cacert {place}/certificate.pem:")
    for name, value in variables.items():
        print(f"  export {name}={value}")
    print("Ctrl-C ends it.", flush=True)
    await asyncio.Event().wait()


main()
