package outline

import "strings"

// shapesOfTexts are texts with their shape, and some entries of their outline.
var shapesOfTexts = []struct {
	name  string
	shape Shape
	text  string
	want  string
	never []string
}{
	{"Go", Source, `// Package tide predicts the height of water.
package tide

import "time"

// Station is a place where tides are measured.
type Station struct {
	ID string
}

// Height returns the height at a time.
func (s *Station) Height(at time.Time) float64 {
	height := 0.
	// FIXME: the datum
	for range 3 {
		height++
	}
	return height
}

func add(a, b int) int { return a + b }

var ErrNoStation = errors.New("no station")`, `
1: // Package tide predicts the height of water.
2: package tide
4: import "time"
7: type Station struct
11: // Height returns the height at a time.
12: func (s *Station) Height(at time.Time) float64
21: func add(a, b int) int { return a + b }
23: var ErrNoStation = errors.New("no station")`, []string{"height++", "for range"}},
	{"Python", Source, `#!/usr/bin/env python3
"""Reads tide tables from a file."""
import sys
from tables import Table

DATUM = 3

class Station(Base):
    """A place where tides are measured."""

    def __init__(self, name):
        self.name = name

    async def height(self, at,
                     datum=None):
        if at:
            raise ValueError(at)
        return self.name

def main():
    print(Station(sys.argv[1]))

main()`, `
2: """Reads tide tables from a file."""
3: import sys
8: class Station(Base):
9: """A place where tides are measured."""
11: def __init__(self, name):
14: async def height(self, at,
20: def main():`, []string{"raise", "print"}},
	{"TypeScript", Source, `import { Table } from './table';

export interface Station {
  id: string;
}

export class Tides extends Table {
  constructor(private stations: Station[]) {
    super();
  }

  async height(at: Date): Promise<number> {
    if (at > this.last) {
      throw new Error('too late');
    }
    return this.stations.length;
  }
}

export const datum = (station: Station) => station.id;

function tidy(x) {
  return x;
}`, `
3: export interface Station
7: export class Tides extends Table
8: constructor(private stations: Station[])
12: async height(at: Date): Promise<number>
20: export const datum = (station: Station) => station.id;
22: function tidy(x)`, []string{"throw", "if ("}},
	{"Rust", Source, `use std::fmt;

/// A place where tides are measured.
#[derive(Debug)]
pub struct Station<'a> {
    id: &'a str,
}

impl<'a> Station<'a> {
    pub(crate) fn height(&self, at: u64) -> f64 {
        let x = at as f64;
        x * 2.0
    }
}

pub const DATUM: u8 = 3;

const fn add(a: u8, b: u8) -> u8 {
    a + b
}`, `
1: use std::fmt;
5: pub struct Station<'a>
9: impl<'a> Station<'a>
10: pub(crate) fn height(&self, at: u64) -> f64
16: pub const DATUM: u8 = 3;
18: const fn add(a: u8, b: u8) -> u8`, []string{"let x"}},
	{"Java", Source, `package org.example.tide;

import java.util.List;

/**
 * A place where the tides of a coast are measured.
 */
public final class Station implements Place {
    private final List<String> names;

    public Station(List<String> names) {
        this.names = names;
    }

    @Override
    public double height(long at) throws IOException {
        if (at < 0) {
            return new Table(at).height();
        }
        return 0;
    }
}`, `
1: package org.example.tide;
8: public final class Station implements Place
11: public Station(List<String> names)
16: public double height(long at) throws IOException`, []string{"if (", "return new"}},
	{"C", Source, `#include <stdio.h>
#include "tide.h"

#define DATUM 3

struct station {
	char *id;
};

static double height(struct station *s, long at)
{
	if (at < 0)
		return 0;
	printf("%s\n", s->id);
	return DATUM;
}

int main(int argc, char **argv) {
	return height(0, argc);
}`, `
4: #define DATUM 3
6: struct station
10: static double height(struct station *s, long at)
18: int main(int argc, char **argv)`, []string{"printf", "if (at"}},
	{"shell", Source, `#!/bin/sh
# Fetches the tables of all stations of a coast.
. ./lib.sh
set -eu

fetch() {
  curl -s "$1"
}

function tidy {
  rm -f "$1"
}

clean() {
  tidy all
}

build() {
  fetch "$@"
}

fetch "$1" | tidy`, `
6: fetch()
10: function tidy
14: clean()`, nil},
	{"SQL", Source, strings.Repeat(`-- the places where tides are measured
CREATE TABLE station (
  id text PRIMARY KEY,
  datum real
);
`, 5), `
2: CREATE TABLE station (`, nil},
	{"Markdown", Document, `# Tide tables

How the service predicts the height of water.

## Installation

Fetch the binary for your system:

` + "```sh\n# for Linux\ncurl -O https://example.org/tide\nTIDE_HOME=/srv tide fetch\n```" + `

> **Warning**: predictions are no replacement for a look out of the window.

Options
-------

- ` + "`--region`" + ` is a coast
- See [the manual](manual.md) for all of them.

### Of the server

It takes no options.`, `
1: # Tide tables
3: How the service predicts the height of water.
5: ## Installation
11: curl -O https://example.org/tide
12: TIDE_HOME=/srv tide fetch
15: > **Warning**: predictions are no replacement for a look out of the window.
17: Options
21: - See [the manual](manual.md) for all of them.
23: ### Of the server`, []string{"for Linux", "---"}},
	{"reStructuredText", Document, `===========
Tide tables
===========

How the service predicts the height of water at a station.

Installation
============

.. code-block:: sh

   pip install tide

.. warning:: Predictions are no replacement for a look.

Options
=======

The tables are read from the place that TIDE_HOME names.

Of the server
-------------

It takes the same options as the other one, but for the region.`, `
2: Tide tables
7: Installation
14: .. warning:: Predictions are no replacement for a look.
16: Options
19: The tables are read from the place that TIDE_HOME names.
21: Of the server`, nil},
	{"manual", Document, `TIDE(1)                     Tide Manual                     TIDE(1)

NAME
       tide - predict the height of water

SYNOPSIS
       tide [--region=<coast>] <station>...

DESCRIPTION
       Predicts the height of water at each of the stations for the
       next two days.

OPTIONS
       --region=<coast>
           The coast of which the stations are.

       -q, --quiet
           Say nothing but heights.

ENVIRONMENT
       TIDE_HOME
           Where the tables are.`, `
1: TIDE(1)                     Tide Manual                     TIDE(1)
3: NAME
4: tide - predict the height of water
6: SYNOPSIS
7: tide [--region=<coast>] <station>...
14: --region=<coast>
17: -q, --quiet
20: ENVIRONMENT
21: TIDE_HOME`, nil},
	{"help", Document, `Predict the height of water.

Usage: tide [OPTIONS] <COMMAND>

Commands:
  fetch    Fetch the tables of a coast
  height   Say how high the water is

Options:
  -r, --region <COAST>  The coast
  -q, --quiet           Say nothing but heights
  -h, --help            Print help`, `
3: Usage: tide [OPTIONS] <COMMAND>
5: Commands:
6: fetch    Fetch the tables of a coast
10: -r, --region <COAST>  The coast
12: -h, --help            Print help`, nil},
	{"HTML", Document, `<!doctype html>
<html>
<head>
<title>Tide tables</title>
</head>
<body>
<h1>Tides</h1>
<p>How high the water is.</p>
<h2 class="b">Stations</h2>
<ul>
<li><a href="/hook">Hook</a></li>
</ul>
</body>
</html>`, `
4: <title>Tide tables</title>
7: <h1>Tides</h1>
9: <h2 class="b">Stations</h2>
11: <li><a href="/hook">Hook</a></li>`, []string{"How high"}},
	{"diff", Diff, `diff --git a/tide.go b/tide.go
index 1b2c3d4..5e6f708 100644
--- a/tide.go
+++ b/tide.go
@@ -10,4 +10,5 @@ func read() {
 	x := 1
-	y := 2
+	y := 3
+	z := 4
 	return x
 }
diff --git a/old.sql b/old.sql
deleted file mode 100644
--- a/old.sql
+++ /dev/null
@@ -1,2 +0,0 @@
--- the places
-- CREATE
diff --git a/new.go b/new.go
new file mode 100755
--- /dev/null
+++ b/new.go
@@ -0,0 +1,2 @@
+package tide
+func Height(at int) int { return 0 }
diff --git a/a.png b/b.png
similarity index 100%
rename from a.png
rename to b.png
diff --git a/c.png b/c.png
Binary files a/c.png and b/c.png differ`, `
3: --- a/tide.go +2 -1
7: -	y := 2
8: +	y := 3
14: --- a/old.sql deleted +0 -2
22: +++ b/new.go new +2 -0
25: +func Height(at int) int { return 0 }
29: rename to b.png renamed +0 -0
30: diff --git a/c.png b/c.png binary +0 -0`, []string{"index"}},
	{"commits", Commits, `commit 4f1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192
Merge: 1b2c3d4 5e6f708
Author: Ann Ash <ann@example.org>
Date:   Mon Mar 2 09:37:00 2026 +0100

    tide: heights of two days
    
    The tables have them.

 tide.go | 4 ++--
 1 file changed, 2 insertions(+), 2 deletions(-)

commit 5f1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192
Author: Bob Birch <bob@example.org>
Queue: batch 9

    tide: fetch by region

 rename {old => new}/tide.go (97%)`, `
6: tide: heights of two days
11: 1 file changed, 2 insertions(+), 2 deletions(-)
15: Queue: batch 9
17: tide: fetch by region
19: rename {old => new}/tide.go (97%)`, []string{"The tables", "Author"}},
	{"oneline", Commits, strings.Repeat("4f1c2d3 tide: heights of two days\n5f1c2d3 fetch: by region (#12)\n", 5), "", nil},
	{"grep", Search, `src/tide.py:3:from height import Height
src/tide.py:9:def height(at):
src/tide.py:12:    return Height(at)
src/table.go:44:func height(at int) int {
Binary file src/tide.bin matches
src/table.go:48:	x := height(3)
src/table.go:49:	y := height(4)
src/table.go-50-
src/table.go-51-	return x
--
docs/tide.md:1:# height`, `
1: src/tide.py:3:from height import Height 3 hits
2: src/tide.py:9:def height(at):
4: src/table.go:44:func height(at int) int { 3 hits
5: Binary file src/tide.bin matches
11: docs/tide.md:1:# height 1 hits`, nil},
	{"rg", Search, `src/tide.py
3:from height import Height
9:def height(at):
12:    return Height(at)

src/table.go
44:func height(at int) int {
48:	x := height(3)
49-	return x

docs/tide.md
1:# height
7:the height of water
9:no height`, `
1: src/tide.py 3 hits
2: 3:from height import Height
6: src/table.go 2 hits
11: docs/tide.md 3 hits`, nil},
	{"pytest", Run, `tests/test_tide.py::test_height FAILED [ 50%]
tests/test_tide.py::test_datum PASSED [100%]

=================================== FAILURES ===================================
_________________________________ test_height __________________________________

    def test_height():
>       assert height(3) == 4
E       assert 5 == 4
E        +  where 5 = height(3)

tests/test_tide.py:9: AssertionError
=========================== short test summary info ============================
FAILED tests/test_tide.py::test_height - assert 5 == 4
========================= 1 failed, 1 passed in 0.02s ==========================`, `
9: E       assert 5 == 4
12: tests/test_tide.py:9: AssertionError
14: FAILED tests/test_tide.py::test_height - assert 5 == 4`, []string{"PASSED", "def test"}},
	{"go test", Run, `=== RUN   TestHeight
    tide_test.go:12: height is 3, want 4
--- FAIL: TestHeight (0.00s)
=== RUN   TestDatum
--- PASS: TestDatum (0.00s)
--- FAIL: TestFetch (0.01s)
    tide_test.go:44: no table
        of that coast
FAIL
FAIL	example.org/tide	0.004s`, `
3: --- FAIL: TestHeight (0.00s)
6: --- FAIL: TestFetch (0.01s)
7: tide_test.go:44: no table
8: of that coast`, []string{"PASS", "=== RUN"}},
	{"cargo test", Run, `running 2 tests
test datum ... ok
test height ... FAILED

failures:

---- height stdout ----

thread 'height' panicked at src/lib.rs:12:5:
assertion failed: 5 == 4
note: run with RUST_BACKTRACE=1

test result: FAILED. 1 passed; 1 failed`, `
7: ---- height stdout ----
9: thread 'height' panicked at src/lib.rs:12:5:
10: assertion failed: 5 == 4`, []string{"note:", "ok"}},
	{"plan", Run, strings.Repeat("terraform_data.tide: Refreshing state...\n", 5) + `  # terraform_data.tide will be updated in-place
  ~ resource "terraform_data" "tide" {
      ~ height = 3 -> 4
    }

  # terraform_data.old will be destroyed
Plan: 0 to add, 1 to change, 1 to destroy.`, `
6: # terraform_data.tide will be updated in-place
8: ~ height = 3 -> 4
11: # terraform_data.old will be destroyed
12: Plan: 0 to add, 1 to change, 1 to destroy.`, nil},
	{"traces", Lines, strings.Repeat("panic: runtime.Error: [3:2]\n\tat run (main.go:53)\n", 9), "", nil},
	{"log", Lines, strings.Repeat("2026-03-02T09:37:00Z INFO tide.go:12 served /height in 3ms\n", 20), "", nil},
	{"table", Lines, "PID USER COMMAND\n" + strings.Repeat("1 ann tide\n22 bob fetch\n", 9), "", nil},
	{"messages", Lines, strings.Repeat("src/tide.go:12:7: undefined: height\nsrc/tide.go:14:3: unused variable\n", 9), "", nil},
	{"tests", Lines, strings.Repeat("tests/test_tide.py::test_height PASSED [ 12%]\n", 9), "", nil},
	{"settings", Lines, strings.Repeat("# where the tables of the coast are\ntable: /srv/tide\n\n# of the server\n"+
		"- name: tide\n  port: 80\n  hosts:\n    - one\n\n", 5), "", nil},
	{"prose", Text, strings.Repeat("The class of tides that we import from the function of the moon is\n"+
		"def known as the type of water; it is high, let us say, twice a day.\n", 9), "", nil},
	{"NDJSON", Lines, strings.Repeat(`{"class":"tide","height":3}`+"\n", 20), "", nil},
	{"containers", Lines, strings.Repeat(`4f1c2d3e4f5a   shop/api:2.1   "run"   Up 2 hours`+"\n", 20), "", nil},
	{"nothing", Lines, "", "", nil},
}
