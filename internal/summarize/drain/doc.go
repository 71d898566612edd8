// Package drain groups lines by template, as Drain does (He et al., ICWS 2017): lines whose words have
// the same templates, or differ in few places, are one. Masked lines come in; templates go out, each with
// how often it came, its words, and for each place its numbers or its few words. It also counts the
// phrases that lines share.
//
// All tables are bounded: past them, lines are counted but have no template, and what is counted of a
// template that came late is an estimate.
package drain
