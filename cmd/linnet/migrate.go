package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"linnet/internal/admin"
	"linnet/internal/store/accounts"
)

// engineEmbedded is how the embedded engine calls itself.
const engineEmbedded = "embedded"

// migrateOut says where the stores are, whatever directory the server is in, and has the one
// that is left moved by the server that has it, or else here.
func migrateOut(ctx context.Context, c *call) (err error) {
	for i := range c.line.args {
		if c.line.args[i], err = placeOfStore(c.cfg, c.line.args[i]); err != nil {
			return err
		}
	}
	from, err := c.cfg.withStore("FROM", c.args()[0], c.cfg.RedisPrefix)
	if err != nil {
		return err
	}
	to, err := c.target(c.cfg)
	if err != nil {
		return err
	}
	if from.storePlace() == to.storePlace() {
		return usage("FROM and TO are the same store", "")
	}
	if from.embedded() {
		c.cfg = from // whose server is asked
		if _, err := os.Stat(from.storeDir()); errors.Is(err, fs.ErrNotExist) {
			return &fault{code: exitNotFound, what: "there is no store in " + from.Data}
		}
		if s, err := askStatus(ctx, from.Data); err == nil && s.Store == engineEmbedded { // else it has another store
			return stoppedMove(ctx, sendOrder(ctx, c, order{Args: c.line.forwarded()}))
		}
	}
	log := slog.New(levelled{newLogger(c.cfg, c.stderr).Handler(), slog.LevelWarn})
	engine, err := openEngine(ctx, from, log)
	if err != nil {
		return err
	}
	b := &backend{cfg: from, engine: engine, fence: engine}
	if b.files, err = openFiles(ctx, from); err == nil {
		err = migrate(ctx, c, b)
	}
	return stoppedMove(ctx, errors.Join(err, engine.Close()))
}

// stoppedMove says what becomes of a migration that somebody has stopped.
func stoppedMove(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return &fault{code: exitFailed, what: "stopped before the end; the store was not moved, and servers keep using it", advice: "Run the same command again to continue."}
	}
	return err
}

// migrate moves the store of a backend.
func migrate(ctx context.Context, c *call, b *backend) error {
	to, err := c.target(b.cfg)
	if err != nil {
		return err
	}
	if to.embedded() {
		if s, err := askStatus(ctx, to.Data); err == nil && s.Store == engineEmbedded {
			return &fault{code: exitState, what: fmt.Sprintf("a server (PID %d) is running on %s", s.PID, to.Data), advice: "Stop it: the new store must be empty."}
		}
		if err := makeDataDir(to); err != nil {
			return err
		}
	}
	log := slog.New(levelled{newLogger(b.cfg, c.stderr).Handler(), slog.LevelWarn})
	engine, err := openUnfenced(ctx, to, log)
	if err != nil {
		return err
	}
	from := admin.Leaving{Engine: b.fence, Changes: b.fence.Changes, Quiet: b.fence.Quiet(), BriefQuiet: b.fence.BriefQuiet(), Files: b.files}
	into := admin.Entering{Engine: engine}
	if into.Files, err = openFiles(ctx, to); err == nil && into.Files.Where() == from.Files.Where() {
		from.Files, into.Files = nil, nil
	}
	var r *admin.Migrated
	if err == nil {
		r, err = admin.Migrate(ctx, from, into, admin.MigrateOptions{From: b.cfg.storePlace(), To: to.storePlace(), Scratch: b.cfg.scratchDir(), Progress: c.progress()})
	}
	err = errors.Join(err, engine.Close())
	switch {
	case err != nil:
		return moveFault("cannot move the store to "+to.storePlace(), err)
	case c.flag("json"):
		return printJSON(c.stdout, r)
	}
	if err := r.Print(c.stdout); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "Servers of the old store stop; start them with %s.\n", to.storeOptions())
	return err
}

// moveFault says which kind of failure it is.
func moveFault(what string, err error) error {
	f := &fault{code: exitCode(err), what: what, cause: err}
	for _, state := range []error{admin.ErrNotEmpty, admin.ErrOtherMove, accounts.ErrRestoring} {
		if errors.Is(err, state) {
			f.code = exitState
		}
	}
	if errors.Is(err, admin.ErrLost) {
		f.code = exitTemporary
	}
	if errors.As(err, new(accounts.ErrFormat)) || errors.As(err, new(accounts.ErrFilling)) || errors.As(err, new(accounts.ErrMoved)) {
		f.code = exitState
	}
	return f
}

// placeOfStore makes of what names a store a whole path or a URL: DIR, embedded (the one in
// the data directory), a URL, or @FILE with a URL.
func placeOfStore(c *config, text string) (string, error) {
	if file, ok := strings.CutPrefix(text, "@"); ok {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", &fault{code: exitUsage, what: "cannot read the URL of a store from " + file, cause: errors.Unwrap(err)}
		}
		text = strings.TrimSpace(string(data))
	}
	if strings.Contains(text, "://") {
		if _, err := parseStore(text); err != nil {
			return "", &fault{code: exitUsage, what: fmt.Sprintf("bad store %q", maskURL(text)), cause: err}
		}
		return text, nil
	}
	if text == "embedded" {
		return c.Data, nil
	}
	dir, err := filepath.Abs(text)
	if err != nil {
		return "", fmt.Errorf("find the directory of the store: %w", err)
	}
	return dir, nil
}

// withStore is the configuration with another store, which an argument names as placeOfStore
// does.
func (c *config) withStore(argument, place, prefix string) (*config, error) {
	other := *c
	other.storeFrom = argument
	if strings.Contains(place, "://") {
		other.Store, other.RedisPrefix = place, prefix
		return &other, nil
	}
	if !filepath.IsAbs(place) {
		return nil, usage(fmt.Sprintf("%q is not an absolute path", place), "")
	}
	other.Store, other.Data = "embedded", place
	return &other, nil
}

// target is the configuration with the store that takes the place of another.
func (c *call) target(of *config) (*config, error) {
	prefix, err := parseRedisPrefix(cmp.Or(c.line.flags["to-prefix"], of.RedisPrefix))
	if err != nil {
		return nil, &fault{code: exitUsage, what: "bad value for --to-prefix", cause: err}
	}
	return of.withStore("TO", c.args()[1], prefix)
}

// storePlace says where the store is, without secrets.
func (c *config) storePlace() string {
	if c.embedded() {
		return c.Data
	}
	place := maskURL(c.Store)
	if c.RedisPrefix != "" {
		place += " (prefix " + c.RedisPrefix + ")"
	}
	return place
}

// storeOptions are those by which servers find the store, without secrets.
func (c *config) storeOptions() string {
	if c.embedded() {
		return "--store embedded --data " + c.Data
	}
	options := "--store " + maskURL(c.Store)
	if c.RedisPrefix != "" {
		options += " --redis.prefix " + c.RedisPrefix
	}
	return options
}
