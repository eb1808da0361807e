package rediskv

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
	"linnet/internal/wording"
)

// Info implements kv.Engine with the results of Open or the last Ping.
func (e *Engine) Info() kv.Info { return *e.info.Load() }

// Ping implements kv.Engine. It checks that every master answers, is a master, holds the opened
// store and has the required replicas, and that one of them takes a write. With Options.Observe it
// does not write.
func (e *Engine) Ping(ctx context.Context) error {
	if err := e.admit(ctx); err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	defer e.leave()
	short, cancel := e.limit(ctx)
	defer cancel()
	if err := e.ping(short); err != nil {
		return fmt.Errorf("ping: %w", explained(err, classify(ctx, err, reading)))
	}
	return nil
}

func (e *Engine) ping(ctx context.Context) error {
	if err := e.holds(ctx); err != nil {
		return err
	}
	info, err := e.look(ctx)
	if err != nil {
		return err
	}
	e.info.Store(&info)
	if e.opts.Observe {
		return nil
	}
	probe := e.meterKey("ping")
	return e.front.Do(ctx, e.front.B().Set().Key(probe).Value("1").PxMilliseconds(1000).Build()).Error()
}

// masters returns the number of masters.
func (e *Engine) masters() int { return max(1, int(e.parts.Load())) }

// look checks the server, or each master of a Cluster.
func (e *Engine) look(ctx context.Context) (kv.Info, error) {
	info := kv.Info{Engine: "redis", Location: e.target.location()}
	if e.target.master != "" {
		info.Engine = "redis-sentinel"
	}
	nodes := []rueidis.Client{e.front}
	if e.cluster {
		info.Engine = "redis-cluster"
		var err error
		if _, nodes, err = e.masterNodes(ctx); err != nil {
			return info, err
		}
		e.parts.Store(int32(len(nodes)))
	}
	var modes []wording.Message
	for _, node := range nodes {
		mode, used, advice, err := e.lookAt(ctx, node)
		if err != nil {
			return info, err
		}
		modes, info.Bytes = append(modes, mode), info.Bytes+used
		for _, a := range advice {
			if !slices.Contains(info.Advice, a) {
				info.Advice = append(info.Advice, a)
			}
		}
	}
	info.Durability = e.durability(modes)
	return info, nil
}

// lookAt checks one server and returns its durability, memory use and advice.
func (e *Engine) lookAt(ctx context.Context, node rueidis.Client) (mode wording.Message, used int64, advice []kv.Advice, err error) {
	b := node.B()
	commands := []rueidis.Completed{b.Ping().Build(), b.Arbitrary("INFO").Build(),
		b.Arbitrary("CONFIG", "GET").Args(compactEntries, compactValue, compactList, "appendfsync").Build()}
	answers, short := e.sendWaiting(ctx, node, commands...)
	for _, answer := range answers[:2] {
		if err := answer.Error(); err != nil {
			return "", 0, nil, err
		}
	}
	info, err := answers[1].ToString()
	if err != nil {
		return "", 0, nil, err
	}
	if err := accepts(info, e.cluster); err != nil {
		return "", 0, nil, err
	}
	if short != nil {
		return "", 0, nil, fewReplicas(e.opts.WaitReplicas, fmt.Errorf("server on port %s has %s connected replicas: %w",
			infoField(info, "tcp_port"), infoField(info, "connected_slaves"), short))
	}
	settings, err := answers[2].AsStrMap() // may be forbidden
	if err != nil {
		settings = nil
	}
	used, _ = strconv.ParseInt(infoField(info, "used_memory"), 10, 64) // only displayed
	return durable(info, settings["appendfsync"]), used, append(risks(info), wasteful(settings)...), nil
}

// ErrFewReplicas means that fewer replicas than required acknowledge writes, so no write can be
// acknowledged.
var ErrFewReplicas = fmt.Errorf("%w: too few replicas", kv.ErrUnavailable)

// fewReplicas returns ErrFewReplicas for the result of a WAIT.
func fewReplicas(needed int, short error) error {
	return &kv.Trouble{
		Reason: wording.Messagef("too few Redis replicas have acknowledged writes (%d needed): start replicas, or lower redis.wait_replicas", needed),
		Err:    fmt.Errorf("%w: %w", ErrFewReplicas, short),
	}
}

