package turn

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/turn/protocol"
)

// choice is one of the answers of a turn.
type choice struct {
	index int

	texts, refusals, reasoning map[protocol.Key]*block
	order                      []*block // of all kinds, in order of arrival
	groups                     map[int]*group
	items                      map[int]string // ids of those that have texts
	textSignature              string

	calls     map[protocol.Key]*call // the newest with each key
	byID      map[string]*call
	callOrder []*call
	passed    int   // how many of callOrder were let through, or are not going to be
	last      *call // the one touched last
	empty     *call // at its end without arguments: what it means shows when another one follows, or the turn ends

	writing        *block     // the one that was written last
	text           *block     // the text that began last
	carried        [2]carried // of texts and of refusals: what goes on in the next one
	finished, late bool       // late: content came after the finish reason
	reason, native string
	class          FinishClass
	stopSequence   string
	grounded       bool
}

// carried is the redactor of a text that ended. The next text goes on with it, as whoever joins
// them reads one text: a secret that was cut between them never leaves.
type carried struct {
	from     *block
	redactor Redactor
}

// group is a part of the reasoning, which may have several blocks: those of a summary.
type group struct {
	number                         int // of its first block
	id, kind, signature, hidden    string
	signatureType, signatureFormat string
	index                          int // that the provider gave it
}

// block is a text, a refusal or a piece of reasoning, as far as it may be seen.
type block struct {
	number   int
	choice   *choice
	kind     string
	name     string // id of a piece of reasoning
	kindName string
	group    int // the index of its key
	redactor Redactor
	content  []byte // redacted
	sent     int    // of content
	hash     maphash.Hash
	read     int // bytes, before redaction
	closed   bool
	replaced bool
	cut      bool // a policy took back what was sent of it
	halves   protocol.Halves
	goesOn   bool // with the block before it that has the same key
}

// choice returns the answer of that index, or nil if there are too many.
func (a *Assembler) choice(index int) *choice {
	if index == 0 && a.first != nil {
		return a.first
	}
	c := a.choices[index]
	if c == nil {
		if len(a.choices) == choicesMax {
			return nil
		}
		c = &choice{index: index, class: Unknown, texts: make(map[protocol.Key]*block), calls: make(map[protocol.Key]*call),
			byID: make(map[string]*call)}
		a.choices[index] = c
		a.order = append(a.order, c)
	}
	return c
}

// open returns the block of that key, which is made if there is none that is open; nil if there are too many.
func (a *Assembler) open(c *choice, blocks *map[protocol.Key]*block, kind string, at protocol.Key) *block {
	b := (*blocks)[at]
	if b != nil && !b.closed {
		return b
	}
	if !a.number() {
		return nil
	}
	a.pause(c)
	b = &block{number: a.blocks, choice: c, kind: kind, group: at.Index, goesOn: b != nil && c.finished}
	if *blocks == nil {
		*blocks = make(map[protocol.Key]*block)
	}
	(*blocks)[at] = b
	c.order = append(c.order, b)
	if kind == protocol.TextBlock {
		c.text = b
	}
	return b
}

// number counts a new block, if there is room for one more.
func (a *Assembler) number() bool {
	if a.blocks == blocksMax {
		a.fail(codeTooLarge, "more blocks than a turn may have")
		a.state = max(a.state, usageOnly)
		return false
	}
	a.blocks++
	return true
}

// grow counts content, if there is room for it.
func (a *Assembler) grow(size int) bool {
	if a.size += size; a.size > contentMax {
		a.fail(codeTooLarge, "more content than a turn may have")
		a.state = max(a.state, usageOnly)
		return false
	}
	return true
}

