package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"linnet/internal/backend"
	"linnet/internal/exit"

	"linnet/internal/linnet"
)

// dataCommands are those about what people take along and bring with them.
func dataCommands() []command {
	return []command{
		{name: "user export", args: "NAME [WHAT]", min: 1, max: 2, run: userExportOut, act: userExport, raw: true,
			flags: []flagSpec{{name: "to", arg: "FILE", help: "Write to a private file, not standard output"}},
			help:  "Export an account's posts or lists", details: "WHAT is archive (all posts and media as a Mastodon ZIP archive, the default) or a CSV file: " + strings.Join(csvWords(), ", ") + "."},
		{name: "user import", args: "NAME FILE", min: 2, max: 2, run: userImportIn, act: userImport,
			flags: []flagSpec{
				{name: "visibility", arg: "WORD", help: "Upper limit for the visibility of posts", details: "WORD is public, unlisted or private. For archives from X the default is unlisted, or private if the account is protected."},
				{name: "json", help: "Print JSON"}},
			help: "Import posts from Mastodon or X (Twitter)", details: "FILE is an archive from Mastodon (ZIP or tar.gz) or X (ZIP). The server continues the import if the command is interrupted."},
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
	return "", exit.UsageError(fmt.Sprintf("unknown export %q", args[1]), exit.DidYouMean(args[1], all, "", "It is one of "+strings.Join(all, ", ")+"."))
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
// the terminal: whole, or not at all. A device, a pipe, and
// what is open already (/dev/stdout) are written as they are; a link is followed.
func (c *call) writeFile(ctx context.Context, path, flag string) error {
	out, err := createOutput(path)
	if err != nil {
		return &exit.Error{Code: exit.Usage, What: "cannot write " + path, Cause: err, Source: "flag " + flag}
	}
	defer out.discard()
	told := c.stdout
	w := bufio.NewWriter(out.f)
	c.stdout = w
	defer func() { c.stdout = told }()
	if err := runOnStore(ctx, c); err != nil {
		return err
	}
	if err = w.Flush(); err == nil {
		err = out.keep()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// output is a file that has its name when it is whole.
type output struct {
	f    *os.File
	name string // that it is to have; "": it has it
}

// createOutput begins the file at a path.
func createOutput(path string) (*output, error) {
	to, err := followLinks(path)
	switch {
	case err != nil:
		return nil, err
	case to.descriptor > 0:
		f, err := duplicate(to.descriptor, path)
		return &output{f: f}, err
	case to.opened:
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		return &output{f: f}, err
	}
	st, err := os.Stat(path)
	switch {
	case err == nil && !st.Mode().IsRegular(): // what it is called need not be where it lies
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &output{f: f}, err
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(to.path), "."+filepath.Base(to.path)+".*") // with mode 0600
	return &output{f, to.path}, err
}

// maxLinks is how many links are followed, as systems do.
const maxLinks = 40

// target is what a path leads to, which need not be there.
type target struct {
	path       string // without links before its last part
	opened     bool   // a process has it open, and goes on writing where it is
	descriptor int    // under which that is this process; 0: it is not
}

// followLinks is what a path leads to. Where a part of it is a link, ".." leads to what is above
// the end of the link.
func followLinks(path string) (target, error) {
	for range maxLinks {
		dir, base := filepath.Split(path)
		if dir == "" {
			dir = "."
		}
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return target{}, err
		}
		path = filepath.Join(dir, base)
		if n, err := strconv.Atoi(base); err == nil && filepath.Base(dir) == "fd" && (dir == "/dev/fd" || strings.HasPrefix(dir, "/proc/")) {
			if dir != "/dev/fd" && !strings.HasPrefix(dir, fmt.Sprintf("/proc/%d/", os.Getpid())) {
				n = 0
			}
			return target{path, true, n}, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return target{path: path}, nil // it is no link; what it is shows as it is opened
		}
		if !filepath.IsAbs(to) {
			to = dir + string(filepath.Separator) + to // not cleaned: that goes by names alone
		}
		path = to
	}
	return target{}, fmt.Errorf("%s: too many links", path)
}

// keep gives it its name, with all that was written on disk.
func (o *output) keep() error {
	if o.name == "" {
		return o.f.Close()
	}
	if err := o.f.Sync(); err != nil {
		return err
	}
	return os.Rename(o.f.Name(), o.name)
}

// discard removes it, if it was not kept.
func (o *output) discard() {
	_ = o.f.Close()
	if o.name != "" {
		_ = os.Remove(o.f.Name()) // it has gone if it was kept
	}
}

func userExport(ctx context.Context, c *call, b *backend.Backend) error {
	what, err := exported(c.args())
	if err != nil {
		return err
	}
	if err := b.App.Archives.Exported(ctx, linnet.Operator(), c.args()[0], what, c.stdout); err != nil {
		return refused(fmt.Sprintf("cannot export %s of %q", what, c.args()[0]), err)
	}
	return nil
}
