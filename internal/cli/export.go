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

// dataCommands returns the commands for exports and imports of an account.
func dataCommands() []command {
	return []command{
		{name: "user export", args: "NAME [WHAT]", min: 1, max: 2, run: userExportCommand, act: userExport, raw: true,
			flags: []flagSpec{{name: "to", arg: "FILE", help: "Write to a file that only you can read"}},
			help:  "Export an account's data", details: "WHAT is archive (the default: all posts and media as a Mastodon ZIP archive), feeds (the followed external feeds as OPML) or the name of a CSV file: " + strings.Join(csvWords(), ", ") + "."},
		{name: "user import", args: "NAME FILE", min: 2, max: 2, run: importCommand, act: userImport,
			flags: []flagSpec{
				{name: "visibility", arg: "VISIBILITY", help: "Maximum visibility of imported posts", details: "VISIBILITY is public, unlisted or private (followers only). Default for archives from X: unlisted, or private if the account is protected."},
				{name: "json", help: "Print JSON"}},
			help: "Import posts from Mastodon or X (Twitter)", details: "FILE is an archive from Mastodon (ZIP or tar.gz) or X (ZIP). If the command is interrupted, the server continues the import."},
	}
}

func csvWords() (out []string) {
	for _, k := range linnet.CSVKinds() {
		out = append(out, string(k))
	}
	return out
}

// exportKind returns the kind of export in the arguments of "user export".
func exportKind(args []string) (string, error) {
	if len(args) == 1 {
		return "archive", nil
	}
	all := append([]string{"archive", string(linnet.FeedsOPML)}, csvWords()...)
	for _, w := range all {
		if args[1] == w {
			return w, nil
		}
	}
	return "", exit.UsageError(fmt.Sprintf("unknown export %q", args[1]), exit.DidYouMean(args[1], all, "", "Choose one of "+strings.Join(all, ", ")+"."))
}

// userExportCommand writes the export to the file in --to. This process writes it, with the permissions
// of its user, even if a server creates the export.
func userExportCommand(ctx context.Context, c *call) error {
	what, err := exportKind(c.args())
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

// writeFile executes a command and writes its output to a file instead of the terminal. A regular
// file is written completely or not at all. Devices, pipes and open files such as /dev/stdout are
// written directly. Links are followed.
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
		err = out.commit()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// output is a file that gets its name when it is complete.
type output struct {
	f    *os.File
	name string // that it is to have; "": it has it
}

// createOutput opens the file at a path for writing.
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
	case err == nil && !st.Mode().IsRegular(): // the name of a device or pipe can differ from its path
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &output{f: f}, err
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(to.path), "."+filepath.Base(to.path)+".*") // with mode 0600
	return &output{f, to.path}, err
}

// maxLinks limits how many links are followed, as in operating systems.
const maxLinks = 40

// target is the file that a path leads to. It need not exist.
type target struct {
	path       string // without links in its directories
	opened     bool   // a process has it open and writes at its position
	descriptor int    // descriptor in this process; 0: none
}

// followLinks resolves the links of a path. After a link, ".." means the parent of its target.
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
			return target{path: path}, nil // no link: opening it reports other errors
		}
		if !filepath.IsAbs(to) {
			to = dir + string(filepath.Separator) + to // not cleaned, because Clean resolves ".." without following links
		}
		path = to
	}
	return target{}, fmt.Errorf("%s: too many links", path)
}

// commit syncs the file and gives it its name.
func (o *output) commit() error {
	if o.name == "" {
		return o.f.Close()
	}
	if err := o.f.Sync(); err != nil {
		return err
	}
	return os.Rename(o.f.Name(), o.name)
}

// discard closes the file, and deletes it if commit was not called.
func (o *output) discard() {
	_ = o.f.Close()
	if o.name != "" {
		_ = os.Remove(o.f.Name()) // fails after commit
	}
}

func userExport(ctx context.Context, c *call, b *backend.Backend) error {
	what, err := exportKind(c.args())
	if err != nil {
		return err
	}
	if err := b.App.Archives.Exported(ctx, linnet.Operator(), c.args()[0], what, c.stdout); err != nil {
		return refused(fmt.Sprintf("cannot export %s of %q", what, c.args()[0]), err)
	}
	return nil
}