// write adds to a block and sends what can be seen of it.
func (a *Assembler) write(b *block, text string) {
	if b == nil || text == "" || !a.grow(len(text)) {
		return
	}
	if text = b.halves.Join(text); text == "" {
		return
	}
	b.choice.writing = b
	if a.spec.Restates {
		b.hash.WriteString(text)
		b.read += len(text)
	}
	b.content = room(b.content, len(text))
	if a.o.NewRedactor == nil {
		b.content = append(b.content, text...)
		if b.sent+len(text) == len(b.content) && utf8.ValidString(text) {
			b.sent = len(b.content)
			a.tell(b, text)
			return
		}
	} else {
		if b.redactor == nil {
			b.redactor = a.redactorFor(b)
		}
		a.scratch = append(a.scratch[:0], text...)
		b.content = b.redactor.Append(b.content, a.scratch)
	}
	a.send(b, false)
}

// carry returns where the redactor of a text that ended waits for the next one; nil for reasoning,
// whose parts are not joined.
func (b *block) carry() *carried {
	switch b.kind {
	case protocol.TextBlock:
		return &b.choice.carried[0]
	case protocol.RefusalBlock:
		return &b.choice.carried[1]
	}
	return nil
}

// redactorFor returns the redactor that a block begins with.
func (a *Assembler) redactorFor(b *block) Redactor {
	if c := b.carry(); c != nil && c.redactor != nil {
		r := c.redactor
		*c = carried{}
		return r
	}
	return a.redactor()
}

// pause sends what is held back of the block that was written last, except what may be the
// beginning of a secret. It is called when something else begins.
func (a *Assembler) pause(c *choice) {
	b := c.writing
	if b == nil || b.closed || b.redactor == nil {
		return
	}
	if r, ok := b.redactor.(pauser); ok {
		b.content = r.Pause(b.content)
		a.send(b, false)
	}
}

// room makes room for more by doubling: what append grows by is less, and copies more often.
func room(b []byte, size int) []byte {
	if cap(b)-len(b) >= size {
		return b
	}
	return slices.Grow(b, max(size, len(b)))
}

func (a *Assembler) redactor() Redactor {
	if n := len(a.spare); n > 0 {
		r := a.spare[n-1]
		a.spare = a.spare[:n-1]
		return r
	}
	return a.o.NewRedactor()
}

// redactWhole redacts a text that comes in one piece.
func (a *Assembler) redactWhole(text string) string {
	if a.o.NewRedactor == nil || text == "" {
		return strings.Clone(text)
	}
	r := a.redactor()
	out := r.Flush(r.Append(nil, []byte(text)))
	a.spare = append(a.spare, r)
	return string(out)
}

// send tells what is new in a block, but for a character that is not whole yet.
func (a *Assembler) send(b *block, all bool) {
	end := len(b.content)
	for back := 1; !all && back < utf8.UTFMax && end-back >= b.sent; back++ {
		if c := b.content[end-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(b.content[end-back:]) {
				end -= back
			}
			break
		}
	}
	if end == b.sent {
		return
	}
	text := string(b.content[b.sent:end])
	b.sent = end
	a.tell(b, text)
}

func (a *Assembler) tell(b *block, text string) {
	e := Event{Kind: TextDelta, Block: b.number, Choice: b.choice.index, Text: text}
	switch b.kind {
	case protocol.RefusalBlock:
		e.Kind, e.Item = RefusalDelta, b.choice.items[b.group]
	case protocol.ReasoningBlock:
		g := b.choice.group(b)
		e.Kind, e.Part, e.Item = ReasonDelta, g.number, g.id
		e.SignatureType, e.SignatureFormat, e.Index = g.signatureType, g.signatureFormat, g.index
	default:
		e.Item = b.choice.items[b.group]
	}
	a.emit(e)
}

