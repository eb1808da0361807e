package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"linnet/internal/linnet"
)

// dataCommands are those about what people take along and bring with them.
func dataCommands() []command {
	return []command{
		{name: "user export", args: "NAME [WHAT]", min: 1, max: 2, run: userExportOut, act: userExport,
			flags: []flagSpec{{name: "to", arg: "FILE", help: "Write to a file that only you can read, instead of standard output"}},
			help:  "Export what somebody may take along: archive, a ZIP file of all posts as Mastodon makes it, or a CSV file: " + strings.Join(csvWords(), ", ")},
		{name: "user import", args: "NAME FILE", min: 2, max: 2, run: userImportIn, act: userImport,
			flags: []flagSpec{{name: "json", help: "Print JSON"}},
			help:  "Import an archive of posts of Mastodon's (ZIP or tar.gz) or X's, formerly Twitter (ZIP), for somebody; the server goes on with it if the command is broken off"},
	}
}

func csvWords() (out []string) {
	for _, k := range linnet.CSVKinds() {
		out = append(out, string(k))
	}
	return out
}

// exported is what a line of "user export" asks for.
func exported(args []string) (string, error) {
	if len(args) == 1 {
		return "archive", nil
	}
	all := append([]string{"archive"}, csvWords()...)
	for _, w := range all {
		if args[1] == w {
			return w, nil
		}
	}
	return "", usage(fmt.Sprintf("unknown export %q", args[1]), didYouMean(args[1], all, "", "It is one of "+strings.Join(all, ", ")+"."))
}

// userExportOut writes an export to the file that --to names. The file is written by this
// process, with the rights of whoever typed the command, also if a server makes the export.
func userExportOut(ctx context.Context, c *call) error {
	what, err := exported(c.args())
	if err != nil {
		return err
	}
	path := c.line.flags["to"]
	delete(c.line.flags, "to")
	if path == "" {
		return runOnStore(ctx, c)
	}
	err = c.writeFile(ctx, path, "--to")
	if err == nil {
		_, err = fmt.Fprintf(c.stdout, "wrote %s of %s to %s\n", what, c.args()[0], path)
	}
	return err
}

// writeFile executes a command that prints, and writes what it prints to a file in place of
// the terminal: whole, or not at all.
func (c *call) writeFile(ctx context.Context, path, flag string) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // with mode 0600
	if err != nil {
		return &fault{code: exitUsage, what: "cannot write " + path, cause: err, from: "flag " + flag}
	}
	defer os.Remove(f.Name()) // fails once it has its name
	defer f.Close()
	told := c.stdout
	w := bufio.NewWriter(f)
	c.stdout = w
	defer func() { c.stdout = told }()
	if err := runOnStore(ctx, c); err != nil {
		return err
	}
	if err = w.Flush(); err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func userExport(ctx context.Context, c *call, b *backend) error {
	what, err := exported(c.args())
	if err != nil {
		return err
	}
	if err := b.svc.Archives.Exported(ctx, linnet.Operator(), c.args()[0], what, c.stdout); err != nil {
		return refused(fmt.Sprintf("cannot export %s of %q", what, c.args()[0]), err)
	}
	return nil
}
