package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/spool"
)

// withheld is what stands in the place of structured content that can't be kept redacted.
const withheld = "kfw: withheld: the structured content has something to redact that its schema does not allow to change"

// edit is the second pass: what has to be changed in a redacted message.
type edit struct {
	*Proxy
	e      *jsonx.Editor
	spool  *spool.Spool
	out    io.Writer
	result Result        // that fits the texts of the content; nil if they stay
	text   *jsonx.Editor // see at; nil until it is needed
	source *bufio.Reader // of it

	isWithheld bool // the result is replaced
	drops      bool // structured content
	inContent  span // JSON that becomes the text of the content
	adds       bool // the added tool
	hasContent bool
}

// write is the second pass over a message.
func (p *Proxy) write(e *jsonx.Editor, again *bufio.Reader, s *spool.Spool, m *message, out io.Writer) (err error) {
	defer func() {
		if recover() != nil {
			err = errFailed{}
		}
	}()
	if (m.hasResult || m.hasError) && m.method == "" && !m.isBatch {
		m.answers, _ = p.calls.take(m.id)
	}
	if m.isRaw && !p.passesRaw(m.answers) { // another call than was thought
		return errOther{}
	}
	d := &edit{Proxy: p, e: e, spool: s, out: out}
	isChanged := m.hasResult && !m.isBatch && d.decide(m, &m.answers)
	whole := s.From(0, s.Size())
	if !isChanged {
		_, err := io.Copy(out, whole)
		return err
	}
	again.Reset(whole)
	e.Reset(again, out)
	err = e.Object(func(name []byte) error {
		if string(name) == "result" {
			return d.takeResult()
		}
		return e.Copy()
	}, nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, again) // the line's end
	return err
}

// decide reports whether anything of a message has to be changed that answers this request.
func (d *edit) decide(m *message, one *call) bool {
	d.adds = m.hasTools && one.method == methodList && one.isFirst && d.Tool != nil
	d.isWithheld = m.unfit
	if !one.isTool() {
		return d.adds || d.isWithheld
	}
	measured := m.result
	if !m.structured.isEmpty() {
		d.drops = true
		if m.texts == 0 {
			d.inContent, measured = m.structured, m.alone
		}
	}
	if measured != nil && !d.isWithheld && d.Fitter.Treatment(one.Tool) == Fit && !measured.Decide(one.Call) {
		d.result = measured
	}
	return d.adds || d.isWithheld || d.drops || d.result != nil
}

// errOther is a result that was taken for that of a tool whose results pass as they are.
type errOther struct{}

func (errOther) Error() string {
	return "its id came after the result, and is not that of a call that waits"
}

func (d *edit) takeResult() error {
	kind, err := d.e.Kind()
	if err != nil {
		return err
	}
	if kind != jsonx.Object {
		return d.e.Copy()
	}
	return d.e.Object(func(name []byte) error {
		switch string(name) {
		case "content":
			return d.content()
		case "isError":
			if d.isWithheld {
				return d.e.Drop()
			}
		case "structuredContent":
			if d.drops || d.isWithheld {
				return d.e.Drop()
			}
		case "tools":
			if d.adds {
				return d.tools()
			}
		}
		return d.e.Copy()
	}, d.endResult)
}

// endResult adds what the result lacks.
func (d *edit) endResult() error {
	if d.isWithheld {
		if err := d.e.Add(`"isError":true`); err != nil {
			return err
		}
	}
	if d.hasContent || !d.isWithheld && d.inContent.isEmpty() {
		return nil
	}
	if err := d.e.Add(`"content":[`); err != nil {
		return err
	}
	if err := d.addText(); err != nil {
		return err
	}
	_, err := d.out.Write([]byte("]"))
	return err
}

// addText writes an item of content: why the result is withheld, or the structured content as text.
func (d *edit) addText() error {
	if _, err := d.out.Write([]byte(`{"type":"text","text":"`)); err != nil {
		return err
	}
	encoder := jsonx.NewEncoder(d.out)
	err := d.addedText(encoder)
	if err = errors.Join(err, encoder.Close()); err != nil {
		return err
	}
	_, err = d.out.Write([]byte(`"}`))
	return err
}

func (d *edit) addedText(to io.Writer) error {
	open := func() (io.Reader, error) { return d.spool.From(d.inContent.begin, d.inContent.end), nil }
	switch {
	case d.isWithheld:
		_, err := io.WriteString(to, withheld)
		return err
	case d.result != nil:
		return d.result.Fit(open, to)
	}
	text, _ := open()
	_, err := io.Copy(to, text)
	return err
}

