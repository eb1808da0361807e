// Command linnet is a self-hosted microblogging server and the tools to operate it.
package main

import (
	"os"

	"linnet/internal/cli"
)

func main() { os.Exit(cli.Main()) }
