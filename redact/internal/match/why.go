package match

import "github.com/kfw-dev/kfw/redact/internal/names"

// What rules go by, as a report tells it.
const (
	ByForm     = "by its form"
	AfterName  = "after a name"
	OfKey      = "value of a key"
	InColumn   = "in a column with a name in its header"
	OnCommand  = "on a command line"
	InBase64   = "in base64 or hexadecimal digits"
	InURL      = "in a URL"
	NearName   = "near a name"
	OfRuleFile = "by a rule of a file"
	InKeyBlock = "in a private key"
)

// CarriedReasons tells where the value of a name is that an earlier line has, by names.CarriedHow.
var CarriedReasons = [...]string{
	names.Below: "below a name", names.InBlock: "in a block below a name", names.NextItem: "item after a name",
	names.SameMap: "value of a pair with a name", names.AfterBlank: "part of a form with a name",
	names.NextLine:     "part of a form with a name",
	names.InCollection: AfterName,
	names.DataBelow:    "data of a Secret", names.InBlockOfHCL: "in a variable of HCL with a name",
	names.NextWord: "on the line after a name",
	names.InEntry:  "in an entry of a .netrc", names.InDigits: InKeyBlock,
}
