// Command packaging builds the files of a release. For each system and processor it builds an
// archive with the stripped program and a bill of materials. For Linux it adds Debian and RPM
// packages and a container image. It adds licences, the provenance of all files, and signed
// checksums.
//
// The same commit results in the same bytes wherever the same Go release builds it. Paths are
// removed, and all dates are the date of the commit (SOURCE_DATE_EPOCH,
// https://reproducible-builds.org/specs/source-date-epoch/).
//
// The command does not depend on the code of the program. The program prints the documents that are
// packed with it.
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

// every is the list of all targets.
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
	key, err := signer() // before the build, so that a wrong password is reported early
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

// target is an operating system and a processor.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// program returns the name of the executable.
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
			return nil, fmt.Errorf("--targets: there is no %q: choose from %s", name, every)
		}
		out = append(out, target{system, arch})
	}
	return out, nil
}

// make builds all files of a target.
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

// path returns the path of a file of the release with the given ending.
func (r *release) path(t target, ending string) string {
	return filepath.Join(r.out, fmt.Sprintf("linnet_%s_%s_%s%s", r.version, t.os, t.arch, ending))
}
