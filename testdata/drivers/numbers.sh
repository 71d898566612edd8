#!/bin/sh
# A driver that streams. It is asked on its standard input, with one line of JSON:
#
#   {"operation":"count","params":{"to":3},"constraints":{...}}
#
# and answers with one line of JSON a number. What it answers is passed on as it comes, so it writes each line out at once.
# It knows its own requests and no more of JSON than they need. kfw.yaml declares it with streaming: true.
exec awk '
	!/^\{"operation":"count",/ {
		print "numbers.sh: unknown operation" > "/dev/stderr"
		exit 64
	}
	{
		to = 10
		if (match($0, /"params":\{"to":[0-9]+\}/))
			to = substr($0, RSTART + 15, RLENGTH - 16) + 0
		for (n = 1; n <= to; n++) {
			printf "{\"n\":%d,\"square\":%d,\"owner\":\"user%d@example.com\"}\n", n, n * n, n
			fflush()
		}
	}
'