// close ends a block. What is held back of it is sent, or goes on in the next text.
func (a *Assembler) close(b *block) {
	if b.closed {
		return
	}
	if rest := b.halves.End(); rest != "" {
		a.write(b, rest)
	}
	b.closed = true
	if b.redactor != nil {
		a.closeRedactor(b)
	}
	a.send(b, b.redactor == nil)
	b.redactor = nil
	if b.kind == protocol.ReasoningBlock {
		g := b.choice.group(b)
		a.emit(Event{Kind: ReasonEnded, Block: b.number, Choice: b.choice.index, Part: g.number, ID: g.id, Item: g.id,
			Signed:    g.signature != "" || g.hidden != "",
			Signature: g.signature, SignatureType: g.signatureType, SignatureFormat: g.signatureFormat, Index: g.index,
			Hidden: g.hidden, Replaced: b.replaced})
	}
}

func (a *Assembler) closeRedactor(b *block) {
	r, pauses := b.redactor.(pauser)
	c := b.carry()
	if c == nil || !pauses {
		b.content = b.redactor.Flush(b.content)
		a.spare = append(a.spare, b.redactor)
		b.redactor = nil
		return
	}
	a.flushCarried(c)
	b.content = r.Pause(b.content)
	*c = carried{b, b.redactor}
}

// flushCarried ends a text that no other one goes on with.
func (a *Assembler) flushCarried(c *carried) {
	if c.redactor == nil {
		return
	}
	c.from.content = c.redactor.Flush(c.from.content)
	a.spare = append(a.spare, c.redactor)
	a.send(c.from, true)
	*c = carried{}
}

// flush ends all blocks of a choice.
func (a *Assembler) flush(c *choice) {
	for _, b := range c.order {
		a.close(b)
	}
	for i := range c.carried {
		a.flushCarried(&c.carried[i])
	}
}

// endReasoning ends all reasoning of a choice.
func (a *Assembler) endReasoning(c *choice) {
	for _, b := range c.order {
		if b.kind == protocol.ReasoningBlock {
			a.close(b)
		}
	}
}

// endBlocks ends the blocks with a key. All parts of an item end with it.
func (a *Assembler) endBlocks(c *choice, at protocol.Key) {
	for _, blocks := range []map[protocol.Key]*block{c.texts, c.refusals, c.reasoning} {
		if b := blocks[at]; b != nil {
			a.close(b)
		}
	}
	if ended := c.calls[at]; ended != nil && !ended.ended {
		ended.ended = true
		if len(ended.arguments) > 0 || ended.initial != "" || c.finished {
			a.tasks = append(a.tasks, task{call: ended})
		} else {
			c.empty = ended
		}
	}
}

// restate takes in the whole of a block, which may have come already.
func (a *Assembler) restate(c *choice, s *protocol.Step) {
	blocks := &c.texts
	switch s.Name {
	case protocol.RefusalBlock:
		blocks = &c.refusals
	case protocol.ReasoningBlock:
		blocks = &c.reasoning
	}
	b := (*blocks)[s.Key]
	if b == nil {
		if c.finished {
			return
		}
		b = a.open(c, blocks, s.Name, s.Key)
		a.write(b, s.Text)
		return
	}
	if b.cut {
		return // what came before was taken back
	}
	text := protocol.Joined(s.Text)
	var hash maphash.Hash
	hash.SetSeed(b.hash.Seed())
	hash.WriteString(text[:min(b.read, len(text))])
	if b.read <= len(text) && hash.Sum64() == b.hash.Sum64() {
		switch rest := text[b.read:]; {
		case rest == "":
			return
		case !b.closed:
			a.write(b, rest)
			return
		}
	}
	if b.read < len(text) {
		hash.WriteString(text[b.read:])
	}
	b.hash, b.read = hash, len(text)
	if !a.grow(len(text)) {
		return
	}
	if c := b.carry(); b.redactor == nil && c != nil && c.from == b {
		b.redactor = c.redactor
		*c = carried{}
	}
	if b.redactor != nil { // what it holds back may be the begin of a match that the whole shows
		a.scratch = b.redactor.Flush(a.scratch[:0])
		a.spare = append(a.spare, b.redactor)
		b.redactor = nil
	}
	said := a.redactWhole(text)
	if rest, more := strings.CutPrefix(said, string(b.content)); more {
		b.content = append(b.content, rest...)
		a.send(b, true)
		return
	}
	b.replaced = true
	b.content = []byte(said)
	b.sent = len(b.content)
}

