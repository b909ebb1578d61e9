"""The program for the checkers of types does what it says."""

import subprocess
import sys
import unittest

from engines import ENGINE, HERE, with_rules


class User(unittest.TestCase):
    @with_rules
    def test_it_runs(self):
        run = subprocess.run([sys.executable, str(HERE / "user.py"), ENGINE], capture_output=True, text=True, timeout=300)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(len(run.stdout.splitlines()), 4)


if __name__ == "__main__":
    unittest.main()
