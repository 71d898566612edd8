package settings

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/internal/tokenizer"
	"github.com/kfw-dev/kfw/session"
)

// FileName is what a file of settings is called.
const FileName = "kfw.yaml"

const (
	mostYAML       = 128 << 10 // bytes of kfw.yaml: the lexer takes some 250 for each
	mostYAMLTokens = 20_000    // the parser takes the square of their number
	mostYAMLErrors = 10        // that are reported at once
)

// File is what a kfw.yaml says. All of it has been understood.
type File struct {
	path         string           // as messages name it
	Values       map[string]Value // by the name of the flag
	Drivers      map[string]*Driver
	capabilities map[string]*Capability
	Hooks        hosts.Policies
	KeepsSpill   bool // hooks leave the files of long outputs as they are
	Repeats      hosts.Repeats
	nested       []Row    // what drivers, capabilities and hooks say, in order
	named        []string // relative paths in it, in order, without the path of the session
	data         []byte
}

// Value is a value as a flag takes it.
type Value struct {
	text string
	list []string // the same, of a flag that takes a list
	at   string   // the file and the line; empty if there is no value
}

// Driver is a program that answers requests.
type Driver struct {
	Command   []string
	Streaming bool
	Timeout   time.Duration // 0 for none
}

// Capability is something that a driver can be asked for.
type Capability struct {
	Driver    string
	Operation string
	Timeout   time.Duration    // 0 for that of the driver
	values    map[string]Value // by the name of the flag
}

func hookKeys() []string { return []string{"policy", "budget", "floor"} }

func driverKeys() []string { return []string{"command", "streaming", "timeout"} }

func capabilityKeys() []string {
	return []string{"driver", "operation", "sensitivity", "allowed_fields", "mode", "budget", "timeout"}
}

// flagOf is the flag that a key of a capability is a value of, or empty.
func flagOf(capabilityKey string) string {
	switch capabilityKey {
	case "sensitivity", "mode", "budget":
		return capabilityKey
	case "allowed_fields":
		return "allow-fields"
	}
	return ""
}

// Files are the two kfw.yaml that there may be.
type Files struct {
	here      *File // in the working directory; nil for none
	user      *File // in the user's configuration; nil for none
	isTrusted bool  // the user has said that here counts
}

// Find reads kfw.yaml in the working directory and in the user's configuration. settable returns the flags that they
// may give a value.
func Find(settable func() *pflag.FlagSet) (files Files, err error) {
	userPath := ""
	if dir := ConfigDir(); dir != "" {
		userPath = filepath.Join(dir, "kfw", FileName)
	}
	if userPath != "" {
		if files.user, err = Read(userPath, settable()); err != nil {
			return files, err
		}
	}
	if SameFile(FileName, userPath) {
		return files, nil
	}
	if files.here, err = Read(FileName, settable()); err != nil || files.here == nil {
		return files, err
	}
	files.isTrusted, err = isTrusted(files.here)
	return files, err
}

// value returns what the files say of a flag that only a trusted file may set.
func (y *Files) value(flag string) Value {
	if y.here != nil && y.isTrusted && y.here.Values[flag].at != "" {
		return y.here.Values[flag]
	}
	if y.user != nil {
		return y.user.Values[flag]
	}
	return Value{}
}

// Capability returns a capability, the file that declares it, and whether that is trusted. Where both files declare one
// of that name, a trusted file in the working directory comes first, and one that is not comes last. It is nil if there
// is none.
func (y *Files) Capability(name string) (c *Capability, file *File, isTrusted bool) {
	all := []*File{y.user, y.here}
	if y.isTrusted {
		slices.Reverse(all)
	}
	for _, file := range all {
		if file != nil && file.capabilities[name] != nil {
			return file.capabilities[name], file, file == y.user || y.isTrusted
		}
	}
	return nil, nil, false
}

