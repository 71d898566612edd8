package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Cost is what a tool costs.
type Cost struct {
	Tool     string  `json:"tool"`
	StartMS  float64 `json:"start_ms"`   // of CPU for a text of one line, the median
	LargeMS  float64 `json:"large_ms"`   // of CPU for largeSize of log; 0 if it takes longer than mostTime
	LargeMB  float64 `json:"large_mb"`   // peak memory for it
	LargeOut float64 `json:"large_kept"` // of it that is shown, in percent
}

const (
	starts    = 21
	largeSize = 10_000_000 // bytes
)

// costs measures programs in a pipe.
func costs(ctx context.Context, tools []*tool, dir string) (all []Cost, err error) {
	var large strings.Builder
	for i := 0; large.Len() < largeSize; i++ {
		fmt.Fprintf(&large, "2026-01-02T03:04:%02d.%03dZ INFO service=api request=%d status=%d took_ms=%d path=/v1/%d\n",
			i/1000%60, i%1000, i, 200+i%7, i*37%900, i*7919%100_003)
	}
	file := filepath.Join(dir, "large.log")
	if err := os.WriteFile(file, []byte(large.String()), 0o600); err != nil {
		return nil, err
	}
	one := filepath.Join(dir, "small.log")
	if err := os.WriteFile(one, []byte("one line\n"), 0o600); err != nil {
		return nil, err
	}
	for _, t := range tools {
		if t.argv == nil || t.Name == "kfw, no question" {
			continue
		}
		c := Cost{Tool: t.Name}
		var times []float64
		for range starts {
			ms, _, _, err := timed(ctx, t.argv, dir, one)
			if err != nil {
				return nil, err
			}
			times = append(times, ms)
		}
		c.StartMS = median(times)
		var out int
		c.LargeMS, c.LargeMB, out, err = timed(ctx, t.argv, dir, file)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			c.LargeMS, out = 0, 0
		case err != nil:
			return nil, err
		}
		c.LargeOut = 100 * float64(out) / float64(large.Len())
		all = append(all, c)
	}
	return all, nil
}

// timed runs a program on a file, and returns its milliseconds of CPU, its peak megabytes and the bytes it wrote.
func timed(ctx context.Context, argv []string, dir, file string) (ms, mb float64, out int, err error) {
	in, err := os.Open(file)
	if err != nil {
		return 0, 0, 0, err
	}
	defer in.Close() // it is only read
	home, err := os.MkdirTemp(dir, "home")
	if err != nil {
		return 0, 0, 0, err
	}
	defer os.RemoveAll(home)
	ctx, stop := context.WithTimeout(ctx, mostTime)
	defer stop()
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home)
	var shown counted
	c.Stdin, c.Stdout = struct{ io.Reader }{in}, &shown // a pipe: one tool never ends with a file
	if err := c.Start(); err != nil {
		return 0, 0, 0, err
	}
	ended, peak := make(chan struct{}), make(chan float64)
	go func() { peak <- watch(c.Process.Pid, ended) }()
	err = c.Wait()
	close(ended)
	mb = <-peak
	ms = float64((c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Microseconds()) / 1000
	if err != nil {
		err = fmt.Errorf("%s: %w", argv[0], cmp.Or(ctx.Err(), err))
	}
	return ms, mb, int(shown), err
}

// counted counts what is written.
type counted int

func (c *counted) Write(b []byte) (int, error) {
	*c += counted(len(b))
	return len(b), nil
}

// watch returns the peak memory of a process until it has ended, in MB, as the system says it every few milliseconds.
// What the system says after the end includes this program, from which it was forked.
func watch(pid int, ended <-chan struct{}) (mb float64) {
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // it may have ended
		if m := peakForm.FindSubmatch(status); m != nil {
			kb, _ := strconv.ParseFloat(string(m[1]), 64) // digits
			mb = max(mb, kb/1024)
		}
		select {
		case <-ended:
			return mb
		case <-time.After(2 * time.Millisecond):
		}
	}
}

var peakForm = regexp.MustCompile(`VmHWM:\s*(\d+) kB`)

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
