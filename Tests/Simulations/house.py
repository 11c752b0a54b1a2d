#!/usr/bin/env python3
"""Prints 60 days of events of a house with five cameras, one a line: camera, local day, minute.

    house.py SEED [CAMERA DAY MINUTE]    the camera dies then

Day 0 is a Monday. The cameras have habits of their own: a street that never sleeps for long, a porch,
a garden with weekends, a garage that is used to go to work, and a living room. Days 35 to 41 are a
holiday: nobody is at home. Each day and hour is livelier or quieter than usual by chance, and visits
are bursts of one to three events. Nothing here knows how argus judges silence.
"""

import math
import random
import sys

DAYS = 60
HOLIDAY = range(35, 42)


def street(hour, weekend, holiday):
    visits = 14 if 7 <= hour < 21 else 4 if hour in (6, 21, 22) else 0.8
    return visits * (0.7 if weekend else 1)


def porch(hour, weekend, holiday):
    visits = 3 if 8 <= hour < 20 else 1 if hour in (7, 20, 21, 22) else 0.05
    return visits * (1.3 if weekend else 1) * (0.4 if holiday else 1)


def garden(hour, weekend, holiday):
    if not 9 <= hour < 20:
        return 0.35
    return (3 if weekend else 1.2) * (0.5 if holiday else 1)


def garage(hour, weekend, holiday):
    if holiday:
        return 0.01
    if weekend:
        return 0.25 if 9 <= hour < 19 else 0.01
    return {7: 2.5, 8: 1.2, 17: 2.0, 18: 1.5}.get(hour, 0.08 if 9 <= hour < 22 else 0.01)


def living(hour, weekend, holiday):
    if holiday:
        return 0.002
    if weekend:
        return 4 if 8 <= hour < 23 else 0.05
    return 6 if 6 <= hour < 9 else 5 if 17 <= hour < 23 else 0.3 if 9 <= hour < 17 else 0.03


CAMERAS = [street, porch, garden, garage, living]


def visits(random, visits_an_hour):
    """The minutes of an hour at which somebody comes."""
    time = 0.0
    while True:
        time += random.expovariate(max(visits_an_hour / 1.8, 1e-9))
        if time >= 1:
            return
        yield time * 60


def events(seed):
    """All events as camera, day and minute, sorted by camera."""
    chance = random.Random(seed)
    for camera in CAMERAS:
        for day in range(DAYS):
            mood = math.exp(chance.gauss(0, 0.45))
            for hour in range(24):
                usual = camera(hour, day % 7 >= 5, day in HOLIDAY)
                number = usual * mood * math.exp(chance.gauss(0, 0.3))
                for start in visits(chance, number):
                    burst = 1 + (chance.random() < 0.5) + (chance.random() < 0.3)
                    for place in range(burst):
                        minute = hour * 60 + start + place * chance.uniform(0.5, 2)
                        if minute < 1440:
                            yield camera.__name__, day, minute


def main():
    seed, death = int(sys.argv[1]), sys.argv[2:]
    for camera, day, minute in events(seed):
        if death and camera == death[0] and (day, minute) >= (int(death[1]), int(death[2])):
            continue
        print(f"{camera} {day} {minute:.2f}")


main()
