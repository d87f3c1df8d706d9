"""Runs the tests of this folder, prints a line for each, and writes the number of passed tests.

Without names it runs all tests, which must call each public method of the client.
"""

import json
import logging
import sys
import time
import unittest

from calls import Calls
from fixture import DIRECTORY, VERSION


class Lines(unittest.TestResult):
    """Prints a line for each test when it has ended, followed by its failure."""

    def startTest(self, test):
        super().startTest(test)
        self._started = time.monotonic()

    def _say(self, outcome, test, detail=""):
        seconds = time.monotonic() - self._started
        print(f"{outcome:7} {test.id()} ({seconds:.1f} s) {detail}".rstrip())

    def addSuccess(self, test):
        super().addSuccess(test)
        self._say("passed", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"skipped {test.id()}: {reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._say("FAILED", test, f"\n{self.failures[-1][1]}")

    def addError(self, test, err):
        super().addError(test, err)
        print(f"FAILED  {test.id()}\n{self.errors[-1][1]}")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._say("FAILED", subtest, f"\n{self._exc_info_to_string(err, test)}")


def load(names):
    """Returns the named tests, or all tests of this folder."""
    loader = unittest.TestLoader()
    return loader.loadTestsFromNames(names) if names else loader.discover(".")


def print_coverage(calls):
    """Prints how many of the client's methods were called; returns those that were not."""
    missing = calls.missing()
    methods = f"{len(calls.known & calls.called)} of {len(calls.known)} methods"
    actions = f"{len(calls.known_actions & calls.actions)} of {len(calls.known_actions)} runner actions"
    print(f"client {VERSION}: {methods} and {actions} called")
    for name in missing:
        print(f"FAILED  no test calls {name}")
    return missing


def main(names):
    logging.getLogger("backoff").setLevel(logging.ERROR)
    calls = Calls()
    result = Lines()
    load(names).run(result)
    missing = [] if names else print_coverage(calls)
    failed = len(result.failures) + len(result.errors) + len(missing)
    passed = result.testsRun - len({test.id() for test, _ in result.failures + result.errors}) - len(result.skipped)
    report = {"passed": passed, "failed": failed, "called": sorted(calls.called), "known": sorted(calls.known)}
    (DIRECTORY / "report.json").write_text(json.dumps(report), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