// CapabilityNames returns the names of the capabilities that the files declare, sorted.
func (y *Files) CapabilityNames() (names []string) {
	for _, file := range []*File{y.here, y.user} {
		if file != nil {
			names = slices.AppendSeq(names, maps.Keys(file.capabilities))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Read reads and understands a kfw.yaml, and tries its values with the flags that it may set. It returns nil if there
// is none.
func Read(path string, flags *pflag.FlagSet) (*File, error) {
	data, err := safefile.Read(path, safefile.Limit{Bytes: mostYAML})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if errors.Is(err, fs.ErrPermission) { // it may say that more is to be redacted
		return nil, fault.Usage(path+": "+err.Error(),
			"make it readable, or set XDG_CONFIG_HOME to a directory of yours")
	}
	if err != nil {
		return nil, fault.Usage(path+": "+err.Error(), "")
	}
	return parseYAML(path, data, flags)
}

// parseYAML understands a kfw.yaml that was read from path. Its errors name a line, a key that there is and a reason,
// and nothing that stands in the file.
func parseYAML(path string, data []byte, flags *pflag.FlagSet) (*File, error) {
	d := &yamlDecoder{flags: flags, file: &File{
		path:         path,
		data:         data,
		Values:       make(map[string]Value),
		Drivers:      make(map[string]*Driver),
		capabilities: make(map[string]*Capability),
	}}
	body, err := yamlBody(path, data)
	if err != nil {
		return nil, err
	}
	if body != nil {
		d.document(body)
	}
	if len(d.errs) > 0 {
		return nil, errors.Join(d.errs[:min(len(d.errs), mostYAMLErrors)]...)
	}
	return d.file, nil
}

// yamlBody returns the body of the only document of a file; nil if there is none.
func yamlBody(path string, data []byte) (body ast.Node, err error) {
	if !utf8.Valid(data) {
		return nil, fault.Usage(path+": not valid UTF-8", "")
	}
	defer func() {
		// What a parser panics with may quote what it read.
		if recover() != nil {
			body, err = nil, fault.Usage(path+": not valid YAML", "")
		}
	}()
	tokens := lexer.Tokenize(string(bytes.TrimPrefix(data, []byte("\ufeff"))))
	if len(tokens) > mostYAMLTokens {
		return nil, fault.Usage(fmt.Sprintf("%s: more than %d words", path, mostYAMLTokens), "")
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		where := path
		var at interface{ GetToken() *token.Token }
		if errors.As(err, &at) && at.GetToken() != nil {
			p := at.GetToken().Position
			where = fmt.Sprintf("%s:%d:%d", path, p.Line, p.Column)
		}
		return nil, fault.Usage(where+": not valid YAML", "")
	}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			return nil, fault.Usage(path+": more than one document", "")
		}
		body = doc.Body
	}
	return body, nil
}

// yamlDecoder goes through a document and notes all that is wrong with it.
type yamlDecoder struct {
	flags *pflag.FlagSet // to try values with
	file  *File
	errs  []error
}

func (d *yamlDecoder) at(node ast.Node) string {
	line := 1
	if t := node.GetToken(); t != nil {
		line = t.Position.Line
	}
	return d.file.path + ":" + strconv.Itoa(line)
}

func (d *yamlDecoder) fail(node ast.Node, what, hint string) {
	d.errs = append(d.errs, fault.Usage(d.at(node)+": "+what, hint))
}

// member is a key of a mapping and its value.
type member struct {
	name  string
	key   ast.Node
	value ast.Node
}

// members returns what a mapping holds. in begins errors: it names the mapping, unless that is the whole file.
func (d *yamlDecoder) members(node ast.Node, in string) (all []member) {
	var pairs []*ast.MappingValueNode
	switch n := node.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		d.fail(node, in+"not keys with values", "")
	}
	seen := make(map[string]bool)
	for _, pair := range pairs {
		name, ok := pair.Key.(*ast.StringNode)
		switch {
		case !ok || name.Value == "":
			d.fail(pair.Key, in+"a key is not text", "")
		case seen[name.Value]:
			d.fail(name, in+"a key that is there already", "")
		default:
			seen[name.Value] = true
			all = append(all, member{name.Value, name, pair.Value})
		}
	}
	return all
}

// unknown notes a key that is not one of keys.
func (d *yamlDecoder) unknown(m member, in string, keys []string) {
	d.fail(m.key, in+"unknown key", "the nearest known key is "+fault.Nearest(m.name, keys, 1)[0])
}

