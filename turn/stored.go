package turn

import (
	"encoding/json"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// MarshalJSON returns the turn as AppendJSON writes it, and whether it is complete: what UnmarshalJSON reads.
func (t *Turn) MarshalJSON() ([]byte, error) {
	m := members{&jsonx.Parts{B: []byte("{")}}
	t.writeMembers(m)
	m.bool("complete", t.Complete)
	m.nonEmpty("code", t.Code)
	return append(m.B, '}'), nil
}

// UnmarshalJSON reads a turn that was stored.
func (t *Turn) UnmarshalJSON(stored []byte) error {
	var s struct {
		Complete  bool              `json:"complete"`
		ID        string            `json:"message_id"`
		Model     string            `json:"model"`
		Role      string            `json:"role"`
		Usage     json.RawMessage   `json:"usage"`
		Error     string            `json:"error"`
		ErrorCode string            `json:"error_code"`
		Code      string            `json:"code"`
		Choices   []json.RawMessage `json:"choices"`
		Hosted    []string          `json:"hosted_items"`
		Malformed int               `json:"malformed"`
		Replaced  int               `json:"invalid_utf8"`
		Blocked   int               `json:"blocked"`
	}
	if err := json.Unmarshal(stored, &s); err != nil {
		return err
	}
	*t = Turn{Complete: s.Complete, ID: s.ID, Model: s.Model, Role: s.Role, RawUsage: "null", Error: s.Error,
		ErrorCode: s.ErrorCode, Code: s.Code, Hosted: s.Hosted, Malformed: s.Malformed, Replaced: s.Replaced,
		Blocked: s.Blocked}
	if len(s.Usage) > 0 {
		t.RawUsage = string(s.Usage)
	}
	for _, choice := range s.Choices {
		var other Answer
		if err := other.read(choice); err != nil {
			return err
		}
		t.Others = append(t.Others, other)
	}
	return t.Answer.read(stored)
}

// read reads an answer that was stored.
func (a *Answer) read(stored []byte) error {
	var s struct {
		Choice        int         `json:"index"`
		Reasoning     []Reasoning `json:"reasoning"`
		Text          string      `json:"text"`
		TextSignature string      `json:"text_signature"`
		TextParts     []TextPart  `json:"text_parts"`
		Refusal       string      `json:"refusal"`
		FinishReason  string      `json:"finish_reason"`
		NativeReason  string      `json:"native_finish_reason"`
		StopSequence  string      `json:"stop_sequence"`
		Grounded      bool        `json:"grounding"`
		Class         FinishClass `json:"finish_class"`
		Calls         []struct {
			ID           string `json:"id"`
			ItemID       string `json:"item_id"`
			Name         string `json:"name"`
			RepairedFrom string `json:"repaired_from"`
			Minted       bool   `json:"minted"`
			Arguments    string `json:"arguments_text"`
			Invalid      bool   `json:"invalid_json"`
			Incomplete   bool   `json:"incomplete"`
			Custom       bool   `json:"custom"`
			Signature    string `json:"signature"`
		} `json:"tool_calls"`
	}
	if err := json.Unmarshal(stored, &s); err != nil {
		return err
	}
	*a = Answer{Choice: s.Choice, Text: s.Text, TextSignature: s.TextSignature, TextParts: s.TextParts,
		Refusal:      s.Refusal,
		FinishReason: s.FinishReason, NativeReason: s.NativeReason, StopSequence: s.StopSequence, Grounded: s.Grounded,
		Class: s.Class}
	if len(s.Reasoning) > 0 {
		a.Reasoning = s.Reasoning
	}
	for _, c := range s.Calls {
		a.Calls = append(a.Calls, Call{ID: c.ID, ItemID: c.ItemID, Name: c.Name, RepairedFrom: c.RepairedFrom,
			Minted: c.Minted, Arguments: c.Arguments, Valid: !c.Invalid && (c.Arguments != "" || c.Custom),
			Incomplete: c.Incomplete, Custom: c.Custom, Signature: c.Signature})
	}
	return nil
}

// Stored is a Snapshot that stays valid, and that can be stored as JSON and read back.
type Stored struct {
	Turn    Turn           `json:"turn"`
	Objects []StoredObject `json:"objects"`
}

// StoredObject is an Object with its text.
type StoredObject struct {
	Kind     ObjectKind `json:"kind"`
	Block    int        `json:"k"`
	Choice   int        `json:"choice,omitempty"`
	ID       string     `json:"id,omitempty"`
	Name     string     `json:"name,omitempty"`
	Complete bool       `json:"complete"`
	Allowed  bool       `json:"allowed"`
	Text     string     `json:"text"`
}

// Stored returns the snapshot as it is now.
func (s Snapshot) Stored() Stored {
	all := Stored{Turn: *s.Turn(), Objects: []StoredObject{}}
	for _, o := range s.Objects() {
		all.Objects = append(all.Objects, StoredObject{Kind: o.Kind, Block: o.Block, Choice: o.Choice, ID: o.ID,
			Name:     o.Name,
			Complete: o.Complete, Allowed: o.Allowed, Text: o.Text()})
	}
	return all
}
