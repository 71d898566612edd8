//go:build unix

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

// withProvider runs a command beside a stand-in for a provider, which ANTHROPIC_BASE_URL and OPENAI_BASE_URL name:
// with-provider FILE COMMAND ARG... What it is asked is in FILE, and its answer is the file "answer", or the command
// line of the program. Its status is that of the command.
func withProvider() {
	asked, err := os.Create(os.Args[1])
	check(err)
	answer, _ := os.ReadFile("answer") // if there is one
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go func() {
		check(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			_, err = fmt.Fprintf(asked, "%s %s %s\n%s\n", r.Method, r.URL.RequestURI(), r.Header.Get("X-Api-Key"), body)
			check(err)
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write(answer)
		})))
	}()
	command := exec.Command(os.Args[2], os.Args[3:]...)
	address := "http://" + listener.Addr().String()
	command.Env = append(os.Environ(), "ANTHROPIC_BASE_URL="+address, "OPENAI_BASE_URL="+address+"/v1")
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = command.Run()
	if command.ProcessState == nil {
		check(err)
	}
	os.Exit(command.ProcessState.ExitCode())
}

// ask is an agent that sends a body and writes the answer: ask VARIABLE PATH FILE [STATUS], where the variable names
// the base of the address.
func ask() {
	file, err := os.Open(os.Args[3])
	check(err)
	request, err := http.NewRequest(http.MethodPost, os.Getenv(os.Args[1])+os.Args[2], file)
	check(err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Api-Key", "planted-key")
	answer, err := http.DefaultClient.Do(request)
	check(err)
	if answer.StatusCode != http.StatusOK {
		fmt.Println(answer.Status)
	}
	_, err = io.Copy(os.Stdout, answer.Body)
	check(err)
	if len(os.Args) > 4 {
		var status int
		_, err := fmt.Sscan(os.Args[4], &status)
		check(err)
		os.Exit(status)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, strings.TrimSpace(err.Error()))
		os.Exit(99)
	}
}
