package truth

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// datedLog is a log with levels, of which some lines go on.
func datedLog(r *rand.Rand) Response {
	b := newBuilder(r)
	layout := pick(r, time.RFC3339, "2006-01-02 15:04:05", "2006/01/02 15:04:05", "2006-01-02T15:04:05", "15:04:05")
	if layout == "15:04:05" {
		b.clock = time.Date(b.clock.Year(), b.clock.Month(), b.clock.Day(), 1, 0, 0, 0, time.UTC)
	}
	isBracketed := b.chance(3)
	isBackward := b.chance(4) && layout != "15:04:05"
	errorsAt := map[int]bool{}
	n := b.between(80, 400)
	for range b.IntN(6) {
		errorsAt[b.IntN(n)] = true
	}
	for i := range n {
		at := b.tick(40 * time.Second)
		if isBackward && b.chance(10) {
			at = at.Add(-time.Duration(b.IntN(900)) * time.Second)
		}
		stamp := at.Format(layout)
		at, _ = parseTime(stamp)
		level := pick(r, "INFO", "INFO", "INFO", "DEBUG", "WARN")
		worker := b.between(1, 9)
		text := ""
		if errorsAt[i] {
			level = "ERROR"
			text = fmt.Sprintf("worker %d failed: %s", worker,
				pick(r, "connection refused", "disk full", "deadline exceeded"))
		} else {
			switch b.IntN(6) {
			case 0:
				text = fmt.Sprintf("worker %d is idle", worker)
			case 1:
				text = "last error: none"
			case 2:
				size := b.between(10, 90000)
				text = fmt.Sprintf("stored block, size %d", size)
			case 3:
				text = fmt.Sprintf("certificate of %s expires 2031-05-%02d 10:00:00", pick(r, "api", "web", "mail"),
					b.between(1, 28))
			default:
				took := b.between(1, 900)
				text = fmt.Sprintf("worker %d served request in %d ms", worker, took)
			}
		}
		b.Levels[b.next()] = level
		b.timed(stamp, at)
		if isBracketed {
			stamp = "[" + stamp + "]"
		}
		if level == "ERROR" {
			b.Failures[b.next()] = true
		}
		head := b.line("%s %s %s", stamp, level, text)
		if level == "ERROR" && b.chance(2) {
			for _, more := range [][2]string{{"note", "WARN of an earlier attempt"}, {"origin", "disk"}} {
				name, value := more[0], more[1]
				next := b.next()
				b.Joined[next], b.Failures[next], b.Owners[next] = true, true, []int{head}
				b.keys(name, value)
				b.line("    %s: %s", name, value)
			}
		}
	}
	return b.done()
}

// logfmt is lines of pairs, all or after a text.
func logfmt(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(80, 400)
	onlyPairs := b.chance(2)
	b.Columns = []string{"level", "msg", "status", "took", "user"}
	for range n {
		level, status := pick(r, "info", "info", "warn"), pick(r, "200", "200", "404", "301")
		took := fmt.Sprintf("%dms", b.between(1, 900))
		msg := pick(r, "request done", "cache miss", "no error found")
		user := fmt.Sprintf("u%d", b.between(1, 40))
		isError := b.chance(100)
		if isError {
			level, status, msg = "error", "500", "upstream failed"
			b.Failures[b.next()] = true
		}
		b.Levels[b.next()] = level
		if onlyPairs {
			b.row(level, msg, status, took, user)
			b.line(`level=%s msg="%s" status=%s took=%s user=%s`, level, msg, status, took, user)
		} else {
			b.keys("status", status, "took", took, "user", user)
			b.line(`%s %s status=%s took=%s user=%s`, level, msg, status, took, user)
		}
	}
	return b.done()
}

// accessLog is an access log in the common or the combined format.
func accessLog(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(60, 300)
	isCombined := b.chance(2)
	b.Columns = []string{"host", "time", "method", "path", "protocol", "status", "bytes", "referer", "agent"}
	for range n {
		at := b.tick(90 * time.Second)
		stamp := at.Format("02/Jan/2006:15:04:05 -0700")
		host := fmt.Sprintf("10.0.%d.%d", b.IntN(3), b.between(1, 30))
		method, status := pick(r, "GET", "GET", "POST"), pick(r, "200", "200", "304", "404")
		if b.chance(60) {
			status = "500"
		}
		path := fmt.Sprintf("/%s/%d", pick(r, "orders", "users", "errors"), b.between(1, 60))
		size := fmt.Sprint(b.between(0, 90000))
		line := fmt.Sprintf(`%s - - [%s] "%s %s HTTP/1.1" %s %s`, host, stamp, method, path, status, size)
		cells := []string{host, stamp, method, path, "HTTP/1.1", status, size}
		if isCombined {
			agent := pick(r, "curl/8.5.0", "Mozilla/5.0 (X11; Linux x86_64)", "kube-probe/1.29")
			line += fmt.Sprintf(` "https://example.com/" "%s"`, agent)
			cells = append(cells, "https://example.com/", agent)
		}
		b.timed(stamp, at)
		b.row(cells...)
		b.line("%s", line)
	}
	return b.done()
}

