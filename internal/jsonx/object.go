package jsonx

import "errors"

// Object calls member for each member of the next value, an object, after its name. member takes the value: it copies,
// drops or replaces it. end, if not nil, is called before the object ends: it may Add to it. name is valid until member
// does anything; one longer than maxName is cut, and its member can't be dropped.
func (e *Editor) Object(member func(name []byte) error, end func() error) error {
	return e.members('{', '}', func(int) error {
		if err := e.readName(); err != nil {
			return err
		}
		c, err := e.space()
		if err != nil {
			return err
		}
		if c != ':' {
			return e.wrong("no colon after a name")
		}
		e.mark(c)
		if _, err := e.Kind(); err != nil {
			return err
		}
		return member(e.name)
	}, end)
}

// Array calls element for each element of the next value, an array, as Object does for members; i is from 0.
func (e *Editor) Array(element func(i int) error, end func() error) error {
	return e.members('[', ']', element, end)
}

func (e *Editor) members(open, shut byte, member func(i int) error, end func() error) error {
	c, err := e.space()
	if err != nil {
		return err
	}
	if c != open {
		return e.wrong("a value that is none")
	}
	if e.depth == maxDepth {
		return e.wrong("nested too deep")
	}
	e.mark(c)
	if err := e.Keep(); err != nil {
		return err
	}
	e.depth++
	written := false
	for i := 0; ; i++ {
		c, err := e.space()
		if err != nil {
			return err
		}
		if c == shut {
			break
		}
		e.written = &written
		if i > 0 {
			if c != ',' {
				return e.wrong("no comma after a value")
			}
			e.comma = len(e.lead)
			e.mark(c)
		}
		if _, err := e.space(); err != nil {
			return err
		}
		if err := member(i); err != nil {
			return err
		}
	}
	if end != nil {
		e.written = &written
		lead := e.lead
		e.lead = nil
		if err := end(); err != nil {
			return err
		}
		e.lead, e.written = lead, nil
	}
	e.mark(shut)
	e.depth--
	e.comma = -1
	return e.Keep()
}

// Add writes another member, or element, at the end of the current object or array, in the call of its end: the bytes
// given, and then what the caller writes to Out.
func (e *Editor) Add(begin string) error {
	if e.written == nil {
		return errors.New("jsonx: Add outside of the end of an object or array")
	}
	if *e.written {
		begin = "," + begin
	}
	*e.written = true
	_, err := e.out.Write([]byte(begin))
	return err
}

// readName takes a name into lead, and what it means into e.name.
func (e *Editor) readName() error {
	c, err := e.space()
	if err != nil {
		return err
	}
	if c != '"' {
		return e.wrong("a name that is no string")
	}
	e.scan.start(e.depth) // a string is a value, too
	begin := len(e.lead)
	isLong := false
	for !e.scan.ended() {
		b, err := e.next()
		if err != nil {
			return err
		}
		if !isLong {
			room := max(0, begin+maxName-len(e.lead))
			e.lead = append(e.lead, b[:min(room, len(b))]...)
			if len(b) > room {
				isLong = true
				e.name = append(e.name[:0], e.lead[begin:]...)
				if err := e.Keep(); err != nil {
					return err
				}
				if _, err := e.out.Write(b[room:]); err != nil {
					return err
				}
			}
		} else if _, err := e.out.Write(b); err != nil {
			return err
		}
		e.take(len(b))
	}
	if !isLong {
		e.name = AppendUnescaped(e.name[:0], e.lead[begin+1:len(e.lead)-1])
	}
	return nil
}
