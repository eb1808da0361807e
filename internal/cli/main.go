package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // time zones for systems without them

	"linnet/internal/backend"
	"linnet/internal/config"
	"linnet/internal/exit"
)

// Process contains what the operating system gives a process.
type Process struct {
	Args    []string // without the name of the program
	Environ []string // KEY=VALUE
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	program string // its path; "" if it is not to be run again
}

// Main runs the program and returns its exit code. The first signal stops it gracefully, the second
// immediately.
func Main() int {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	switch hup := syscall.SIGHUP; {
	case signal.Ignored(hup): // nohup
	case isTerminal(os.Stderr): // the terminal was closed
		signal.Notify(signals, hup)
	default: // there is no configuration to reload
		signal.Ignore(hup)
	}
	go func() {
		<-signals
		cancel()
		<-signals
		fmt.Fprintln(os.Stderr, "linnet: stopped immediately by a second signal")
		os.Exit(exit.Failed)
	}()
	program, err := os.Executable()
	if err != nil {
		program = "" // child processes are not available
	}
	return Run(ctx, Process{
		Args: os.Args[1:], Environ: os.Environ(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, program: program,
	})
}

// Run executes a command line and returns its exit code. When ctx ends, serve drains and other
// commands are cancelled.
func Run(ctx context.Context, p Process) int {
	err := dispatch(ctx, p)
	if err == nil {
		return exit.OK
	}
	fmt.Fprintf(&plainWriter{to: p.Stderr}, "linnet: %v\n", err)
	return exit.CodeOf(err)
}

// dispatch executes the command in p.Args.
func dispatch(ctx context.Context, p Process) error {
	if len(p.Args) > 0 && p.Args[0] == completeWord {
		return printSuggestions(p.Stdout, p.Args[1:])
	}
	if ok, err := backend.RunChild(p.Args, p.Stdin, p.Stdout, p.Stderr); ok {
		return err
	}
	line, err := parseLine(commands(), p.Args)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.Stdout)
	env := config.NewEnvironment(p.Environ)
	env.WarnUnknown(p.Stderr)
	c := &call{line: line, env: env, stdin: p.Stdin, stdout: p.Stdout, stderr: p.Stderr}
	if !line.cmd.raw {
		c.stdout = &plainWriter{to: p.Stdout}
	}
	if line.cmd.run != nil && line.cmd.bare {
		c.stdout = out // its Flush reports write errors
		return cmp.Or(line.cmd.run(ctx, c), out.Flush())
	}
	if c.cfg, err = config.Resolve(line.options, env); err != nil {
		return err
	}
	c.cfg.Program = p.program
	if line.cmd.run != nil {
		return line.cmd.run(ctx, c)
	}
	return runOnStore(ctx, c)
}