// traces is a log with stack traces.
func traces(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(60, 300)
	with := map[int]bool{}
	most := 3
	if b.chance(3) {
		most = 40 // of which those of one kind may be rare
	}
	for range b.between(1, most) {
		with[b.IntN(n)] = true
	}
	rare := b.IntN(n)
	for i := range n {
		at := b.tick(20 * time.Second)
		stamp := at.Format("2006-01-02 15:04:05")
		at, _ = parseTime(stamp)
		b.timed(stamp, at)
		if !with[i] {
			b.Levels[b.next()] = "INFO"
			id := b.between(1, 5000)
			b.line("%s INFO order %d booked by %s", stamp, id, pick(r, "ann", "bob", "cid"))
			continue
		}
		b.Levels[b.next()] = "ERROR"
		b.Failures[b.next()] = true
		head := b.line("%s ERROR request /orders/%d failed", stamp, b.between(1, 99))
		frames := []string{
			"java.lang.IllegalStateException: no stock for " + pick(r, "mug", "chair", "lamp"),
			"\tat com.example.Stock.take(Stock.java:" + fmt.Sprint(b.between(10, 99)) + ")",
			"\tat com.example.Orders.book(Orders.java:" + fmt.Sprint(b.between(10, 99)) + ")",
			"\tat com.example.Main.main(Main.java:12)",
		}
		if i == rare {
			frames[0] = "java.util.MissingResourceException: the ledger is closed"
		}
		b.Traces++
		for k, f := range frames {
			next := b.next()
			b.Joined[next], b.Failures[next] = true, true
			b.Owners[next] = []int{head, head + 1}
			if k > 0 {
				b.Framed++
			}
			if name, value, found := strings.Cut(f, ": "); found {
				b.keys(name, value)
			}
			b.line("%s", f)
		}
	}
	return b.done()
}

// services is what docker compose logs prints of several services.
func services(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(80, 300)
	answers := b.chance(2)
	for range n {
		service := pick(r, "web-1 ", "web-1 ", "db-1  ", "queue-1")
		said := func(text string) {
			b.keys(strings.TrimSpace(service), text)
			b.line("%s | %s", service, text)
		}
		switch {
		case b.chance(70):
			b.Failures[b.next()] = true
			said("error: " + pick(r, "lost connection", "no space left on device"))
		case answers && b.chance(2):
			code := pick(r, 200, 200, 204)
			if b.chance(60) {
				code = 417
			}
			said(fmt.Sprintf("depot answered with %d", code))
		case b.chance(3):
			size := b.between(100, 9000)
			said(fmt.Sprintf("wrote %d bytes to the journal", size))
		default:
			took := b.between(1, 400)
			said(fmt.Sprintf("job done in %d ms", took))
		}
	}
	return b.done()
}

// longLines are lines with more pairs than are read of a line.
func longLines(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(30, 70)
	for range n {
		line := pick(r, "flush", "merge") + " of segment"
		var pairs []string
		for k := range b.between(20, 160) {
			name := pick(r, "retry", "size", "shard")
			value := fmt.Sprint(b.between(1, 999) + k%3)
			line += fmt.Sprintf(" %s=%s", name, value)
			pairs = append(pairs, name, value)
		}
		b.keys(pairs...)
		b.line("%s", line)
	}
	return b.done()
}

// progress is a long run that prints how far it is.
func progress(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(80, 300)
	b.line("fetching %d objects", n)
	for i := range n {
		share := 100 * (i + 1) / n
		size := b.between(1, 900)
		b.line("[%3d%%] receiving objects, %d KiB done", share, size)
	}
	if b.chance(2) {
		b.line("[100%%] done")
	} else {
		b.Failures[b.next()] = true
		b.line("error: remote end hung up")
	}
	return b.done()
}

// parts is a sequence in which some numbers come by another form of line.
func parts(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(80, 300)
	lost := map[int]bool{}
	for range b.IntN(3) {
		lost[b.between(30, n)] = true
	}
	for i := 1; i <= n; i++ {
		switch {
		case lost[i]:
		case b.chance(40):
			attempt := b.between(2, 5)
			b.line("part %d uploaded on attempt %d", i, attempt)
		case b.chance(60):
			b.Failures[b.next()] = true
			b.line("part %d failed: timed out", i)
		default:
			b.line("part %d uploaded", i)
		}
	}
	return b.done()
}
