package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"linnet/internal/admin"
)

// check reads the whole store and says what is wrong in it. With breaches it
// fails, so that scripts notice.
func check(ctx context.Context, c *call, b *backend) error {
	r, err := admin.Check(ctx, b.svc, admin.CheckOptions{Progress: c.progress()})
	if err != nil {
		return fmt.Errorf("cannot check the store: %w", err)
	}
	if c.flag("json") {
		err = printJSON(c.stdout, r)
	} else {
		err = r.Print(c.stdout)
	}
	if n := r.Count[admin.Breach]; err == nil && n > 0 {
		return &fault{code: exitFailed, what: fmt.Sprintf("the store has %d breaches", n), advice: "docs/admin/troubleshoot.md explains them."}
	}
	return err
}

// progress tells on standard error how far the command has come.
func (c *call) progress() *admin.Progress { return admin.NewProgress(c.stderr, isTerminal(c.stderr)) }

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
