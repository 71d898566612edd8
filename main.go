// kfw is a context firewall: it stands between a tool and a language model.
package main

import (
	"os"

	"github.com/kfw-dev/kfw/cmd"
)

func main() { os.Exit(cmd.Main()) }