// accepts returns the reason why a server with this INFO cannot be used, or nil.
func accepts(info string, cluster bool) error {
	if version := infoField(info, "redis_version"); olderThan7(version) {
		return errors.New("Redis " + version + " is too old: 7.0 or newer is needed")
	}
	if role := infoField(info, "role"); role != "master" && role != "" {
		return replicaTrouble(fmt.Errorf("%w: the server is a %s, not a master", kv.ErrUnavailable, role))
	}
	if infoField(info, "loading") == "1" {
		return fmt.Errorf("%w: the server is loading its data", kv.ErrUnavailable)
	}
	if !cluster && infoField(info, "cluster_enabled") == "1" {
		return fmt.Errorf("%w: the server belongs to a Cluster that has not been created", kv.ErrUnavailable)
	}
	return nil
}

func olderThan7(version string) bool {
	major, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(major)
	return err == nil && n < 7
}

// durable describes the durability of an acknowledged write on one server.
func durable(info, fsync string) wording.Message {
	var mode wording.Message
	switch {
	case infoField(info, "aof_enabled") != "1":
		mode = wording.Messagef("no append-only file: a crash loses everything since the last snapshot")
	case fsync == "always":
		mode = wording.Messagef("appendfsync always: writes survive a crash of the process or the machine")
	case fsync == "everysec":
		mode = wording.Messagef("appendfsync everysec: a crash can lose the last two seconds of writes")
	case fsync == "no":
		mode = wording.Messagef("appendfsync no: a crash can lose writes that the system hasn't written to disk yet")
	default:
		mode = wording.Messagef("append-only file, fsync unknown (CONFIG GET is not allowed)")
	}
	if policy := evictionPolicy(info); policy != "" {
		mode = wording.Messagef("%s; maxmemory-policy %s can evict records", mode, policy)
	}
	return mode
}

// evictionPolicy returns the policy by which a server evicts records when its memory is full, or ""
// if it does not.
func evictionPolicy(info string) string {
	if policy := infoField(info, "maxmemory_policy"); policy != "noeviction" && infoField(info, "maxmemory") != "0" {
		return policy
	}
	return ""
}

// fullAt is the percentage of maxmemory from which an operator should act.
const fullAt = 85

// risks returns advice about settings with which a server may lose records or soon refuse them.
func risks(info string) []kv.Advice {
	var out []kv.Advice
	add := func(grave bool, text, remedy wording.Message) {
		out = append(out, kv.Advice{Text: text, Remedy: remedy, Grave: grave})
	}
	if policy := evictionPolicy(info); policy != "" {
		add(true, wording.Messagef("Redis can evict records when its memory is full: maxmemory-policy is %s", policy), inConf("CONFIG SET maxmemory-policy noeviction"))
	}
	if infoField(info, "aof_enabled") == "0" {
		add(true, wording.Messagef("Redis has no append-only file: a crash loses everything since the last snapshot"), inConf("CONFIG SET appendonly yes"))
	}
	for field, what := range map[string]wording.Message{
		"aof_last_write_status":     wording.Messagef("Redis couldn't write to its append-only file"),
		"aof_last_bgrewrite_status": wording.Messagef("Redis couldn't rewrite its append-only file"),
		"rdb_last_bgsave_status":    wording.Messagef("Redis couldn't write its snapshot"),
	} {
		if infoField(info, field) == "err" {
			add(true, what, wording.Messagef("See the log of Redis. Usually the disk is full, or there is too little memory to fork (vm.overcommit_memory)"))
		}
	}
	most, _ := strconv.ParseInt(infoField(info, "maxmemory"), 10, 64)
	if used, _ := strconv.ParseInt(infoField(info, "used_memory"), 10, 64); most > 0 && used > most/100*fullAt {
		add(false, wording.Messagef("Redis uses %d%% of maxmemory. At 100%%, it refuses writes", used*100/most), wording.Messagef("Raise maxmemory, or add masters to the Cluster"))
	}
	slices.SortFunc(out, func(a, b kv.Advice) int { return cmp.Compare(a.Text.String(), b.Text.String()) })
	return out
}

// durability combines the modes of the servers and the required replicas.
func (e *Engine) durability(modes []wording.Message) wording.Message {
	mode := modes[0]
	for _, m := range modes[1:] {
		if m != modes[0] {
			mode = wording.Messagef("durability differs between the masters, and the weakest setting applies: %s | %s", modes[0], m)
			break
		}
	}
	if e.opts.WaitReplicas > 0 {
		mode = wording.Messagef("%s; acknowledged by %d replicas", mode, e.opts.WaitReplicas)
	}
	return mode
}
