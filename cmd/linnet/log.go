package main

import (
	"io"
	"log/slog"
	"time"
)

// newLogger makes the one logger of the process.
func newLogger(c *config, w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogJSON {
		return slog.New(newOutageHandler(slog.NewJSONHandler(w, opts), time.Now))
	}
	return slog.New(newOutageHandler(slog.NewTextHandler(w, opts), time.Now))
}
