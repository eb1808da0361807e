package rediskv

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// Open connects to the Redis at url and detects whether it is a Cluster. Forms of the URL:
//
//	redis://[user:pass@]host[:port][/db]     rediss:// is the same over TLS
//	redis://host:port,host:port              seeds of a Cluster
//	unix:///path/to/socket[?db=n]
//	redis+sentinel://host[:port],...?master=name[&sentinel_user=][&sentinel_password=]
//
// Open returns kv.ErrUnavailable if no server answers, or if the required replicas are missing
// after Options.ReplicasWithin. It returns other errors if the URL or the options are wrong or the
// server is too old.
func Open(ctx context.Context, url string, opts Options) (*Engine, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("open Redis: %w", err)
	}
	t, err := parseURL(url)
	if err != nil {
		return nil, fmt.Errorf("open Redis: %w", err)
	}
	type result struct {
		e   *Engine
		err error
	}
	done := make(chan result, 1)
	go func() { // the client takes no context for its first connections
		e, err := open(t, opts)
		done <- result{e, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, fmt.Errorf("open Redis at %s: %w", t.location(), r.err)
		}
		return r.e, nil
	case <-ctx.Done():
		go func() {
			if r := <-done; r.e != nil {
				r.e.Close()
			}
		}()
		return nil, fmt.Errorf("open Redis at %s: %w", t.location(), ctx.Err())
	}
}

func open(t target, opts Options) (*Engine, error) {
	e := &Engine{opts: opts, target: t, scripts: newScripts(opts.Guard), log: opts.Logger, turns: make(chan struct{}, bulkAtOnce), beat: trackBeat}
	conf := e.clientOption()
	var err error
	if e.front, err = connect(conf); err != nil {
		return nil, err
	}
	e.cluster = e.front.Mode() == rueidis.ClientModeCluster
	conf.ForceSingleClient = e.front.Mode() == rueidis.ClientModeStandalone
	// A second connection would not speed up a fan-out, and Redis would serve it more often than
	// the readers.
	conf.PipelineMultiplex = -1
	if e.bulk, err = connect(conf); err != nil {
		e.front.Close()
		return nil, err
	}
	messages, err := connect(conf)
	if err != nil {
		e.bulk.Close()
		e.front.Close()
		return nil, err
	}
	e.bus = &bus{client: messages, prefix: opts.Prefix + busPrefix, queue: opts.Queue, opts: opts, turn: make(chan struct{}, 1)}
	if err = e.start(); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// start checks the server before the engine is used.
func (e *Engine) start() error {
	if e.cluster && e.target.db != 0 {
		return fmt.Errorf("%w: a Cluster has no database %d", kv.ErrRefused, e.target.db)
	}
	e.guard = newGuard(e.opts, e.cluster)
	info, err := e.lookPatiently()
	if err != nil {
		return err
	}
	e.info.Store(&info)
	for _, a := range info.Advice {
		e.log.Warn(a.Text.String() + "; " + a.Remedy.String())
	}
	e.log.Info("connected to Redis", "engine", info.Engine, "location", info.Location, "durability", info.Durability)
	return nil
}

// lookEvery is the time between two checks for replicas during the start.
const lookEvery = 200 * time.Millisecond

// lookPatiently checks the server and marks it. It waits for replicas that are still synchronizing,
// as after a restart of all servers.
func (e *Engine) lookPatiently() (info kv.Info, err error) {
	for begun, logged := time.Now(), false; ; time.Sleep(lookEvery) {
		ctx, cancel := context.WithTimeout(context.Background(), e.opts.Timeout)
		info, err = e.look(ctx)
		err = classify(ctx, err, reading)
		cancel()
		if e.opts.Observe && errors.Is(err, ErrFewReplicas) { // Ping returns it
			err = nil
		}
		if err == nil {
			err = e.mark()
		}
		switch {
		case err == nil && logged:
			e.log.Info("replicas connected", "after", time.Since(begun).Round(time.Millisecond))
			return info, nil
		case !errors.Is(err, ErrFewReplicas) || time.Since(begun) >= e.opts.ReplicasWithin:
			return info, err
		case !logged:
			logged = true
			e.log.Warn("waiting for replicas", "timeout", e.opts.ReplicasWithin, "err", err)
		}
	}
}

// clientOption returns the connection options. They disable the client's retries, because the
// engine decides how often and how long to retry.
func (e *Engine) clientOption() rueidis.ClientOption {
	conf := rueidis.ClientOption{
		InitAddress:  e.target.addrs,
		Username:     e.target.user,
		Password:     e.target.pass,
		SelectDB:     e.target.db,
		ClientName:   "linnet",
		DialCtxFn:    dial,
		Dialer:       net.Dialer{Timeout: e.opts.DialTimeout, KeepAlive: time.Second},
		DisableCache: true,
		DisableRetry: true,
		// A permanent reader notices at once when a server is down. Without it the next write would
		// be lost with an unknown result.
		AlwaysPipelining:    true,
		ReadBufferEachConn:  64 << 10,
		WriteBufferEachConn: 64 << 10,
		ConnWriteTimeout:    max(3*time.Second, 2*e.opts.Timeout),
		BlockingPoolSize:    256,
		BlockingPoolCleanup: time.Minute,
	}
	conf.ClusterOption.ShardsRefreshInterval = 10 * time.Second
	conf.ClusterOption.MaxMovedRedirections = 5
	if e.target.tls {
		conf.TLSConfig = e.opts.TLS
		if conf.TLSConfig == nil {
			conf.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
		}
	}
	if e.target.master != "" {
		conf.Sentinel = rueidis.SentinelOption{
			MasterSet: e.target.master,
			Username:  e.target.sentinelUser,
			Password:  e.target.sentinelPass,
			Dialer:    conf.Dialer,
			TLSConfig: conf.TLSConfig,
			// The announcement of a failover may be missed.
			TopologyRefreshInterval: 5 * time.Second,
		}
	}
	return conf
}

func connect(conf rueidis.ClientOption) (rueidis.Client, error) {
	client, err := rueidis.NewClient(conf)
	if err == nil {
		return client, nil
	}
	if client != nil {
		client.Close()
	}
	if reply := replyOf(err); reply != nil {
		return nil, classifyReply(reply.Error())
	}
	if errors.Is(err, rueidis.ErrNoCache) { // about tracking: the answer, the command, and a remedy for users of the library
		answer, _, _ := strings.Cut(err.Error(), ": [")
		return nil, classifyReply(answer)
	}
	return nil, fmt.Errorf("%w: %w", kv.ErrUnavailable, err)
}
