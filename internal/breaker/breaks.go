package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// brokenLine is a file with one place that says something else.
type brokenLine struct {
	file string
	line int
	what string // old -> new
	text []byte
}

func (b brokenLine) String() string {
	name := b.file
	if at, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(at, b.file); err == nil {
			name = short
		}
	}
	return fmt.Sprintf("%s:%d  %s", name, b.line, b.what)
}

// others are operators and what each is broken to.
var others = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.LAND: "||", token.LOR: "&&",
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*",
	token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.OR_ASSIGN: "&=",
	token.INC: "--", token.DEC: "++",
}

// breaks returns the ways to break a file, each in one place.
func breaks(file string) (all []brokenLine, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	replace := func(from, to token.Pos, with string) {
		i, j := set.Position(from).Offset, set.Position(to).Offset
		said, _, more := strings.Cut(string(text[i:j]), "\n")
		if more {
			said += " ..."
		}
		b := brokenLine{file: file, line: set.Position(from).Line, what: said + " -> " + with}
		if with == "" {
			b.what = "without " + said
		}
		b.text = append(append(append(b.text, text[:i]...), with...), text[j:]...)
		all = append(all, b)
	}
	operator := func(at token.Pos, op token.Token) {
		if with := others[op]; with != "" {
			replace(at, at+token.Pos(len(op.String())), with)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl: // constants, types and tables
			return false
		case *ast.BinaryExpr:
			operator(n.OpPos, n.Op)
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.AssignStmt:
			operator(n.TokPos, n.Tok)
			if n.Tok == token.ASSIGN {
				replace(n.Pos(), n.End(), "")
			}
		case *ast.ExprStmt:
			replace(n.Pos(), n.End(), "")
		}
		return true
	})
	return all, nil
}
