// Package redact takes secrets and personal data out of a stream of JSON, of
// text, or of both, in constant memory and however the stream is cut.
//
// The way of a byte, from the outside in:
//
//	rules.go      Options, and the Rules that are compiled from them
//	reader.go     Reader: buffers, sticky errors, the format
//	select.go     the allow list: drops the fields of a record that were not asked for
//	value.go      where a value ends that is kept or dropped, and where it is broken
//	clean.go      the fast path: whole lines that hold nothing
//	lexer.go      JSON as a sequence of tokens: what is a key, a string, a number, a broken line
//	jsonlines.go  JSON that goes over lines of text
//	leaves.go     which scalars go of an object or a list under a sensitive name
//	text.go       Text: one decoded text; finds matches, holds back what may still become one
//	known.go      names that were read before, and are not read again
//	escape.go     characters that are written in another way than they read
//	packed.go     text in base64 or in hexadecimal digits
//	nested.go     JSON in a string, or in a line of text
//	automaton.go  the automaton that finds the anchors of all rules in one pass
//	catalogue.go  the rules, one entry each, and what each of them matches
//	list.go       the same, to be shown
//	providers.go  the tokens that providers give a fixed part, one entry each
//	services.go   the same of further services
//	wallets.go    keys of wallets and of networks
//	token.go      the form of a rule for tokens with a fixed prefix
//	keyed.go      the form for values named by the text before them (password=...)
//	markup.go     such values in elements of XML and HTML
//	given.go      what is all of such a value, and whether it is a secret
//	made.go       whether a word looks made by a machine
//	mention.go    what a text and a program have where the value of a name would be
//	persons.go    names of persons in several words
//	code.go       what a program and a row of fields have after or in place of a value
//	flow.go       where a marker needs quotes in YAML
//	operand.go    what tells that such a value is a part of an expression or of a syntax
//	othernames.go names that are less usual, and in other languages
//	names.go      which names are sensitive, shared by keyed text and by JSON keys
//	auth.go       what follows the words Bearer and Basic
//	near.go       the form for words made by a machine near the name of a secret
//	table.go      values whose name stands in the header of a table
//	carry.go      values whose name stands in a line before: YAML, forms
//	numbers.go    cards, bank accounts and social security numbers
//	nationalids.go numbers that states give to persons
//	phones.go     telephone numbers, and the rows of numbers that look like some
//	e164.go       how long telephone numbers are, by country
//	numbering.go  equal secrets, equal numbers
//	place.go      where in the input a match is
//	address.go    e-mail addresses, passwords in URLs
//	synopsis.go   where the command lines of programs have secrets: one table, and the forms that read it
//	argument.go   command lines that are lists of strings, of YAML, or go on over lines
//	commandline.go command lines that are known to be some, as kfw stores and shows them
//	command.go    logons of Oracle, settings of daemons and routers, statements of SQL
//	reason.go     why there is a match
//	block.go      private keys: unbounded, swallowed line by line
//	rulefile.go   RuleFile: the rules of a gitleaks config and of what it extends
//	rulesource.go the lines of that config, for its errors
//	pattern.go    the form of its rules: an expression that is asked near its anchors
//	literals.go   the anchors of an expression: texts that every match holds
//	allowlist.go  what such a config says is no secret after all
//	fields.go     the names of fields that the caller chose
//	kinds.go      classes of bytes
//
// Four things hold for all of it. What is a match is a function of the text
// alone, never of the cuts. A rule is asked only where one of its anchors
// stands, and looks at a bounded stretch around it. A match that grows past
// that stretch is swallowed by state. And no error or message quotes the input.
package redact
