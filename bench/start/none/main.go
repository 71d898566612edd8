// None is what any program takes to start and to write a line.
package main

import "os"

func main() { os.Stdout.WriteString("3\n") }
