package pipeline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/chunktest"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/redact"
)

// shapesWithNames are responses of which a summary or a table shows names, besides
// kindsOfResponses.
var shapesWithNames = map[string]func(r *rand.Rand, n int) string{
	"opened document": func(r *rand.Rand, n int) string {
		return joined(r, 8*n, `{"total":8,"page":{"n":1,"of":null},"items":[`, someDocument, ",", `],"after":"x"}`)
	},
	"opened map": func(r *rand.Rand, n int) string {
		return joined(r, 20*n, `{"kind":"L","parts":{`, member, ",", `},"size":1}`)
	},
	"map by name": func(r *rand.Rand, n int) string { return joined(r, n, `{`, member, ",", `}`) },
	"arrays in arrays": func(r *rand.Rand, n int) string {
		return joined(r, n, `{"data":{"result":[`, func(r *rand.Rand, i int) string {
			return fmt.Sprintf(`{"metric":{"job":"j%d"},"values":[[%d,"%d.5"],[%d,"1.5"]]}`, i, 1700000000+i,
				r.IntN(9), 1700000001+i)
		}, ",", "]}}")
	},
	"columns and rows": func(r *rand.Rand, n int) string {
		return joined(r, n, `{"columns":["at","host name","a.b"],"rows":[`, func(r *rand.Rand, i int) string {
			return fmt.Sprintf(`[%d,"h%d",%d.25]`, 1700000000+i, r.IntN(4), r.IntN(99))
		}, ",", `],"took":7}`)
	},
	"boxed rows": func(r *rand.Rand, n int) string {
		return joined(r, n, `{"schema":{"fields":[{"name":"at","type":"INT"},{"name":"host","type":"STRING"}]},"rows":[`, func(r *rand.Rand, i int) string {
			return fmt.Sprintf(`{"f":[{"v":"%d"},{"v":"h%d"}]}`, 1700000000+i, r.IntN(4))
		}, ",", `]}`)
	},
	"tree": func(r *rand.Rand, n int) string {
		var plan func(n int) string
		plan = func(n int) string {
			if n < 2 {
				return fmt.Sprintf(`{"Node Type":"%s","Rows":%d}`, pick(r, states), r.IntN(99))
			}
			return fmt.Sprintf(`{"Node Type":"%s","Rows":%d,"Plans":[%s,%s,%s]}`, pick(r, states), r.IntN(99),
				plan(n/3), plan(n/3), plan(n/3))
		}
		return `[{"Plan":` + plan(n) + `,"Planning Time":0.5}]`
	},
	"tree of maps": func(r *rand.Rand, n int) string {
		var parts func(n int) string
		parts = func(n int) string {
			if n < 13 {
				return "{}"
			}
			return joined(r, 13, "{", func(r *rand.Rand, i int) string {
				return fmt.Sprintf(`"part-%d-%d":{"version":"%d.1","url":"https://r.test/%d","dependencies":%s}`, n,
					i, r.IntN(9), r.IntN(99), parts(n/13))
			}, ",", "}")
		}
		return `{"name":"x","version":"1","dependencies":` + parts(max(n, 13)) + "}"
	},
	"records in records": func(r *rand.Rand, n int) string {
		return joined(r, n/8, "", func(r *rand.Rand, i int) string {
			return joined(r, 9, fmt.Sprintf(`{"repo":"r%d","issues":[`, i), someRecord, ",", "]}")
		}, "\n", "\n")
	},
	"payload": func(r *rand.Rand, n int) string {
		text := encode.JSON{}.Append(nil,
			&encode.Frame{Raw: encode.Raw{IsText: true, Data: []byte(joined(r, n, "[", someRecord, ",", "]"))}})
		return `{"content":[{"type":"text","text":` + gjson.GetBytes(text, "data").Raw + `}],"isError":false}`
	},
	"CSV": func(r *rand.Rand, n int) string {
		return joined(r, n, "id,name,amount,unit price,state\n", func(r *rand.Rand, i int) string {
			return fmt.Sprintf(`%d,"n, %d",%d.50,%d,%s`, i, i%9, r.IntN(99), r.IntN(9), pick(r, states))
		}, "\n", "\n")
	},
	"pods": func(r *rand.Rand, n int) string {
		return joined(r, n, "NAMESPACE   NAME          READY   STATUS           RESTARTS   CPU(cores)   AGE\n",
			func(r *rand.Rand, i int) string {
				return fmt.Sprintf("default     pod-%-8d  1/1     %-15s  %-9d  %dm          %dd", i, pick(r, states),
					r.IntN(4), r.IntN(99), r.IntN(30))
			}, "\n", "\n")
	},
	"listing": func(r *rand.Rand, n int) string {
		return joined(r, n, "", func(r *rand.Rand, i int) string {
			return fmt.Sprintf("-rw-r--r-- 1 ann staff %6d Mar %2d 10:%02d file%d.txt", r.IntN(99999), 1+r.IntN(28),
				r.IntN(60), i)
		}, "\n", "\n")
	},
	"logfmt": func(r *rand.Rand, n int) string {
		return joined(r, n, "", func(r *rand.Rand, i int) string {
			return fmt.Sprintf(`time=2026-01-02T03:04:%02d level=info msg="%s" http.took_ms=%d`, i%60,
				pick(r, states), r.IntN(300))
		}, "\n", "\n")
	},
	"access log": func(r *rand.Rand, n int) string {
		return joined(r, n, "", func(r *rand.Rand, i int) string {
			return fmt.Sprintf(`192.0.2.%d - - [02/Jan/2026:15:04:%02d +0000] "GET /i/%d HTTP/1.1" %d %d`,
				r.IntN(9), i%60, i, 200+300*r.IntN(2), r.IntN(9999))
		}, "\n", "\n")
	},
	"names and values": func(r *rand.Rand, n int) string {
		return joined(r, n, "", func(r *rand.Rand, i int) string {
			return fmt.Sprintf("Package: p%d\nVersion: 1.%d\nInstalled-Size: %d\n", i, r.IntN(7), r.IntN(999))
		}, "\n", "\n")
	},
	"pairs after text": func(r *rand.Rand, n int) string {
		return joined(r, n, "", func(r *rand.Rand, i int) string {
			return fmt.Sprintf("served the request in=%dms user=u%d", r.IntN(300), r.IntN(7))
		}, "\n", "\n")
	},
}

