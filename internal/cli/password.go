package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"linnet/internal/exit"
)

// password reads a new password: from LINNET_PASSWORD or the file in LINNET_PASSWORD_FILE, from two
// hidden prompts at a terminal, or from a line of standard input. It is never an argument, because
// other users of the machine can read arguments.
func (c *call) password(ctx context.Context) (string, error) {
	text, source, err := c.env.Secret("LINNET_PASSWORD")
	if err != nil || source != "" {
		return text, err
	}
	if f, ok := c.stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fd := int(f.Fd())
		first, err := c.prompt(ctx, fd, "Password: ")
		if err != nil {
			return "", err
		}
		again, err := c.prompt(ctx, fd, "Once more: ")
		if err != nil {
			return "", err
		}
		if first != again {
			return "", exit.UsageError("the two passwords differ", "Nothing was changed.")
		}
		return first, nil
	}
	line, err := bufio.NewReader(io.LimitReader(c.stdin, 4096)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password from standard input: %w", err)
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", exit.UsageError("no password on standard input", "Write the password to standard input as one line, or set LINNET_PASSWORD_FILE to a file that contains it.")
	}
	return line, nil
}

// prompt reads a line from the terminal without echoing it. If ctx ends, it restores the terminal,
// because reading cannot be cancelled.
func (c *call) prompt(ctx context.Context, fd int, text string) (string, error) {
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("prompt for the password: %w", err)
	}
	type answer struct {
		line []byte
		err  error
	}
	got := make(chan answer, 1)
	fmt.Fprint(c.stderr, text)
	go func() {
		line, err := term.ReadPassword(fd)
		got <- answer{line, err}
	}()
	select {
	case a := <-got:
		fmt.Fprintln(c.stderr)
		if a.err != nil {
			return "", fmt.Errorf("prompt for the password: %w", a.err)
		}
		return string(a.line), nil
	case <-ctx.Done():
		fmt.Fprintln(c.stderr)
		return "", errors.Join(ctx.Err(), term.Restore(fd, before))
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
