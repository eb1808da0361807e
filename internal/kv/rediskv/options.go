package rediskv

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"time"

	"linnet/internal/kv"
)

// Options adjusts an Engine. The zero value is ready to use.
type Options struct {
	// Prefix stands before every key and channel, for a server shared with
	// other programs or installations. At most 64 printable characters,
	// without braces.
	Prefix string
	// WaitReplicas is how many replicas have to acknowledge a transaction
	// before it is acknowledged. With fewer its outcome is kv.ErrUnknown, and
	// Ping fails with ErrFewReplicas.
	WaitReplicas int
	// WaitTimeout bounds the wait for replicas; half of Timeout if 0.
	WaitTimeout time.Duration
	// ReplicasWithin bounds how long Open waits for WaitReplicas replicas to be in
	// step, of every master; it does not wait if 0.
	ReplicasWithin time.Duration
	// Guard leaves a mark in a store that has none, and refuses everything with
	// ErrStrange as soon as the Redis no longer holds the mark that Open found. A
	// transaction finds out by itself; what else there is, while Track listens.
	Guard bool
	// Observe makes Open and Ping write nothing: Open fails with ErrUnmarked, instead of leaving a
	// mark, and does not wait for replicas. It needs Guard.
	Observe bool
	// FeedTTL is how long a feed lives that nobody reads, at most kv.MaxTTL; for
	// ever if 0.
	FeedTTL time.Duration
	// Timeout bounds a command or a pipeline; 1 s if 0. A deadline of the
	// caller's context that is nearer counts instead.
	Timeout time.Duration
	// DialTimeout bounds the making of a connection; 1 s if 0.
	DialTimeout time.Duration
	// TLS is the configuration for rediss URLs; one with TLS 1.2 or newer and
	// the system's authorities if nil.
	TLS *tls.Config
	// Queue is how many messages a subscription holds before it is closed for
	// being slow; 1024 if 0.
	Queue int
	// Logger gets what an operator should know; slog.Default() if nil.
	Logger *slog.Logger
}

const maxPrefix = 64

func (o Options) withDefaults() (Options, error) {
	if len(o.Prefix) > maxPrefix {
		return o, fmt.Errorf("%w: key prefix of %d bytes exceeds %d", kv.ErrRefused, len(o.Prefix), maxPrefix)
	}
	for _, c := range []byte(o.Prefix) {
		if c < ' ' || c >= 0x7f || c == '{' || c == '}' {
			return o, fmt.Errorf("%w: key prefix %q holds a brace or what is not printable", kv.ErrRefused, o.Prefix)
		}
	}
	if o.FeedTTL < 0 || o.FeedTTL > kv.MaxTTL {
		return o, fmt.Errorf("%w: feeds cannot live for %v unread", kv.ErrRefused, o.FeedTTL)
	}
	if o.WaitReplicas < 0 || o.Timeout < 0 || o.DialTimeout < 0 || o.WaitTimeout < 0 || o.ReplicasWithin < 0 || o.Queue < 0 {
		return o, fmt.Errorf("%w: a negative number in the options of Redis", kv.ErrRefused)
	}
	if o.Timeout == 0 {
		o.Timeout = time.Second
	}
	if o.DialTimeout == 0 {
		o.DialTimeout = time.Second
	}
	if o.WaitTimeout == 0 {
		o.WaitTimeout = o.Timeout / 2
	}
	if o.Queue == 0 {
		o.Queue = 1024
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o, nil
}
