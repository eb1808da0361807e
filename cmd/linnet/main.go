package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // zones that people choose are known where the system has none
)

// process is what the operating system gives a command.
type process struct {
	args    []string // without the program's name
	environ []string // KEY=VALUE
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	program string // its path; "" if it is not to be run again
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	switch hup := syscall.SIGHUP; {
	case signal.Ignored(hup): // as nohup has it
	case isTerminal(os.Stderr): // which was closed
		signal.Notify(signals, hup)
	default: // there is nothing to be read anew while it runs
		signal.Ignore(hup)
	}
	go func() {
		<-signals
		cancel()
		<-signals
		fmt.Fprintln(os.Stderr, "linnet: stopped immediately by a second signal")
		os.Exit(exitFailed)
	}()
	os.Exit(run(ctx, process{
		args: os.Args[1:], environ: os.Environ(),
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, program: thisProgram(),
	}))
}

// run executes one command line and returns its exit code. ctx ends when the
// program is asked to stop; serve then drains, other commands break off.
func run(ctx context.Context, p process) int {
	err := dispatch(ctx, p)
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(&plainWriter{to: p.stderr}, "linnet: %v\n", err)
	return exitCode(err)
}

// dispatch finds the command that p names and runs it.
func dispatch(ctx context.Context, p process) error {
	if len(p.args) > 0 && p.args[0] == completeWord {
		return printSuggestions(p.stdout, p.args[1:])
	}
	if len(p.args) > 1 && p.args[0] == limitedWord {
		return runLimited(p.args[1:])
	}
	if len(p.args) == 2 && p.args[0] == pictureWord {
		return workOnPicture(p, p.args[1])
	}
	line, err := parseLine(commands(), p.args)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.stdout)
	env := newEnvironment(p.environ)
	env.warnUnknown(p.stderr)
	c := &call{line: line, env: env, stdin: p.stdin, stdout: p.stdout, stderr: p.stderr}
	if !line.cmd.raw {
		c.stdout = &plainWriter{to: p.stdout}
	}
	if line.cmd.run != nil && line.cmd.bare {
		c.stdout = out // it says whether anything could not be written
		return cmp.Or(line.cmd.run(ctx, c), out.Flush())
	}
	if c.cfg, err = resolve(line.options, env); err != nil {
		return err
	}
	c.cfg.program = p.program
	if line.cmd.run != nil {
		return line.cmd.run(ctx, c)
	}
	return runOnStore(ctx, c)
}
