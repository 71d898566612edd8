package turn

import (
	"cmp"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// prose is what one choice says in words: texts, refusals and reasoning.
type prose struct {
	core                       *core
	choice                     int // index of the choice
	texts, refusals, reasoning map[protocol.Key]*block
	order                      []*block // of all kinds, in order of arrival
	groups                     map[int]*group
	items                      map[int]string // ids of the items that have texts
	writing                    *block         // the one that was written last
	lastText                   *block         // the text that began last
	carried                    [2]carried     // of texts and of refusals: what goes on in the next one
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
	id, kind, signature, redacted  string
	signatureType, signatureFormat string
	index                          int // that the provider gave it
}

// of returns the blocks of a kind by key.
func (p *prose) of(kind string) *map[protocol.Key]*block {
	switch kind {
	case protocol.RefusalBlock:
		return &p.refusals
	case protocol.ReasoningBlock:
		return &p.reasoning
	}
	return &p.texts
}

// open returns the block of that kind and key. If there is none that is open, it makes one; nil if there are too many.
// A block that is made after the choice finished goes on with the one before it.
func (p *prose) open(kind string, at protocol.Key, finished bool) *block {
	blocks := p.of(kind)
	b := (*blocks)[at]
	if b != nil && !b.closed {
		return b
	}
	number, ok := p.core.number()
	if !ok {
		return nil
	}
	p.pause()
	before := b
	b = &block{in: p, number: number, kind: kind, item: at.Index}
	if before != nil {
		b.continues, b.goesOn, b.heard = true, finished, before.heard
	}
	if *blocks == nil {
		*blocks = make(map[protocol.Key]*block)
	}
	(*blocks)[at] = b
	p.order = append(p.order, b)
	if kind == protocol.TextBlock {
		p.lastText = b
	}
	return b
}

// pause is called when something else begins than the block that was written last.
func (p *prose) pause() { p.writing.pause() }

// addNotice adds a text of kfw's own. What comes of a text before it goes on after it.
func (p *prose) addNotice(text string) {
	if text == "" {
		return
	}
	number, ok := p.core.number()
	if !ok || !p.core.grow(len(text)) {
		return
	}
	if p.lastText != nil && !p.core.restates {
		p.lastText.close()
	}
	b := &block{in: p, number: number, kind: protocol.TextBlock, content: []byte(text), closed: true}
	p.order = append(p.order, b)
	b.send(true)
}

// reason takes in more of a part of the reasoning, or what it is called.
func (p *prose) reason(s *protocol.Step, finished bool) {
	b := p.reasoning[s.Key]
	if b == nil || s.Text != "" {
		b = p.open(protocol.ReasoningBlock, s.Key, finished)
	}
	if b != nil && (s.ID != "" || s.Name != "") { // which is to be known before the first word
		g := p.group(b)
		g.id = cmp.Or(g.id, strings.Clone(s.ID))
		g.kind = cmp.Or(g.kind, strings.Clone(s.Name))
	}
	b.write(s.Text)
}

// sign takes in the signature of a part of the reasoning, or content that is not shown.
func (p *prose) sign(s *protocol.Step) {
	b := p.reasoning[s.Key]
	if b == nil {
		if b = p.open(protocol.ReasoningBlock, s.Key, false); b == nil {
			return
		}
	}
	if !p.core.grow(len(s.Signature)) {
		return
	}
	g := p.group(b)
	switch {
	case s.Again && (g.signature == s.Signature || g.redacted == s.Signature):
		return
	case s.Flag:
		g.redacted += s.Signature
		return
	}
	if s.Name != "" {
		g.setSignatureKind(s)
	}
	if p.core.restates {
		g.signature = strings.Clone(s.Signature)
	} else {
		g.signature += s.Signature
	}
}

// signText adds a signature to a text and ends the text. A signature without a text gets an empty
// one.
func (p *prose) signText(s *protocol.Step, finished bool) {
	b := p.open(protocol.TextBlock, s.Key, finished)
	if b == nil || !p.core.grow(len(s.Signature)) {
		return
	}
	b.signed = strings.Clone(s.Signature)
	b.close()
	p.core.emit(Event{Kind: TextEnded, Block: b.number, Choice: p.choice, Part: Part{Number: b.number, Signed: true,
		Signature: b.signed}})
}

// describe takes in the type, the format and the number of a part of the reasoning.
func (p *prose) describe(s *protocol.Step, finished bool) {
	if b := p.open(protocol.ReasoningBlock, s.Key, finished); b != nil {
		g := p.group(b)
		g.setSignatureKind(s)
		g.index = s.Index
	}
}

// part returns what is known of a part of the reasoning before its end.
func (g *group) part() Part {
	return Part{Number: g.number, ID: g.id, SignatureType: g.signatureType, SignatureFormat: g.signatureFormat,
		Index: g.index}
}

func (g *group) setSignatureKind(s *protocol.Step) {
	g.signatureType, g.signatureFormat = strings.Clone(s.Name), cmp.Or(strings.Clone(s.Text), g.signatureFormat)
}

// restate takes in the whole of a block, of which some may have come already.
func (p *prose) restate(s *protocol.Step, finished bool) {
	b := (*p.of(s.Name))[s.Key]
	switch {
	case b != nil && s.Flag:
	case b != nil:
		b.restate(s.Text)
	default:
		if b = p.open(s.Name, s.Key, finished); b != nil && s.Flag {
			b.initial = strings.Clone(p.core.joined(s.Text))
		} else {
			b.write(p.core.joined(s.Text))
		}
	}
}

// group returns the part of the reasoning that a block belongs to.
func (p *prose) group(b *block) *group {
	g := p.groups[b.item]
	if g == nil {
		g = &group{number: b.number}
		if p.groups == nil {
			p.groups = make(map[int]*group)
		}
		p.groups[b.item] = g
	}
	return g
}

// setItem takes in the id of the item of texts that may still come. The first one counts.
func (p *prose) setItem(item int, id string) {
	if p.items[item] != "" || len(p.items) == blocksMax {
		return
	}
	if p.items == nil {
		p.items = make(map[int]string)
	}
	p.items[item] = strings.Clone(id)
}

// end closes the blocks with a key.
func (p *prose) end(at protocol.Key) {
	for _, blocks := range []map[protocol.Key]*block{p.texts, p.refusals, p.reasoning} {
		if b := blocks[at]; b != nil {
			b.close()
		}
	}
}

// endReasoning closes all reasoning.
func (p *prose) endReasoning() {
	for _, b := range p.order {
		if b.kind == protocol.ReasoningBlock {
			b.close()
		}
	}
}

// flush closes all blocks, and sends what is held back.
func (p *prose) flush() {
	for _, b := range p.order {
		b.close()
	}
	for i := range p.carried {
		p.flushCarried(&p.carried[i])
	}
}

// holds reports whether something of the last text, or of one before it, was not sent yet.
func (p *prose) holds() bool {
	for _, c := range p.carried {
		if h, ok := c.redactor.(holder); ok && h.Holds() {
			return true
		}
	}
	if p.writing == nil || p.writing.redactor == nil {
		return false
	}
	h, ok := p.writing.redactor.(holder)
	return ok && h.Holds()
}

// flushCarried ends a text that no other one goes on with.
func (p *prose) flushCarried(c *carried) {
	if c.redactor == nil {
		return
	}
	c.from.content = p.core.redact.flush(c.redactor, c.from.content)
	c.from.send(true)
	*c = carried{}
}

// drop closes all blocks. What is held back is not passed on.
func (p *prose) drop() {
	for _, b := range p.order {
		b.takeBack(0)
		b.closed = true
	}
}

// appendTo adds all blocks to an answer.
func (p *prose) appendTo(to *Answer) {
	var words, refusal strings.Builder
	parts := make(map[int]int) // by group, the place of its part in the answer
	replaced, size, texts := false, 0, 0
	for _, b := range p.order {
		if b.kind == protocol.TextBlock {
			size += len(b.content)
			texts++
		}
	}
	isShared := p.core.final && texts == 1 // a long text is not copied
	if !isShared {
		words.Grow(size)
	}
	signatures := 0
	for _, b := range p.order {
		replaced = replaced || b.replaced
		switch b.kind {
		case protocol.TextBlock:
			if isShared {
				to.Text = ascii.LentString(b.content)
			} else {
				words.Write(b.content)
			}
			if b.signed != "" {
				to.TextSignature = b.signed
				signatures++
			}
		case protocol.RefusalBlock:
			refusal.Write(b.content)
		case protocol.ReasoningBlock:
			g := p.group(b)
			if b.cut && len(b.content) == 0 && g.signature == "" {
				continue
			}
			i, known := parts[b.item]
			if !known {
				i = len(to.Reasoning)
				parts[b.item] = i
				to.Reasoning = append(to.Reasoning,
					Reasoning{ID: g.id, Kind: g.kind, Signature: g.signature, Redacted: g.redacted,
						Type: g.signatureType, Format: g.signatureFormat, Index: g.index})
			} else if to.Reasoning[i].Text != "" && len(b.content) > 0 && !b.goesOn {
				to.Reasoning[i].Text += "\n\n"
			}
			to.Reasoning[i].Text += string(b.content)
		}
	}
	if signatures > 1 {
		for _, b := range p.order {
			if b.kind == protocol.TextBlock {
				to.TextParts = append(to.TextParts, TextPart{string(b.content), b.signed})
			}
		}
	}
	to.Refusal = refusal.String()
	if !isShared {
		to.Text = words.String()
	}
	if replaced { // text by text: what they make together is redacted, too
		to.Text, to.Refusal = p.core.redact.whole(to.Text), p.core.redact.whole(to.Refusal)
	}
}
