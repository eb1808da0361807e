package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// flags returns the options of the store as flags of the program.
func (r *run) flags() []string {
	var flags []string
	for name, value := range r.store {
		flags = append(flags, "--"+name, value)
	}
	return flags
}

// command runs another command of the program on the store and returns its output.
func (r *run) command(ctx context.Context, words ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, r.opt.Program, append(words, r.flags()...)...)
	cmd.Dir = r.opt.Dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("linnet %v: %w: %.500s", words, err, errs.Bytes())
	}
	return out.Bytes(), nil
}

// report contains the used fields of the report of linnet check.
type report struct {
	Keys  int64 `json:"keys"`
	Tasks int64 `json:"tasks"`
	Count struct {
		Breach  int64 `json:"problem"`
		Pending int64 `json:"pending"`
	} `json:"count"`
	Findings []struct {
		Severity string `json:"severity"`
		Rule     string `json:"rule"`
		Key      string `json:"key"`
		Text     string `json:"text"`
	} `json:"findings"`
}

func (r *run) check(ctx context.Context) (p report, err error) {
	out, err := r.command(ctx, "check", "--json")
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && len(out) > 0) { // the exit code is an error if there is a breach
		return p, err
	}
	if err := json.Unmarshal(out, &p); err != nil {
		return p, fmt.Errorf("read the report of linnet check: %w", err)
	}
	return p, nil
}

// temporary reports whether a command has exited with EX_TEMPFAIL, because the store was
// unavailable.
func temporary(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 75
}

// drain checks the store until no tasks are left, and reports the problems found then.
func (r *Round) drain(ctx context.Context) error {
	began := time.Now()
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 3*time.Second) {
		p, err := r.run.check(ctx)
		busy := temporary(err) && time.Since(began) < drainTime
		if err != nil && !busy {
			return err
		}
		if busy {
			p.Count.Pending = 1
		}
		if p.Tasks == 0 && p.Count.Pending == 0 || p.Count.Breach > 0 && time.Since(began) > drainTime/4 {
			r.Drained, r.Checked = time.Since(began), p.Keys
			r.breaches(p)
			return nil
		}
		if time.Since(began) > drainTime {
			list, _ := r.run.command(ctx, "tasks", "list", "--json") // tasks that were given up
			r.problem("%d tasks remain after %v; failed: %s", p.Tasks, drainTime, list)
			r.breaches(p)
			return nil
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// breaches records the findings of a check. It counts stray feed entries separately: a batch that
// read the followers before an unfollow can push after it. Such entries are never shown, which the
// checks of the homes prove.
func (r *Round) breaches(p report) {
	for _, f := range p.Findings {
		switch {
		case strings.HasSuffix(f.Text, "does not belong in the feed"):
			r.Strays++
		case f.Severity != "note":
			r.problem("check: %s %s %s: %s", f.Severity, f.Rule, f.Key, f.Text)
		}
	}
}
