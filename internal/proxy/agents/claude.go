package agents

import (
	"path/filepath"
	"slices"

	"github.com/tailscale/hujson"
	"github.com/tidwall/gjson"
)

// claude is pointed by a variable. Its settings files override the environment, and the flag
// --settings overrides both, so the flag is added if a file sets the variable.
func claude(s *start) error {
	directory := s.lookup("CLAUDE_CONFIG_DIR")
	if directory == "" {
		directory = filepath.Join(s.given.Home, ".claude")
	}
	settings := make(map[string]string)
	for _, path := range []string{filepath.Join(directory, "settings.json"),
		filepath.Join(s.given.Directory, ".claude", "settings.json"),
		filepath.Join(s.given.Directory, ".claude", "settings.local.json")} {
		text, err := s.file(path)
		if err != nil {
			return err
		}
		gjson.GetBytes(standard(text), "env").ForEach(func(name, value gjson.Result) bool {
			settings[name.String()] = value.String()
			return true
		})
	}
	say := func(name string) string {
		if value := settings[name]; value != "" {
			return value
		}
		return s.lookup(name)
	}
	variable, name, upstream := "ANTHROPIC_BASE_URL", "anthropic", anthropicAPI
	switch {
	case isTrue(say("CLAUDE_CODE_USE_BEDROCK")):
		s.Limits = append(s.Limits, "requests to Bedrock are signed, and can't be redirected")
		return nil
	case isTrue(say("CLAUDE_CODE_USE_VERTEX")):
		variable, name, upstream = "ANTHROPIC_VERTEX_BASE_URL", "vertex", regional(say("CLOUD_ML_REGION"))+"/v1"
	}
	if before := say(variable); before != "" {
		upstream = before
	}
	address, err := s.route(name, upstream)
	if err != nil {
		return err
	}
	s.setenv(variable, address)
	if upstream == anthropicAPI {
		s.setenv("_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL", "1") // without it some of what it can do is withheld
	}
	if settings[variable] != "" {
		s.Argv = slices.Insert(s.Argv, 1, "--settings", `{"env":{"`+variable+`":"`+address+`"}}`)
	}
	s.Limits = append(s.Limits, "Remote Control is off while claude asks another address than its own")
	return nil
}

func isTrue(value string) bool { return value != "" && value != "0" && value != "false" }

// standard returns JSON with comments as JSON; nil if it is neither.
func standard(text []byte) []byte {
	if plain, err := hujson.Standardize(text); err == nil {
		return plain
	}
	return nil
}