func (d *edit) content() error {
	if d.isWithheld {
		d.hasContent = true
		if err := d.e.Keep(); err != nil {
			return err
		}
		if _, err := d.out.Write([]byte{'['}); err != nil {
			return err
		}
		if err := d.addText(); err != nil {
			return err
		}
		if _, err := d.out.Write([]byte{']'}); err != nil {
			return err
		}
		return d.e.Drop()
	}
	kind, err := d.e.Kind()
	if err != nil {
		return err
	}
	if kind != jsonx.Array {
		if !d.inContent.isEmpty() && kind == jsonx.Null {
			return d.e.Drop()
		}
		d.hasContent = true
		return d.e.Copy()
	}
	end := func() error {
		if d.inContent.isEmpty() || d.hasContent {
			return nil
		}
		d.hasContent = true
		if err := d.e.Add(""); err != nil {
			return err
		}
		return d.addText()
	}
	return d.e.Array(func(int) error { return d.item() }, end)
}

// item takes an item of content as the first pass did.
func (d *edit) item() error {
	kind, err := d.e.Kind()
	if err != nil {
		return err
	}
	if kind != jsonx.Object || d.result == nil || !d.inContent.isEmpty() {
		return d.e.Copy()
	}
	if isLeft, err := d.leaveOut(); isLeft || err != nil {
		return err
	}
	return d.e.Object(func(name []byte) error {
		isText, isResource := string(name) == "text", string(name) == "resource"
		kind, err := d.e.Kind()
		switch {
		case err != nil:
			return err
		case isText && kind == jsonx.String:
			return d.fit()
		case isResource && kind == jsonx.Object:
			return d.item()
		}
		return d.e.Copy()
	}, nil)
}

// leaveOut drops the next item if it is a text of which nothing would be shown, and nothing else.
func (d *edit) leaveOut() (isLeft bool, err error) {
	if !d.result.IsOver() {
		return false, nil
	}
	begin, text := d.e.Offset(), int64(-1)
	isOther := false
	e := d.at(begin)
	err = e.Object(func(name []byte) error {
		kind, err := e.Kind()
		if err != nil {
			return err
		}
		switch isString := kind == jsonx.String; {
		case string(name) == "text" && isString && text < 0:
			text = e.Offset()
		case string(name) != "type" || !isString:
			isOther = true
		}
		return e.Copy()
	}, nil)
	if err != nil || isOther || text < 0 {
		return false, err
	}
	err = d.result.Fit(func() (io.Reader, error) { return d.at(begin + text).Text(nil) }, io.Discard)
	if err != nil {
		return false, err
	}
	return true, d.e.Drop()
}

// textSize is how much of a text is read at once: there may be many small ones.
const textSize = 4 << 10

// at returns what reads the message from an offset on, beside the editor.
func (d *edit) at(offset int64) *jsonx.Editor {
	if d.text == nil {
		d.text, d.source = jsonx.NewEditor(false), bufio.NewReaderSize(nil, textSize)
	}
	d.source.Reset(d.spool.From(offset, d.spool.Size()))
	d.text.Reset(d.source, io.Discard)
	return d.text
}

// fit replaces the next value, a text, by what is shown of it.
func (d *edit) fit() error {
	begin := d.e.Offset()
	open := func() (io.Reader, error) { return d.at(begin).Text(nil) }
	var shown bytes.Buffer
	if err := d.result.Fit(open, &shown); err != nil {
		return err
	}
	return d.e.Rewrite(func(text io.Reader) io.Reader { return &beside{text, &shown} })
}

// beside reads what is shown of a text, and as much of the text.
type beside struct {
	text  io.Reader
	shown *bytes.Buffer
}

func (b *beside) Read(p []byte) (int, error) {
	n, err := b.shown.Read(p)
	if n > 0 {
		if _, err := io.CopyN(io.Discard, b.text, int64(n)); err != nil && err != io.EOF {
			return 0, err
		}
	}
	return n, err
}

// tools adds the tool at the end of the list.
func (d *edit) tools() error {
	kind, err := d.e.Kind()
	if err != nil {
		return err
	}
	if kind != jsonx.Array {
		return d.e.Copy()
	}
	return d.e.Array(func(int) error { return d.e.Copy() }, func() error { return d.e.Add(string(d.Tool.Define())) })
}
