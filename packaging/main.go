// Command packaging builds what a release consists of: for each system and processor
// an archive with the stripped program; packages of Debian and of RPM, and an image for
// containers, for Linux; licences, a bill of materials of each program, the provenance of all
// files, and checksums, which are signed.
//
// The same commit gives the same bytes, wherever it is built by the same Go: paths are
// left out, and every date is that of the commit (SOURCE_DATE_EPOCH,
// https://reproducible-builds.org/specs/source-date-epoch/).
//
// It knows nothing of how the program works; what it packs beside it the program itself
// has printed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

// every names what a release is built for.
const every = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("packaging", flag.ContinueOnError)
	out := flags.String("out", "dist", "directory that is made, for the files of the release")
	root := flags.String("root", ".", "the tree of the project")
	list := flags.String("targets", every, "systems and processors, as go tool dist list names them")
	dirty := flags.Bool("dirty", false, "build the tree as it lies there, also without a commit")
	if err := flags.Parse(args); err != nil {
		return err
	}
	targets, err := parseTargets(*list)
	if err != nil {
		return err
	}
	key, err := signer() // before the work, so that a wrong password costs none
	if err != nil {
		return err
	}
	r, err := newRelease(ctx, *root, *out, *dirty)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	if err := r.describe(ctx); err != nil {
		return err
	}
	for _, t := range targets {
		if err := r.make(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	if err := errors.Join(r.provenance(), r.sum()); err != nil {
		return err
	}
	if key == nil {
		fmt.Printf("The release is not signed: set %s and %s.\n", keyEnv, passwordEnv)
		return nil
	}
	return r.sign(key)
}

// target is a system and a processor.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// program is the name of the executable.
func (t target) program() string {
	if t.os == "windows" {
		return "linnet.exe"
	}
	return "linnet"
}

func parseTargets(list string) ([]target, error) {
	var out []target
	for name := range strings.SplitSeq(list, ",") {
		system, arch, ok := strings.Cut(strings.TrimSpace(name), "/")
		if !ok || !strings.Contains(","+every+",", ","+system+"/"+arch+",") {
			return nil, fmt.Errorf("--targets: there is no %q; those that are built are %s", name, every)
		}
		out = append(out, target{system, arch})
	}
	return out, nil
}

// make builds all that a target has.
func (r *release) make(ctx context.Context, t target) error {
	bin, err := r.build(ctx, t)
	if err != nil {
		return err
	}
	modules, err := readModules(bin)
	if err != nil {
		return err
	}
	licences, err := r.licences(ctx, modules)
	if err != nil {
		return err
	}
	if err := r.materials(t, modules); err != nil {
		return err
	}
	if err := r.archive(t, bin, licences); err != nil {
		return err
	}
	if t.os != "linux" {
		return nil
	}
	return errors.Join(r.packages(t, bin, licences), r.image(t, bin, licences))
}

// path is where a file of the release goes, by what its name ends with.
func (r *release) path(t target, ending string) string {
	return filepath.Join(r.out, fmt.Sprintf("linnet_%s_%s_%s%s", r.version, t.os, t.arch, ending))
}
