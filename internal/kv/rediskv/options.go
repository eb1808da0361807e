package rediskv

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"time"

	"linnet/internal/kv"
)

// Options configure an Engine. The zero value is ready to use.
type Options struct {
	// Prefix is prepended to every key and channel, for a server shared with other programs or
	// instances. It has at most 64 printable characters and no braces.
	Prefix string
	// WaitReplicas is the number of replicas that must acknowledge a transaction. With fewer its
	// outcome is kv.ErrUnknown, and Ping returns ErrFewReplicas.
	WaitReplicas int
	// WaitTimeout limits the wait for replicas. The default is half of Timeout.
	WaitTimeout time.Duration
	// ReplicasWithin limits how long Open waits until every master has WaitReplicas replicas in
	// sync. It does not wait if 0.
	ReplicasWithin time.Duration
	// Guard leaves a mark in a store without one, and returns ErrStrange for all calls once Redis
	// no longer has the mark that Open found. Transactions check the mark themselves. Other calls
	// depend on Track.
	Guard bool
	// Observe makes Open and Ping write nothing. Open returns ErrUnmarked instead of leaving a
	// mark, and does not wait for replicas. It needs Guard.
	Observe bool
	// FeedTTL is how long unread feeds are stored, at most kv.MaxTTL. The default is unlimited.
	FeedTTL time.Duration
	// Timeout limits a command or a pipeline. The default is 1 s. An earlier deadline of the
	// caller's context takes precedence.
	Timeout time.Duration
	// DialTimeout limits the connection setup. The default is 1 s.
	DialTimeout time.Duration
	// TLS is the configuration for rediss URLs. The default requires TLS 1.2 and uses the system's
	// certificate authorities.
	TLS *tls.Config
	// Queue is the number of queued messages after which a slow subscription is closed. The default
	// is 1024.
	Queue int
	// Logger receives messages for operators. The default is slog.Default().
	Logger *slog.Logger
}

const maxPrefix = 64

func (o Options) withDefaults() (Options, error) {
	if len(o.Prefix) > maxPrefix {
		return o, fmt.Errorf("%w: key prefix of %d bytes exceeds the limit of %d", kv.ErrRefused, len(o.Prefix), maxPrefix)
	}
	for _, c := range []byte(o.Prefix) {
		if c < ' ' || c >= 0x7f || c == '{' || c == '}' {
			return o, fmt.Errorf("%w: key prefix %q contains a brace or an unprintable character", kv.ErrRefused, o.Prefix)
		}
	}
	if o.FeedTTL < 0 || o.FeedTTL > kv.MaxTTL {
		return o, fmt.Errorf("%w: feed lifetime %v is out of range", kv.ErrRefused, o.FeedTTL)
	}
	if o.WaitReplicas < 0 || o.Timeout < 0 || o.DialTimeout < 0 || o.WaitTimeout < 0 || o.ReplicasWithin < 0 || o.Queue < 0 {
		return o, fmt.Errorf("%w: the Redis options contain a negative number", kv.ErrRefused)
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