func (d *yamlDecoder) document(body ast.Node) {
	keys := topKeys(d.flags)
	var declared ast.Node // capabilities, which need the drivers to be known
	for _, m := range d.members(body, "") {
		switch {
		case m.name == "drivers":
			d.drivers(m.value)
		case m.name == "capabilities":
			declared = m.value
		case m.name == "hooks":
			d.hooks(m.value)
		case m.name == "spill":
			d.spill(m)
		case m.name == "repeats":
			d.repeats(m)
		case slices.Contains(keys, m.name):
			flag := strings.ReplaceAll(m.name, "_", "-")
			if v, ok := d.flagValue(m, m.name, flag); ok {
				switch flag {
				case "session": // which changes with each run
					switch {
					case !session.IsURL(v.text):
						v.text = besideFile(d.file.path, v.text)
					case d.file.path == FileName: // what is shown would go to whoever wrote the file
						d.fail(m.value, "session: a URL is taken from your own configuration only", "")
					}
				case "tokenizer":
					v.text = d.tokenizerBesideFile(v.text)
				case "judge":
					v.text = d.commandBesideFile(v.text)
				case "rules":
					for i := range v.list {
						v.list[i] = d.besideFile(v.list[i])
					}
				}
				d.file.Values[flag] = v
			}
		default:
			d.unknown(m, "", keys)
		}
	}
	if declared != nil {
		d.capabilities(declared)
	}
}

// besideFile returns a path that is relative to the directory of a file.
func besideFile(file, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(file), path)
}

// besideFile returns the place of a path in the file that is read. It notes the path if it is relative.
func (d *yamlDecoder) besideFile(path string) string {
	if path != "" && !filepath.IsAbs(path) {
		d.file.named = append(d.file.named, path)
	}
	return besideFile(d.file.path, path)
}

// noteArguments notes the arguments of a command that may be relative paths: the files are a part of what runs.
func (d *yamlDecoder) noteArguments(arguments []string) {
	for _, a := range arguments {
		if a != "" && !filepath.IsAbs(a) && !strings.HasPrefix(a, "-") {
			d.file.named = append(d.file.named, a)
		}
	}
}

// programBesideFile is besideFile for a program. Only one with a slash in its name has a place; others are looked for
// in PATH.
func (d *yamlDecoder) programBesideFile(program string) string {
	if !hasPlace(program) {
		return program
	}
	if program = d.besideFile(program); !hasPlace(program) {
		return "./" + program // or it would be looked for in PATH
	}
	return program
}

// hasPlace reports whether a name is a path of more than a base name.
func hasPlace(name string) bool {
	return strings.Contains(name, "/") || strings.ContainsRune(name, filepath.Separator)
}

// commandBesideFile is programBesideFile for a command line.
func (d *yamlDecoder) commandBesideFile(command string) string {
	program, arguments, _ := strings.Cut(command, " ")
	d.noteArguments(strings.Fields(arguments))
	return strings.TrimSpace(d.programBesideFile(program) + " " + arguments)
}

// tokenizerBesideFile is besideFile for the program or the file of a tokenizer.
func (d *yamlDecoder) tokenizerBesideFile(name string) string {
	argv, isProgram := tokenizer.Program(name)
	switch {
	case isProgram:
		argv[0] = d.programBesideFile(argv[0])
		d.noteArguments(argv[1:])
		return tokenizer.Command(argv)
	case hasPlace(name):
		return d.programBesideFile(name) // with a slash, or it would be taken for a model
	case tokenizer.IsFile(name):
		return d.besideFile(name)
	}
	return name
}

// topKeys are the keys of a kfw.yaml, given the flags that it may set.
func topKeys(flags *pflag.FlagSet) []string {
	keys := []string{"drivers", "capabilities", "hooks", "spill", "repeats"}
	flags.VisitAll(func(f *pflag.Flag) { keys = append(keys, Key(f.Name)) })
	return keys
}

func (d *yamlDecoder) drivers(node ast.Node) {
	for _, m := range d.members(node, "drivers: ") {
		driver := &Driver{}
		for _, m := range d.entry(m, "drivers") {
			switch m.short {
			case "command":
				driver.Command = d.command(m.member)
			case "streaming":
				driver.Streaming = d.text(m.member, "streaming", kindBool) == "true"
			case "timeout":
				driver.Timeout = d.timeout(m.member)
			default:
				d.unknown(m.member, "a driver: ", driverKeys())
				continue
			}
			d.note(m)
		}
		if len(driver.Command) == 0 && len(d.errs) == 0 {
			d.fail(m.key, "a driver has no command", "command: [PROGRAM, ARG]")
		}
		d.file.Drivers[m.name] = driver
	}
}