// sign takes in the signature of a part of the reasoning, or content that is not shown.
func (a *Assembler) sign(c *choice, s *protocol.Step) {
	b := c.reasoning[s.Key]
	if b == nil {
		if b = a.open(c, &c.reasoning, protocol.ReasoningBlock, s.Key); b == nil {
			return
		}
	}
	if !a.grow(len(s.Signature)) {
		return
	}
	g := c.group(b)
	if s.Flag {
		g.hidden += s.Signature
		return
	}
	if s.Name != "" {
		g.signatureType, g.signatureFormat = strings.Clone(s.Name), cmp.Or(strings.Clone(s.Text), g.signatureFormat)
	}
	if a.spec.Restates {
		g.signature = strings.Clone(s.Signature)
	} else {
		g.signature += s.Signature
	}
}

// setItem takes in the id of the item of a call, or of texts that may still come. The first one counts.
func (c *choice) setItem(s *protocol.Step) {
	known := c.calls[s.Key]
	switch {
	case s.ID == "":
	case known != nil:
		known.itemID = cmp.Or(known.itemID, strings.Clone(s.ID))
	case c.items[s.Key.Index] == "" && len(c.items) < blocksMax:
		if c.items == nil {
			c.items = make(map[int]string)
		}
		c.items[s.Key.Index] = strings.Clone(s.ID)
	}
}

// group returns the part of the reasoning that a block belongs to.
func (c *choice) group(b *block) *group {
	g := c.groups[b.group]
	if g == nil {
		g = &group{number: b.number}
		if c.groups == nil {
			c.groups = make(map[int]*group)
		}
		c.groups[b.group] = g
	}
	if g.id == "" {
		g.id = b.name
	}
	if g.kind == "" {
		g.kind = b.kindName
	}
	return g
}

// answer puts a choice together.
func (c *choice) answer(a *Assembler) Answer {
	r := Answer{Choice: c.index, FinishReason: c.reason, NativeReason: c.native, StopSequence: c.stopSequence,
		Class: c.class, TextSignature: c.textSignature, Grounded: c.grounded}
	var words, refusal strings.Builder
	parts := make(map[int]int)
	replaced := false
	for _, b := range c.order {
		replaced = replaced || b.replaced
		switch b.kind {
		case protocol.TextBlock:
			words.Write(b.content)
		case protocol.RefusalBlock:
			refusal.Write(b.content)
		case protocol.ReasoningBlock:
			g := c.group(b)
			if b.cut && len(b.content) == 0 && g.signature == "" {
				continue
			}
			i, known := parts[b.group]
			if !known {
				i = len(r.Reasoning)
				parts[b.group] = i
				r.Reasoning = append(r.Reasoning, Reasoning{ID: g.id, Kind: g.kind, Signature: g.signature, Redacted: g.hidden})
			} else if r.Reasoning[i].Text != "" && len(b.content) > 0 && !b.goesOn {
				r.Reasoning[i].Text += "\n\n"
			}
			r.Reasoning[i].Text += string(b.content)
		}
	}
	r.Text, r.Refusal = words.String(), refusal.String()
	if replaced { // text by text: what they make together is redacted, too
		r.Text, r.Refusal = a.redactWhole(r.Text), a.redactWhole(r.Refusal)
	}
	blocked := 0
	for _, called := range c.callOrder {
		switch {
		case called.blocked:
			blocked++
		case called.through || called.incomplete && !a.o.Judge:
			r.Calls = append(r.Calls, a.callOf(called))
		}
	}
	switch {
	case c.class == Stop && len(r.Calls) > 0:
		r.Class = ToolCalls
	case c.class == ToolCalls && len(r.Calls) == 0 && blocked > 0:
		r.Class = Stop
	}
	return r
}
