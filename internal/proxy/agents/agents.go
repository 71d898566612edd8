// Package agents points an agent to the proxy.
//
// It takes the command line, the environment and the settings of an agent. It returns the command line
// and the environment that point the agent to the proxy, and the upstreams of the proxy. It writes no
// file: everything holds for one run.
//
//   - agents.go: Setup, and the list of agents; claude.go, codex.go, opencode.go: those whose settings are files
package agents

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/proxy"
)

// Setup is how an agent is started.
type Setup struct {
	Argv        []string
	Environment []string // of the form NAME=VALUE
	Routes      []proxy.Route
	Limits      []string // what kfw does not see, a sentence each
}

// Start describes the agent before it is started.
type Start struct {
	Argv        []string
	Environment []string
	Address     string                            // of the proxy, without a slash at its end
	Read        func(path string) ([]byte, error) // a file of settings; fs.ErrNotExist if there is none
	Home        string
	Directory   string // that it is started in
}

// agent is one that is known.
type agent struct {
	name string
	says string // what points it to the proxy, for help
	set  func(s *start) error
}

// start is a Setup that is being made.
type start struct {
	given Start
	Setup
}

// all returns the known agents, and last the entry for all others.
func all() []agent {
	return []agent{
		{"claude", "ANTHROPIC_BASE_URL, or ANTHROPIC_VERTEX_BASE_URL; not on Bedrock, whose requests are signed",
			claude},
		{"codex", "-c model_providers.NAME.base_url=..., as it heeds no variable", codex},
		{"gemini", "GOOGLE_GEMINI_BASE_URL, GOOGLE_VERTEX_BASE_URL; not when it has logged in with Google", gemini},
		{"opencode", "OPENCODE_CONFIG_CONTENT: anthropic, openai, google, and what its settings have a baseURL for",
			opencode},
		{"qwen", "OPENAI_BASE_URL", qwen},
		{"copilot", "COPILOT_PROVIDER_BASE_URL, if that is set; GitHub's own models can't be redirected", copilot},
		{"", "the variables of the providers' libraries: ANTHROPIC_BASE_URL, OPENAI_BASE_URL, ...", libraries},
	}
}

// Help returns a line for each agent: its name, and the variable or flag that points it to the
// proxy.
func Help() string {
	var b strings.Builder
	for _, a := range all() {
		name := a.name
		if name == "" {
			name = "others"
		}
		fmt.Fprintf(&b, "  %-9s %s\n", name, a.says)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Names returns the names of those that are known.
func Names() (names []string) {
	for _, a := range all() {
		if a.name != "" {
			names = append(names, a.name)
		}
	}
	return names
}

// Of returns how to start an agent behind the proxy. name is the name of a known agent; empty
// stands for the name of the program.
func Of(name string, s Start) (Setup, error) {
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(s.Argv[0]), ".exe")
	}
	known := all()
	i := slices.IndexFunc(known, func(a agent) bool { return a.name == name })
	if i < 0 {
		i = len(known) - 1
	}
	one := start{given: s, Setup: Setup{Argv: slices.Clone(s.Argv), Environment: slices.Clone(s.Environment)}}
	err := known[i].set(&one)
	if err == nil && len(one.Routes) == 0 {
		err = errors.New("nothing of what it asks can be redirected: " + strings.Join(one.Limits, "; "))
	}
	return one.Setup, err
}

// lookup returns the value of a variable, empty if it is not set.
func (s *start) lookup(name string) (value string) {
	for _, one := range s.given.Environment {
		if rest, ok := strings.CutPrefix(one, name+"="); ok {
			value = rest // the last one counts
		}
	}
	return value
}

func (s *start) setenv(name, value string) {
	s.Environment = slices.DeleteFunc(s.Environment, func(one string) bool { return strings.HasPrefix(one, name+"=") })
	s.Environment = append(s.Environment, name+"="+value)
}

// route adds a route to upstream and returns its address at the proxy.
func (s *start) route(name, upstream string) (address string, err error) {
	u, err := url.Parse(upstream)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "", fmt.Errorf("the address for %s is none of a server", name)
	case u.User != nil:
		return "", fmt.Errorf("the address for %s has a password in it", name)
	}
	s.Routes = append(s.Routes, proxy.Route{Name: name, Upstream: u})
	return s.given.Address + "/" + name, nil
}

// variable points a variable to the proxy. The upstream is the old value of the variable, or the
// given default.
func (s *start) variable(variable, name, upstream string) error {
	if before := s.lookup(variable); before != "" {
		upstream = before
	}
	address, err := s.route(name, upstream)
	if err == nil {
		s.setenv(variable, address)
	}
	return err
}

// Where providers are reached, unless something else is configured.
const (
	anthropicAPI = "https://api.anthropic.com"
	openaiAPI    = "https://api.openai.com/v1"
	googleAPI    = "https://generativelanguage.googleapis.com"
	vertexAPI    = "https://aiplatform.googleapis.com"
)

func gemini(s *start) error {
	s.Limits = append(s.Limits, "what gemini asks after a login with Google goes past kfw: use an API key, or Vertex AI")
	return errors.Join(s.variable("GOOGLE_GEMINI_BASE_URL", "google", googleAPI),
		s.variable("GOOGLE_VERTEX_BASE_URL", "vertex", regional(s.lookup("GOOGLE_CLOUD_LOCATION"))))
}

// regional returns where Vertex AI is reached in a region.
func regional(region string) string {
	if region == "" || region == "global" || url.PathEscape(region) != region {
		return vertexAPI
	}
	return "https://" + region + "-aiplatform.googleapis.com"
}

func qwen(s *start) error {
	s.Limits = append(s.Limits, "what qwen asks after a login with Qwen goes past kfw: use OPENAI_API_KEY")
	return s.variable("OPENAI_BASE_URL", "openai", openaiAPI)
}

func copilot(s *start) error {
	if s.lookup("COPILOT_PROVIDER_BASE_URL") == "" {
		s.Limits = append(s.Limits, "GitHub's own models can't be redirected, and COPILOT_PROVIDER_BASE_URL names no other")
		return nil
	}
	return s.variable("COPILOT_PROVIDER_BASE_URL", "provider", "")
}

func libraries(s *start) error {
	return errors.Join(
		s.variable("ANTHROPIC_BASE_URL", "anthropic", anthropicAPI),
		s.variable("OPENAI_BASE_URL", "openai", openaiAPI),
		s.variable("GOOGLE_GEMINI_BASE_URL", "google", googleAPI),
		s.variable("GOOGLE_VERTEX_BASE_URL", "vertex", regional(s.lookup("GOOGLE_CLOUD_LOCATION"))),
		s.variable("DEEPSEEK_BASE_URL", "deepseek", "https://api.deepseek.com"),
		s.variable("KIMI_BASE_URL", "kimi", "https://api.moonshot.ai/v1"),
	)
}

// file returns a file of settings; nil if there is none.
func (s *start) file(path string) ([]byte, error) {
	text, err := s.given.Read(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return text, err
}
