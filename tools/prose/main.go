// Command prose measures how much of a text reads like a translation.
//
//	cd tools && go run ./prose [--max PERCENT] [--quiet] FILE...
//
// It prints the share of offending sentences for each file, followed by the sentences. The
// extension of a file determines which text it reads. This is the prose of .md files, message ids
// of .po files, comments of .go and .templ files, and otherwise each line. The file - is standard
// input.
//
// With --max it exits with 1 if a file exceeds that share. With --subjects the files contain commit
// subjects, one per line; it prints those without the form "package: imperative" and exits with 1.
//
// With --ceilings the files are Go files. It exits with 1 if the comments of a directory exceed the
// percentage in the given file, or 3 % without an entry. With --update it lowers these ceilings.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("prose", flag.ContinueOnError)
	limit := flags.Float64("max", 100, "fail if more than this `percentage` of a file's sentences offends")
	subjects := flags.Bool("subjects", false, "check commit subjects, one per line")
	ceilings := flags.String("ceilings", "", "check the comments of Go files by directory against this `file`")
	update := flags.Bool("update", false, "lower the ceilings to the present shares")
	quiet := flags.Bool("quiet", false, "print only files above the maximum")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name at least one file")
	}
	if *ceilings != "" {
		above, err := checkCeilings(*ceilings, flags.Args(), *update, out)
		if err == nil && above > 0 {
			err = fmt.Errorf("%d directories are above their ceiling: rewrite comments there", above)
		}
		return err
	}
	above := 0
	for _, name := range flags.Args() {
		data, err := read(name, in)
		if err != nil {
			return err
		}
		if *subjects {
			above += printSubjects(out, string(data))
			continue
		}
		r := check(sentences(name, string(data)))
		exceeds := r.share() > *limit
		if exceeds {
			above++
		}
		if *quiet && !exceeds {
			continue
		}
		fmt.Fprintf(out, "%5.1f %%  %d of %d  %s\n", r.share(), len(r.offending), r.sentences, name)
		for _, s := range r.offending {
			fmt.Fprintf(out, "\t%s\n", s)
		}
	}
	if above > 0 && *subjects {
		return fmt.Errorf("%d commit subjects need to be rewritten", above)
	}
	if above > 0 {
		return fmt.Errorf("%d files have more than %g %% of offending sentences: rewrite the sentences above", above, *limit)
	}
	return nil
}

func read(name string, in io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(in)
	}
	return os.ReadFile(name)
}

// printSubjects prints the wrong ones of some commit subjects and returns their number.
func printSubjects(out io.Writer, text string) (wrong int) {
	for subject := range strings.Lines(text) {
		subject = strings.TrimSpace(subject)
		if fault := subjectFault(subject); subject != "" && fault != "" {
			wrong++
			fmt.Fprintf(out, "%s: %s\n", subject, fault)
		}
	}
	return wrong
}