func (d *yamlDecoder) capabilities(node ast.Node) {
	for _, m := range d.members(node, "capabilities: ") {
		c := &Capability{values: make(map[string]Value)}
		for _, m := range d.entry(m, "capabilities") {
			switch {
			case m.short == "driver":
				c.Driver = d.text(m.member, "driver", KindText)
				if c.Driver != "" && d.file.Drivers[c.Driver] == nil {
					d.fail(m.value, "driver: drivers declares no such driver", "")
				}
			case m.short == "operation":
				c.Operation = d.text(m.member, "operation", KindText)
			case m.short == "timeout":
				c.Timeout = d.timeout(m.member)
			case flagOf(m.short) != "":
				if v, ok := d.flagValue(m.member, m.short, flagOf(m.short)); ok {
					c.values[flagOf(m.short)] = v
				}
			default:
				d.unknown(m.member, "a capability: ", capabilityKeys())
				continue
			}
			d.note(m)
		}
		if (c.Driver == "" || c.Operation == "") && len(d.errs) == 0 {
			d.fail(m.key, "a capability needs a driver and an operation", "")
		}
		d.file.capabilities[m.name] = c
	}
}

// hooks reads the policies of kfw hook, by the name of a tool or a pattern of names.
func (d *yamlDecoder) hooks(node ast.Node) {
	for _, m := range d.members(node, "hooks: ") {
		p := hosts.Policy{Pattern: m.name, Floor: -1}
		if !hosts.ValidPattern(m.name) {
			d.fail(m.key, "hooks: not a name or a pattern of names", "* is any text, ? any character: mcp__github__*")
		}
		for _, m := range d.entry(m, "hooks") {
			switch m.short {
			case "policy":
				var ok bool
				if p.Treatment, ok = hosts.ParseTreatment(d.text(m.member, "policy", KindText)); !ok {
					d.fail(m.value, "policy: unknown", "choose "+strings.Join(hosts.Treatments(), ", "))
				}
			case "budget":
				p.Budget = d.tokens(m.member, 1)
			case "floor":
				p.Floor = d.tokens(m.member, 0)
			default:
				d.unknown(m.member, "a policy: ", hookKeys())
				continue
			}
			d.note(m)
		}
		d.file.Hooks = append(d.file.Hooks, p)
	}
}

// spill reads what hooks do with the files that hosts put long outputs into.
func (d *yamlDecoder) spill(m member) {
	switch choice := d.text(m, "spill", KindText); choice {
	case "redact", "keep":
		d.file.KeepsSpill = choice == "keep"
		d.note(field{member: m, short: m.name, long: m.name})
	default:
		d.fail(m.value, "spill: unknown", "choose redact or keep")
	}
}

// repeats reads what hooks do with a result that the model was shown before.
func (d *yamlDecoder) repeats(m member) {
	var ok bool
	if d.file.Repeats, ok = hosts.ParseRepeats(d.text(m, "repeats", KindText)); !ok {
		d.fail(m.value, "repeats: unknown", "choose "+strings.Join(hosts.RepeatsNames(), " or "))
		return
	}
	d.note(field{member: m, short: m.name, long: m.name})
}

func (d *yamlDecoder) tokens(m member, least int) int {
	text := d.text(m, m.name, KindNumber)
	if text == "" {
		return 0
	}
	n, err := WholeNumber(least, math.MaxInt32)(text)
	if err != nil {
		d.fail(m.value, m.name+": "+err.Error(), "")
	}
	return n
}

// field is a key of a driver, a capability or a policy.
type field struct {
	member
	short string
	long  string // with what it belongs to
}

func (d *yamlDecoder) entry(m member, of string) (fields []field) {
	for _, f := range d.members(m.value, of+": ") {
		fields = append(fields, field{member: f, short: f.name, long: of + "." + m.name + "." + f.name})
	}
	return fields
}

