package agents

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tidwall/gjson"
)

// codexOwn is what the provider is called that stands for OpenAI's: the names of those that codex has can't be used.
const codexOwn = "kfw"

// chatgptAPI is where codex asks after a login with ChatGPT.
const chatgptAPI = "https://chatgpt.com/backend-api/codex"

// codex reads no variable. The flag -c overrides config.toml. A WebSocket, which codex prefers, is
// turned off.
func codex(s *start) error {
	directory := s.lookup("CODEX_HOME")
	if directory == "" {
		directory = filepath.Join(s.given.Home, ".codex")
	}
	text, err := s.file(filepath.Join(directory, "config.toml"))
	if err != nil {
		return err
	}
	var config struct {
		Provider  string `toml:"model_provider"`
		Providers map[string]struct {
			BaseURL string `toml:"base_url"`
		} `toml:"model_providers"`
	}
	if err := toml.Unmarshal(text, &config); err != nil {
		config.Provider = "" // codex says what is wrong with it
	}
	for i, word := range s.Argv[1:] {
		if value, ok := strings.CutPrefix(word, "model_provider="); ok && i > 0 &&
			(s.Argv[i] == "-c" || s.Argv[i] == "--config") {
			config.Provider = strings.Trim(value, `"'`)
		}
	}
	var set []string
	name, upstream := config.Provider, config.Providers[config.Provider].BaseURL
	if upstream == "" {
		name, upstream = codexOwn, openaiAPI
		if auth, err := s.file(filepath.Join(directory, "auth.json")); err != nil {
			return err
		} else if gjson.GetBytes(auth, "tokens.access_token").Exists() &&
			gjson.GetBytes(auth, "OPENAI_API_KEY").String() == "" {
			upstream = chatgptAPI
		}
		set = append(set, `model_provider="`+codexOwn+`"`, table(name)+`name="OpenAI"`,
			table(name)+`wire_api="responses"`,
			table(name)+`requires_openai_auth=true`)
	}
	address, err := s.route("openai", upstream)
	if err != nil {
		return err
	}
	set = append(set, table(name)+`base_url="`+address+`"`, table(name)+`supports_websockets=false`)
	var flags []string
	for _, one := range set {
		flags = append(flags, "-c", one)
	}
	s.Argv = slices.Insert(s.Argv, 1, flags...)
	return nil
}

// table returns the way to a setting of a provider.
func table(name string) string {
	if strings.ContainsAny(name, `."' `) {
		name = `"` + strings.ReplaceAll(name, `"`, `\"`) + `"`
	}
	return "model_providers." + name + "."
}
