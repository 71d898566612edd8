package agents

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestOf: each agent is told the address of the proxy, which passes on to where the agent would have asked.
func TestOf(t *testing.T) {
	const at = "http://127.0.0.1:7"
	for _, c := range []struct {
		what        string
		argv        string
		environment string
		files       map[string]string
		want        string // words, variables and routes that the agent is started with, and not without
	}{
		{"claude", "claude -p x", "", nil,
			"ANTHROPIC_BASE_URL=" + at + "/anthropic _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL=1 anthropic>https://api.anthropic.com"},
		{"claude behind a gateway", "/usr/bin/claude", "ANTHROPIC_BASE_URL=https://gate.example.org/x", nil,
			"ANTHROPIC_BASE_URL=" + at + "/anthropic anthropic>https://gate.example.org/x"},
		{"claude whose settings name one", "claude", "", map[string]string{"/home/u/.claude/settings.json": `{
			// the team's
			"env": {"ANTHROPIC_BASE_URL": "https://gate.example.org"}}`},
			`--settings {"env":{"ANTHROPIC_BASE_URL":"` + at + `/anthropic"}} ANTHROPIC_BASE_URL=` + at +
				`/anthropic anthropic>https://gate.example.org`},
		{"claude on Vertex", "claude", "CLAUDE_CODE_USE_VERTEX=1 CLOUD_ML_REGION=us-east5", nil,
			"ANTHROPIC_VERTEX_BASE_URL=" + at + "/vertex vertex>https://us-east5-aiplatform.googleapis.com/v1"},
		{"codex", "codex exec x", "", nil,
			`-c model_provider="kfw" -c model_providers.kfw.name="OpenAI" -c model_providers.kfw.wire_api="responses" ` +
				`-c model_providers.kfw.requires_openai_auth=true -c model_providers.kfw.base_url="` + at +
				`/openai" ` +
				`-c model_providers.kfw.supports_websockets=false openai>https://api.openai.com/v1`},
		{"codex after a login with ChatGPT", "codex", "CODEX_HOME=/c",
			map[string]string{"/c/auth.json": `{"OPENAI_API_KEY":null,"tokens":{"access_token":"x"}}`},
			`-c model_provider="kfw" -c model_providers.kfw.name="OpenAI" -c model_providers.kfw.wire_api="responses" ` +
				`-c model_providers.kfw.requires_openai_auth=true -c model_providers.kfw.base_url="` + at + `/openai" ` +
				`-c model_providers.kfw.supports_websockets=false openai>https://chatgpt.com/backend-api/codex`},
		{"codex with a provider", "codex", "CODEX_HOME=/c", map[string]string{"/c/config.toml": `model_provider = "own"
[model_providers.own]
base_url = "https://own.example.org/v1"`},
			`-c model_providers.own.base_url="` + at + `/openai" -c model_providers.own.supports_websockets=false openai>https://own.example.org/v1`},
		{"gemini", "gemini", "GOOGLE_CLOUD_LOCATION=europe-west1", nil,
			"GOOGLE_GEMINI_BASE_URL=" + at + "/google GOOGLE_VERTEX_BASE_URL=" + at +
				"/vertex google>https://generativelanguage.googleapis.com vertex>https://europe-west1-aiplatform.googleapis.com"},
		{"qwen", "qwen", "OPENAI_BASE_URL=http://10.0.0.1:8000/v1", nil,
			"OPENAI_BASE_URL=" + at + "/openai openai>http://10.0.0.1:8000/v1"},
		{"copilot", "copilot", "COPILOT_PROVIDER_BASE_URL=http://10.0.0.1/v1", nil,
			"COPILOT_PROVIDER_BASE_URL=" + at + "/provider provider>http://10.0.0.1/v1"},
	} {
		setup, err := Of("", Start{Argv: strings.Fields(c.argv), Environment: strings.Fields(c.environment),
			Address: at,
			Home:    "/home/u", Directory: "/work", Read: files(c.files)})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		got := slices.Clone(setup.Argv[1 : 1+len(setup.Argv)-len(strings.Fields(c.argv))])
		for _, one := range setup.Environment {
			if !slices.Contains(strings.Fields(c.environment), one) {
				got = append(got, one)
			}
		}
		for _, r := range setup.Routes {
			got = append(got, r.Name+">"+r.Upstream.String())
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.what, text, c.want)
		}
	}
}

func files(all map[string]string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if text, ok := all[filepath.ToSlash(path)]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
}

// TestOpencode: providers of all its files are redirected, and what the variable said before stays.
func TestOpencode(t *testing.T) {
	setup, err := Of("", Start{Argv: []string{"opencode"}, Address: "http://p", Home: "/home/u", Directory: "/work",
		Environment: []string{`OPENCODE_CONFIG_CONTENT={"theme":"dark","provider":{"local":{"options":{"apiKey":"k"}}}}`},
		Read:        files(map[string]string{"/work/opencode.json": `{"provider":{"local":{"options":{"baseURL":"http://10.0.0.1/v1"}},}}`})})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimPrefix(setup.Environment[0], "OPENCODE_CONFIG_CONTENT=")
	if gjson.Get(text, "theme").String() != "dark" || gjson.Get(text, "provider.local.options.apiKey").String() != "k" {
		t.Errorf("lost: %s", text)
	}
	to := make(map[string]string)
	for _, r := range setup.Routes {
		to["http://p/"+r.Name] = r.Upstream.String()
	}
	for provider, want := range map[string]string{"local": "http://10.0.0.1/v1", "anthropic": anthropicAPI + "/v1",
		"openai": openaiAPI} {
		if got := to[gjson.Get(text, "provider."+provider+".options.baseURL").String()]; got != want {
			t.Errorf("%s asks %q, not %q", provider, got, want)
		}
	}
}

// TestLimits: what can't be redirected is an error, and no address is taken that is none.
func TestLimits(t *testing.T) {
	for argv, environment := range map[string]string{"claude": "CLAUDE_CODE_USE_BEDROCK=1", "copilot": "",
		"qwen":            "OPENAI_BASE_URL=ftp://x",
		"python agent.py": "OPENAI_BASE_URL=https://u:p@example.org"} {
		setup, err := Of("", Start{Argv: strings.Fields(argv), Environment: strings.Fields(environment),
			Address: "http://p",
			Home:    "/h", Directory: "/w", Read: files(nil)})
		if err == nil {
			t.Errorf("%s: %v", argv, setup.Routes)
		}
	}
}
