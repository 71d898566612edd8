package hosts

import (
	"bytes"
	"path/filepath"
)

// Instructions say what a model has to know of kfw, in at most 120 tokens.
const Instructions = "Tool output passes kfw. A long one is a page: `kfw: N lines...`, facts (`= ...`), lines with numbers " +
	"(`12: text`), gaps (`… 30 lines`). Nothing is lost: the first line names a handle; `kfw expand h1 --lines 40-80` " +
	"shows more; also --about WORDS, --grep RE -C 3, --where NAME=VALUE, --fields a,b, --tail 20. " +
	"`[REDACTED:kind]` is a secret: " +
	"never write or ask for it.\n"

// What stands around the instructions in a file that has others.
const (
	beginOfInstructions = "<!-- kfw: begin -->\n"
	endOfInstructions   = "<!-- kfw: end -->\n"
)

// instructionFiles are the files that a host gives its model: of the user, with the variable that moves its directory,
// and of a project. Cline and Cursor have none of the user that a program may write.
var instructionFiles = map[string]struct{ directory, variable, user, project string }{
	"claude-code": {".claude", "CLAUDE_CONFIG_DIR", "CLAUDE.md", "CLAUDE.md"},
	"codex":       {".codex", "CODEX_HOME", "AGENTS.md", "AGENTS.md"},
	"gemini-cli":  {".gemini", "", "GEMINI.md", "GEMINI.md"},
	"copilot":     {".copilot", "COPILOT_HOME", "copilot-instructions.md", "AGENTS.md"},
	"opencode":    {filepath.Join(".config", "opencode"), "", "AGENTS.md", "AGENTS.md"},
	"qwen-code":   {".qwen", "", "QWEN.md", "QWEN.md"},
	"cline":       {project: "AGENTS.md"},
	"cursor":      {project: "AGENTS.md"},
}

// instructionsPath returns the file that a host gives its model; empty if it has none at the place.
func instructionsPath(h Host, p Place) string {
	of := instructionFiles[h.Name()]
	switch {
	case p.Project != "":
		return filepath.Join(p.Project, of.project)
	case of.user == "":
		return ""
	}
	return filepath.Join(p.directory(of.directory, of.variable), of.user)
}

// instruct returns the change that puts the instructions at the end of the file that a host gives its model.
func instruct(h Host, p Place, state string) (*Change, error) {
	path := instructionsPath(h, p)
	if path == "" {
		return nil, &Unsupported{"instructions", h.Name() +
			" has no file of instructions but that of a project, with --project"}
	}
	c, err := changeOf(h, path, state)
	if err != nil {
		return nil, err
	}
	base := c.uninstructed()
	text := bytes.Clone(base)
	if len(text) > 0 {
		text = append(text, '\n')
	}
	c.New = append(append(append(text, beginOfInstructions...), Instructions...), endOfInstructions...)
	c.record.IsCreated = c.Old == nil || base == nil
	c.record.Path, c.record.Sum = path, sum(c.New)
	c.record.Inserted = []insertion{{len(base), len(c.New) - len(base)}}
	return c, nil
}

// forgetInstructions returns the change that takes the instructions out again, nil if there are none.
func forgetInstructions(h Host, p Place, state string) (*Change, error) {
	path := instructionsPath(h, p)
	if path == "" {
		return nil, nil
	}
	c, err := changeOf(h, path, state)
	if err != nil {
		return nil, err
	}
	if c.New = c.uninstructed(); bytes.Equal(c.New, c.Old) {
		return nil, nil
	}
	return c, nil
}

// uninstructed returns the file without the instructions; nil if there would be no file.
func (c *Change) uninstructed() []byte {
	end := bytes.LastIndex(c.Old, []byte(endOfInstructions))
	if end < 0 {
		return c.Old
	}
	from := bytes.LastIndex(c.Old[:end], []byte(beginOfInstructions))
	if from < 0 || from > 0 && c.Old[from-1] != '\n' {
		return c.Old
	}
	base := append(bytes.Clone(c.Old[:max(0, from-1)]), c.Old[end+len(endOfInstructions):]...)
	if len(base) == 0 && c.record.IsCreated {
		return nil
	}
	return base
}
