package budget

// class is what the split patterns tell apart of code points.
type class uint8

const (
	other   class = iota // what is in none of the classes below: symbols, controls, what is not assigned
	space                // White_Space but newline
	newline              // CR and LF
	number               // \p{N}
	upper                // \p{Lu}, \p{Lt}
	lower                // \p{Ll}
	letter               // \p{Lm}, \p{Lo}
	mark                 // \p{M}
)

// classBlocks is how many blocks of 256 code points there are: the first bytes of the table of classes say for each of
// them which of the blocks after them has its classes.
const classBlocks = 0x110000 / 256

// classes are those of Unicode 16.0.0, which the regular expressions of the official encoder follow.
type classes struct {
	table string
	ascii [128]class
}

func newClasses(table string) classes {
	c := classes{table: table}
	for i := range c.ascii {
		c.ascii[i] = class(table[classBlocks+i])
	}
	return c
}

// at returns the class of the code point at text[i:], which must be valid UTF-8, and its length in bytes.
func (c *classes) at(text []byte, i int) (class, int) {
	if b := text[i]; b < 0x80 {
		return c.ascii[b], 1
	}
	return c.wideAt(text[i:])
}

func (c *classes) wideAt(text []byte) (class, int) {
	var r uint32
	var size int
	switch b := text[0]; {
	case b < 0xE0:
		r, size = uint32(b&0x1F)<<6|uint32(text[1]&0x3F), 2
	case b < 0xF0:
		_ = text[2]
		r, size = uint32(b&0x0F)<<12|uint32(text[1]&0x3F)<<6|uint32(text[2]&0x3F), 3
	default:
		_ = text[3]
		r, size = uint32(b&0x07)<<18|uint32(text[1]&0x3F)<<12|uint32(text[2]&0x3F)<<6|uint32(text[3]&0x3F), 4
	}
	block := int(c.table[r>>8])
	return class(c.table[classBlocks+block<<8+int(r&0xFF)]), size
}
