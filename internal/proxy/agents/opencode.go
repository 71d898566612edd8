package agents

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

// opencode reads settings from a variable, which override those of its files.
func opencode(s *start) error {
	config := s.lookup("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(s.given.Home, ".config")
	}
	upstreams := map[string]string{"anthropic": anthropicAPI + "/v1", "openai": openaiAPI, "google": googleAPI +
		"/v1beta"}
	find := func(text []byte) {
		gjson.GetBytes(standard(text), "provider").ForEach(func(name, provider gjson.Result) bool {
			if base := provider.Get("options.baseURL").String(); base != "" {
				upstreams[name.String()] = base
			}
			return true
		})
	}
	for _, path := range []string{filepath.Join(config, "opencode", "opencode.json"),
		filepath.Join(config, "opencode", "opencode.jsonc"), s.lookup("OPENCODE_CONFIG"),
		filepath.Join(s.given.Directory, "opencode.json"), filepath.Join(s.given.Directory, "opencode.jsonc")} {
		if path == "" {
			continue
		}
		text, err := s.file(path)
		if err != nil {
			return err
		}
		find(text)
	}
	const variable = "OPENCODE_CONFIG_CONTENT"
	content := make(map[string]any)
	if before := s.lookup(variable); before != "" {
		find([]byte(before))
		if err := json.Unmarshal(standard([]byte(before)), &content); err != nil {
			return err
		}
	}
	providers := member(content, "provider")
	for i, name := range slices.Sorted(maps.Keys(upstreams)) {
		address, err := s.route("p"+strconv.Itoa(i+1), upstreams[name]) // a name may have anything in it
		if err != nil {
			return err
		}
		member(member(providers, name), "options")["baseURL"] = address
	}
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	s.setenv(variable, string(text))
	s.Limits = append(s.Limits, "providers of opencode that have no baseURL, except anthropic, openai and google, go past kfw")
	return nil
}

// member returns a member of an object that is an object, which is made if need be.
func member(of map[string]any, name string) map[string]any {
	if is, ok := of[name].(map[string]any); ok {
		return is
	}
	made := make(map[string]any)
	of[name] = made
	return made
}
