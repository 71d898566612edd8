// Command npm makes npm packages from the programs that goreleaser built. Each system and processor
// gets a package with its program. The package @kfw-dev/kfw depends on all of them and starts the one
// that fits.
//
//	go run ./internal/release/npm DIST VERSION OUT
//
// DIST is the dist/ directory of goreleaser, VERSION has the form 1.2.3. Each package becomes a
// directory below OUT, ready for npm publish. No package runs a script at installation.
// OUT/server.json is for mcp-publisher: it names the package and the image in the MCP registry.
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
	MCPName     string            `json:"mcpName,omitempty"` // by which the MCP registry knows that the package is ours
}

// server is a server.json of the MCP registry.
type server struct {
	Schema      string            `json:"$schema"`
	Name        string            `json:"name"`
	Title       string            `json:"title"`
	Description string            `json:"description"` // at most 100 characters
	Repository  map[string]string `json:"repository"`
	Version     string            `json:"version"`
	Packages    []serverPackage   `json:"packages"`
}

type serverPackage struct {
	RegistryType string            `json:"registryType"`
	Identifier   string            `json:"identifier"`
	Version      string            `json:"version,omitempty"`
	RuntimeHint  string            `json:"runtimeHint"`
	Transport    map[string]string `json:"transport"`
	Arguments    []argument        `json:"packageArguments"`
}

type argument struct {
	Type        string `json:"type"`
	Value       string `json:"value,omitempty"`
	ValueHint   string `json:"valueHint,omitempty"`
	Description string `json:"description,omitempty"`
	IsRequired  bool   `json:"isRequired,omitempty"`
	IsRepeated  bool   `json:"isRepeated,omitempty"`
}

// registryName is the name of kfw in the MCP registry.
const registryName = "io.github.kfw-dev/kfw"

// registered returns the server.json of a version. The npm package stands in front of a server that is a program of
// this machine. The image, in which there is no other program, stands in front of one that speaks HTTP.
func registered(version string) server {
	fixed := func(value string) argument { return argument{Type: "positional", Value: value} }
	stdio := map[string]string{"type": "stdio"}
	return server{
		Schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		Name:   registryName, Title: "kfw", Version: version,
		Description: "Stands in front of an MCP server: redacts its results and fits them to a token budget",
		Repository:  map[string]string{"url": "https://github.com/kfw-dev/kfw", "source": "github"},
		Packages: []serverPackage{
			{RegistryType: "npm", Identifier: "@kfw-dev/kfw", Version: version, RuntimeHint: "npx", Transport: stdio,
				Arguments: []argument{fixed("mcp"), fixed("--"), {Type: "positional", ValueHint: "server",
					Description: "the MCP server: its program and arguments", IsRequired: true, IsRepeated: true}}},
			{RegistryType: "oci", Identifier: "ghcr.io/kfw-dev/kfw:" + version, RuntimeHint: "docker", Transport: stdio,
				Arguments: []argument{fixed("mcp"), fixed("--state"), fixed("/tmp"), fixed("--url"), {Type: "positional",
					ValueHint: "url", Description: "the address of the MCP server", IsRequired: true}}},
		},
	}
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
		Engines: map[string]string{"node": ">=18"}, MCPName: registryName}
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
		one.MCPName = ""
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
	if err := write(filepath.Join(out, "kfw"), whole, "kfw.js", shim); err != nil {
		return err
	}
	return writeJSON(filepath.Join(out, "server.json"), registered(version))
}

func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// write writes one package.
func write(dir string, m manifest, name string, program []byte) error {
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(dir, "package.json"), m); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "bin", name), program, 0o755)
}
