package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"linnet/internal/admin"
	"linnet/internal/backend"
	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/internal/server"
	"linnet/internal/store/instance"
)

// engineEmbedded is the name of the embedded engine.
const engineEmbedded = "embedded"

// migrateCommand makes the locations of the stores absolute. The server of the source store runs the
// migration, or else this process does.
func migrateCommand(ctx context.Context, c *call) (err error) {
	for i := range c.line.args {
		if c.line.args[i], err = storeLocation(c.cfg, c.line.args[i]); err != nil {
			return err
		}
	}
	from, err := c.cfg.WithStore("FROM", c.args()[0], c.cfg.RedisPrefix)
	if err != nil {
		return err
	}
	to, err := c.target(c.cfg)
	if err != nil {
		return err
	}
	if from.StoreLocation() == to.StoreLocation() {
		return exit.UsageError("FROM and TO are the same store", "")
	}
	if from.Embedded() {
		c.cfg = from // the server of this store runs the command
		if _, err := os.Stat(from.StoreDir()); errors.Is(err, fs.ErrNotExist) {
			return &exit.Error{Code: exit.NotFound, What: "there is no store in " + from.Data}
		}
		if s, err := server.ReadStatus(ctx, from.Data); err == nil && s.Store == engineEmbedded { // otherwise that server has another store
			return migrateCancelled(ctx, server.Send(ctx, c.cfg.Data, server.Command{Args: c.line.forwarded()}, c.stdout, c.stderr))
		}
	}
	log := warnings(newLogger(c.cfg, c.stderr))
	engine, err := backend.OpenEngine(ctx, from, log)
	if err != nil {
		return err
	}
	b := &backend.Backend{Config: from, Engine: engine, Fence: engine}
	if b.Files, err = backend.OpenFiles(ctx, from); err == nil {
		err = migrateOnStore(ctx, c, b)
	}
	return migrateCancelled(ctx, errors.Join(err, engine.Close()))
}

// migrateCancelled replaces the error of a cancelled migration by one that says how to continue.
func migrateCancelled(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return &exit.Error{Code: exit.Failed, What: "the move was interrupted: the store was not moved, and servers keep using it", Advice: "Run the same command again to continue."}
	}
	return err
}

// migrateOnStore moves the store of b.
func migrateOnStore(ctx context.Context, c *call, b *backend.Backend) error {
	to, err := c.target(b.Config)
	if err != nil {
		return err
	}
	if to.Embedded() {
		if s, err := server.ReadStatus(ctx, to.Data); err == nil && s.Store == engineEmbedded {
			return &exit.Error{Code: exit.State, What: fmt.Sprintf("a server (PID %d) is running with the data directory %s", s.PID, to.Data), Advice: "Choose another directory: the new store must be empty."}
		}
		if err := to.MakeDataDir(); err != nil {
			return err
		}
	}
	log := warnings(newLogger(b.Config, c.stderr))
	engine, err := backend.OpenUnfenced(ctx, to, log)
	if err != nil {
		return err
	}
	from := admin.Leaving{Engine: b.Fence, Changes: b.Fence.Changes, Quiet: b.Fence.Quiet(), BriefQuiet: b.Fence.BriefQuiet(), Files: b.Files}
	into := admin.Entering{Engine: engine}
	if into.Files, err = backend.OpenFiles(ctx, to); err == nil && into.Files.Where() == from.Files.Where() {
		from.Files, into.Files = nil, nil
	}
	var r *admin.Migrated
	if err == nil {
		r, err = admin.Migrate(ctx, from, into, admin.MigrateOptions{From: b.Config.StoreLocation(), To: to.StoreLocation(), Scratch: b.Config.TempDir(), Progress: c.progress()})
	}
	err = errors.Join(err, engine.Close())
	switch {
	case err != nil:
		return migrateError("cannot move the store to "+to.StoreLocation(), err)
	case c.flag("json"):
		return printJSON(c.stdout, r)
	}
	if err := r.Print(c.stdout); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "Servers of the old store are stopping. Start them with %s.\n", to.StoreOptions())
	return err
}

// migrateError sets the exit code for an error of a migration.
func migrateError(what string, err error) error {
	f := &exit.Error{Code: exit.CodeOf(err), What: what, Cause: err}
	for _, state := range []error{admin.ErrNotEmpty, admin.ErrOtherMove, instance.ErrRestoring} {
		if errors.Is(err, state) {
			f.Code = exit.State
		}
	}
	if errors.Is(err, admin.ErrLost) {
		f.Code = exit.Temporary
	}
	if errors.As(err, new(instance.ErrFormat)) || errors.As(err, new(instance.ErrFilling)) || errors.As(err, new(instance.ErrMoved)) {
		f.Code = exit.State
	}
	return f
}

// storeLocation returns the absolute path or the URL of a store. text is a directory, a URL,
// "embedded" for the store in the data directory, or @FILE with a URL.
func storeLocation(c *config.Config, text string) (string, error) {
	if file, ok := strings.CutPrefix(text, "@"); ok {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", &exit.Error{Code: exit.Usage, What: "cannot read the URL of a store from " + file, Cause: errors.Unwrap(err)}
		}
		text = strings.TrimSpace(string(data))
	}
	if strings.Contains(text, "://") {
		if _, err := config.ParseStore(text); err != nil {
			return "", &exit.Error{Code: exit.Usage, What: fmt.Sprintf("invalid store %q", config.MaskURL(text)), Cause: err}
		}
		return text, nil
	}
	if text == engineEmbedded {
		return c.Data, nil
	}
	dir, err := filepath.Abs(text)
	if err != nil {
		return "", fmt.Errorf("find the directory of the store: %w", err)
	}
	return dir, nil
}

// target returns the configuration with the target store.
func (c *call) target(of *config.Config) (*config.Config, error) {
	prefix, err := config.ParseRedisPrefix(cmp.Or(c.line.flags["to-prefix"], of.RedisPrefix))
	if err != nil {
		return nil, &exit.Error{Code: exit.Usage, What: "invalid value for --to-prefix", Cause: err}
	}
	return of.WithStore("TO", c.args()[1], prefix)
}
