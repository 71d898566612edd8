// Package detect holds the detectors: the tokens of providers and services, numbers of cards, accounts, phones and
// persons, addresses, credentials of programs. What comes in is a window of a text with an anchor in it; what goes
// out is a finding. A detector is an entry of a list of rules; a new one is one entry more.
package detect
