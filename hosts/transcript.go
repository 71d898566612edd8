package hosts

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/asked"
	"github.com/kfw-dev/kfw/internal/lazy"
	"github.com/kfw-dev/kfw/internal/summarize/question"
)

// mostTranscript is how much of the end of a transcript is read, in bytes: it bounds the time of a hook.
const mostTranscript = question.MaxText

// Transcript describes the file in which a host records a conversation, one JSON value a line.
// Events name its path.
type Transcript struct {
	// Places are where the host has it, below the user's home directory: globs, in which * is any part of one name.
	Places []string
	// Said returns what a line says, in order.
	Said func(line gjson.Result) []utterance
	// OfAgent, if not nil, returns the path of the transcript of a subagent.
	OfAgent func(path, agent string) string
}

// utterance is a text of a conversation, or a call of a tool.
type utterance struct {
	text   string
	isUser bool // the text is the user's, and not the agent's

	tool  string // that is called; empty for a text
	input []byte // of the tool, JSON or as the host has it
}

// question returns what the reader of a result wants to know: the input of its call, and before that what was said and
// called last. It returns nil if that has no words.
func (d *Door) question(e *Event) *question.Question {
	suffix := quoted(statusSuffix)
	input := bytes.Replace(e.Input, suffix[1:len(suffix)-1], nil, 1) // which init --wrap has added
	a := asked.By(d.Filter.Whole)
	this := asked.Input(input)
	for _, s := range d.said(e) {
		switch {
		case s.tool == "":
			a.Said([]byte(s.text))
		case !bytes.Equal(asked.Input(s.input), this): // else it is this call, or has the same words
			a.Call(s.tool, s.input)
		}
	}
	a.Call("", input)
	return a.Question()
}

// said returns what the transcript of an event says last, the newest last: nothing if the host has none in its own
// place that is the user's own file.
func (d *Door) said(e *Event) []utterance {
	t := d.Host.Traits().Transcript
	if t == nil || d.Home == "" || e.Record == "" {
		return nil
	}
	paths := []string{e.Record}
	if t.OfAgent != nil && plainID().MatchString(e.Agent) {
		paths = []string{t.OfAgent(e.Record, e.Agent), e.Record}
	}
	for _, path := range paths {
		if !t.isPlace(d.Home, path) {
			continue
		}
		if lines, err := lastLines(path, mostTranscript); err == nil { // else it is no transcript
			return t.last(lines, e.Agent != "")
		}
	}
	return nil
}

// isPlace reports whether a path is one where the host has its transcripts.
func (t *Transcript) isPlace(home, path string) bool {
	below, isBelow := strings.CutPrefix(path, filepath.Clean(home)+string(filepath.Separator))
	return isBelow && filepath.Clean(path) == path && slices.ContainsFunc(t.Places, func(place string) bool {
		isMatch, err := filepath.Match(place, below)
		return isMatch && err == nil
	})
}

// last returns what lines say: of the agent at most as much as a question has blocks, of the user the last message.
// Lines that are no JSON say nothing. Of lines with the same ID, which are states of one message, the last one counts.
func (t *Transcript) last(lines [][]byte, isAgent bool) (all []utterance) {
	hasUser := false
	states := make(map[string]bool)
	for _, line := range slices.Backward(lines) {
		if len(all) == question.MaxBlocks {
			break
		}
		if !json.Valid(line) {
			continue
		}
		v := gjson.ParseBytes(line)
		id := v.Get("id").String()
		if id != "" && states[id] || !isAgent && v.Get("isSidechain").Bool() {
			continue
		}
		states[id] = true
		for _, s := range slices.Backward(t.Said(v)) {
			if s.tool == "" && s.text == "" || s.isUser && hasUser || len(all) == question.MaxBlocks {
				continue
			}
			hasUser = hasUser || s.isUser
			all = append(all, s)
		}
	}
	slices.Reverse(all)
	return all
}

// ofHost matches what a host puts where the user's messages stand: a tag of several words, or the instructions of a
// project.
var ofHost = lazy.Regexp(`^\s*(?:<[a-z]+[-_ ][a-z_ -]*>|# AGENTS\.md instructions)`)

// userSaid returns one utterance of the user, made of these texts.
func userSaid(texts ...string) []utterance {
	texts = slices.DeleteFunc(texts, ofHost().MatchString)
	return []utterance{{text: strings.Join(texts, "\n"), isUser: true}}
}

// partTexts returns the texts of a content, which is a string or an array of parts.
func partTexts(content gjson.Result) (all []string) {
	if content.Type == gjson.String {
		return []string{content.String()}
	}
	for _, part := range content.Array() {
		if text := part.Get("text"); text.Type == gjson.String {
			all = append(all, text.String())
		}
	}
	return all
}

// agentSaid returns what an agent said in these texts.
func agentSaid(texts ...string) (all []utterance) {
	for _, text := range texts {
		all = append(all, utterance{text: text})
	}
	return all
}