// shownName is a name that a frame shows, and the place that it is seen from.
type shownName struct {
	at, name string
	isNull   bool // no record is known to have another value than null there
}

// shownIn returns the names that frames show of values.
func shownIn(out string) (all []shownName) {
	add := func(n shownName) {
		isNumbered := strings.HasPrefix(n.name, "$") // of a part of a table, whose header may be in another
		if !isNumbered && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	for frame := range strings.Lines(out) {
		at := ""
		for _, facts := range append(gjson.Get(frame, "sections.#.facts").Array(), gjson.Get(frame, "facts")) {
			at = facts.Get("at").Str
			for _, of := range []string{"fields", "around", "keys"} {
				facts.Get(of).ForEach(func(name, fact gjson.Result) bool {
					n := shownName{name: name.Str,
						isNull: slices.Contains([]string{"null", "[]", "{}"}, fact.Get("const").Raw)}
					fact.Get("values").ForEach(func(value, _ gjson.Result) bool {
						n.isNull = n.isNull || slices.Contains([]string{"null", "[]", "{}"}, value.Str)
						return true
					})
					n.isNull = n.isNull || !slices.ContainsFunc([]string{"const", "values", "top", "top~", "min",
						"from", "distinct"}, func(of string) bool {
						return fact.Get(of).Exists()
					})
					if of == "fields" {
						n.at = at
					}
					add(n)
					return true
				})
			}
			for _, of := range []string{"other_fields", "other_around"} {
				for _, name := range facts.Get(of).Array() {
					parent, names, isShared := strings.Cut(strings.TrimSuffix(name.Str, "}"), ".{")
					for one := range strings.SplitSeq(names, ",") {
						n := shownName{name: name.Str, isNull: true}
						if isShared {
							n.name = parent + "." + one
						}
						if of == "other_fields" {
							n.at = at
						}
						add(n)
					}
				}
			}
		}
		at = ""
		columns := gjson.Get(frame, "columns").Array()
		for _, column := range columns {
			if path := column.Get("@path"); path.Exists() {
				at = path.Str
			}
		}
		for _, column := range columns {
			if column.Type == gjson.String {
				add(shownName{at, column.Str, true})
				continue
			}
			column.ForEach(func(name, value gjson.Result) bool {
				switch name.Str {
				case "@path", "@missing":
				case "@around":
					value.ForEach(func(name, _ gjson.Result) bool {
						add(shownName{"", name.Str, true})
						return true
					})
				default:
					add(shownName{at, name.Str, value.Raw == "null"})
				}
				return true
			})
		}
	}
	return all
}

// matching returns how many chunks a filter lets pass, as kfw expand does with or without --at.
func matching(t *testing.T, all []chunktest.Kept, at string, f *query.Filter) (n int, err error) {
	chunks := chunktest.Page(all, 0)
	places := []*query.Place{nil}
	if at != "" {
		place, err := query.ParsePlace(at, testinput.PlainRules(t))
		if err != nil {
			return 0, err
		}
		if err := place.Known(chunks); err != nil {
			return 0, err
		}
		places[0] = place
	} else {
		places = append(places, query.Places(chunks, testinput.PlainRules(t))...)
	}
	for _, place := range places {
		of := chunks
		if place != nil {
			of = query.Elements(chunks, place)
		}
		known := f.Known(of)
		if err = errors.Join(err, known); known != nil {
			continue
		}
		for c := range query.Where(of, f) {
			if c.Seq > 0 {
				n++
			}
		}
		return n, nil
	}
	return 0, err
}

// TestShownNamesAreFound: every name of a value that a table or a summary shows is one that expand
// finds, as it stands.
func TestShownNamesAreFound(t *testing.T) {
	t.Parallel()
	shapes := map[string]func(r *rand.Rand, n int) string{}
	for _, all := range []map[string]func(r *rand.Rand, n int) string{kindsOfResponses, shapesWithNames} {
		for name, shape := range all {
			shapes[name] = shape
		}
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown := 0
			for _, size := range []int{150, 25, 900}[:testdepth.Cases(3)] {
				data := []byte(shape(rand.New(rand.NewPCG(17, uint64(size))), size))
				all := chunktest.Of(t, data, nil, redact.Auto, 0, false)
				all = slices.DeleteFunc(all, func(c chunktest.Kept) bool { return c.Seq == 0 })
				seen := map[shownName]bool{}
				for _, tokens := range []int{300, 700, 3000} {
					out, _ := filtered(t, data, tokens, 0, encode.JSON{}, nil)
					for _, n := range shownIn(out) {
						if seen[n] {
							continue
						}
						seen[n] = true
						shown++
						for _, f := range [][2]string{{n.name, ""}, {"", n.name + "!=null"}} {
							filter, err := filterOf(some(f[0]), some(f[1]), nil, testinput.PlainRules(t))
							count := 0
							if err == nil {
								count, err = matching(t, all, n.at, filter)
							}
							if err != nil || count == 0 && (f[0] != "" || !n.isNull) {
								t.Errorf("%d records, %d tokens, at %q: %q%q: %d chunks, %v", size, tokens, n.at,
									f[0], f[1], count, err)
							}
						}
					}
				}
			}
			if shown == 0 && shapesWithNames[name] != nil && testdepth.All() {
				t.Error("no name is shown")
			}
		})
	}
}

func some(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
