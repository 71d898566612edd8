// Command npm makes npm packages from the programs that goreleaser built. Each system and processor
// gets a package with its program. The package @kfw-dev/kfw depends on all of them and starts the one
// that fits.
//
//	go run ./internal/release/npm DIST VERSION OUT
//
// DIST is the dist/ directory of goreleaser, VERSION has the form 1.2.3. Each package becomes a
// directory below OUT, ready for npm publish. No package runs a script at installation.
package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed kfw.js
var shim []byte

// target is a system that there is a program for.
type target struct{ goos, goarch, platform, cpu string }

var targets = []target{
	{"linux", "amd64", "linux", "x64"}, {"linux", "arm64", "linux", "arm64"},
	{"darwin", "amd64", "darwin", "x64"}, {"darwin", "arm64", "darwin", "arm64"},
	{"windows", "amd64", "win32", "x64"}, {"windows", "arm64", "win32", "arm64"},
}

// manifest is a package.json: https://docs.npmjs.com/cli/v11/configuring-npm/package-json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Repository  string            `json:"repository"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Files       []string          `json:"files"`
	Bin         map[string]string `json:"bin,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: npm DIST VERSION OUT")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "npm:", err)
		os.Exit(1)
	}
}

// pack writes all packages for which there is a program.
func pack(dist, version, out string) error {
	whole := manifest{Name: "@kfw-dev/kfw", Version: version, Description: "a context firewall for agent tool output",
		License: "Apache-2.0", Repository: "github:kfw-dev/kfw", Files: []string{"bin"},
		Bin: map[string]string{"kfw": "bin/kfw.js"}, Optional: make(map[string]string),
		Engines: map[string]string{"node": ">=18"}}
	for _, t := range targets {
		name := "kfw"
		if t.goos == "windows" {
			name += ".exe"
		}
		found, err := filepath.Glob(filepath.Join(dist, "kfw_"+t.goos+"_"+t.goarch+"*", name))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		one := whole
		one.Name += "-" + t.platform + "-" + t.cpu
		one.Description += ": the program for " + t.platform + " on " + t.cpu
		one.OS, one.CPU, one.Bin, one.Optional, one.Engines = []string{t.platform}, []string{t.cpu}, nil, nil, nil
		program, err := os.ReadFile(found[0])
		if err != nil {
			return err
		}
		if err := write(filepath.Join(out, "kfw-"+t.platform+"-"+t.cpu), one, name, program); err != nil {
			return err
		}
		whole.Optional[one.Name] = version
	}
	if len(whole.Optional) == 0 {
		return fmt.Errorf("%s: no program in it", dist)
	}
	return write(filepath.Join(out, "kfw"), whole, "kfw.js", shim)
}

// write writes one package.
func write(dir string, m manifest, name string, program []byte) error {
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "bin", name), program, 0o755)
}