// note keeps a value for kfw config.
func (d *yamlDecoder) note(f field) {
	text, list, kind := scalars(f.value)
	row := Row{Key: f.long, Value: text, Source: d.at(f.key)}
	switch {
	case f.short == "command":
		row.Value = Argv(list)
	case kind == KindList:
		row.Value = list
	case kind == kindBool:
		row.Value = text == "true"
	case kind == KindNumber:
		row.Value = json.Number(text)
	}
	d.file.nested = append(d.file.nested, row)
}

// command returns a program and its arguments. A program with a slash that is not absolute is relative to the file.
func (d *yamlDecoder) command(m member) []string {
	_, argv, kind := scalars(m.value)
	if kind != KindList || len(argv) == 0 || argv[0] == "" {
		d.fail(m.value, "command: not a list of a program and its arguments",
			"no shell splits it, and a number needs quotes: [PROGRAM, ARG, \"5\"]")
		return nil
	}
	argv[0] = d.programBesideFile(argv[0])
	d.noteArguments(argv[1:])
	return argv
}

func (d *yamlDecoder) timeout(m member) time.Duration {
	text := d.text(m, "timeout", KindDuration)
	if text == "" {
		return 0
	}
	timeout, err := PositiveDuration(text)
	if err != nil {
		d.fail(m.value, "timeout: "+err.Error(), "")
	}
	return timeout
}

// text returns a value that is no list. If it is not of this kind, text notes an error and returns nothing.
func (d *yamlDecoder) text(m member, what, kind string) string {
	text, _, got := scalars(m.value)
	if !suits(got, kind) {
		d.fail(m.value, what+": "+NotOfKind(kind), "")
		return ""
	}
	if text == "" {
		d.fail(m.value, what+": has no value", "")
	}
	return text
}

// flagValue returns the value of a flag. If it can't be one, flagValue notes an error and ok is false.
func (d *yamlDecoder) flagValue(m member, what, flag string) (v Value, ok bool) {
	f := d.flags.Lookup(flag)
	text, list, got := scalars(m.value)
	wanted := f.Value.Type()
	isList := wanted == KindList || wanted == kindFields || wanted == kindTexts
	switch {
	case got == "":
		d.fail(m.value, what+": has no value", "")
		return v, false
	case !suits(got, wanted), isList && text == "" && len(list) == 0:
		d.fail(m.value, what+": "+NotOfKind(wanted), "")
		return v, false
	case got == KindList:
		text = strings.Join(list, ",")
	case wanted == kindTexts:
		list = []string{text}
	case isList:
		var err error
		if list, err = csv.NewReader(strings.NewReader(text)).Read(); err != nil {
			d.fail(m.value, what+": "+NotOfKind(wanted), "")
			return v, false
		}
	}
	v = Value{text, list, d.at(m.key)}
	if err := setTo(f, v); err != nil {
		reason, hint := WhyNot(f, err)
		d.fail(m.value, what+": "+reason, hint)
		return v, false
	}
	return v, true
}

// suits reports whether a value of one kind can be one of another.
func suits(got, wanted string) bool {
	switch wanted {
	case KindList, kindFields, kindTexts:
		return got == KindList || got == KindText
	case KindDuration:
		return got == KindText
	case KindFactor:
		return got == KindFactor || got == KindNumber
	case KindSize:
		return got == KindText || got == KindNumber
	}
	return got == wanted
}

// scalars returns a value that is one word, or a list of words, and its kind: empty for null, and one that no flag has
// for everything else.
func scalars(node ast.Node) (text string, list []string, kind string) {
	switch n := node.(type) {
	case nil, *ast.NullNode:
		return "", nil, ""
	case *ast.StringNode:
		return n.Value, nil, KindText
	case *ast.LiteralNode:
		return n.Value.Value, nil, KindText
	case *ast.IntegerNode:
		return fmt.Sprint(n.Value), nil, KindNumber
	case *ast.FloatNode:
		return strconv.FormatFloat(n.Value, 'g', -1, 64), nil, KindFactor
	case *ast.BoolNode:
		return strconv.FormatBool(n.Value), nil, kindBool
	case *ast.SequenceNode:
		list = []string{}
		for _, value := range n.Values {
			text, _, kind := scalars(value)
			if kind != KindText {
				return "", nil, "something else"
			}
			list = append(list, text)
		}
		return "", list, KindList
	}
	return "", nil, "something else"
}
