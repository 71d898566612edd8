package encode

import "slices"

// NumberedFrom returns an encoding that counts chunks from before+1 on. It is for one text of several that share a
// handle, which holds the chunks of the texts before it as well.
func NumberedFrom(e Encoding, before int) Encoding { return numberedFrom{e, before} }

type numberedFrom struct {
	Encoding
	before int // chunks
}

// Append implements Encoding.
func (n numberedFrom) Append(dst []byte, f *Frame) []byte {
	shifted := *f
	if f.First > 1 {
		shifted.First += n.before
		shifted.Last += n.before
	}
	shifted.Notable = slices.Clone(f.Notable)
	for i := range shifted.Notable {
		shifted.Notable[i].Chunk += n.before
	}
	return n.Encoding.Append(dst, &shifted)
}
