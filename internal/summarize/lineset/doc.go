// Package lineset holds the lines of a response: the templates that they have, what is known of those
// that came before, the blocks and sections that they are in, and the candidates for outliers. A masked
// line comes in; what it stands out by goes to the candidates.
//
// It keeps a bounded number of templates, known lines and candidates.
package lineset
