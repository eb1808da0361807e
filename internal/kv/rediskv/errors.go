package rediskv

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
	"linnet/internal/wording"
)

// purpose determines the meaning of a lost answer.
type purpose bool

const (
	reading purpose = false // none: read again
	writing purpose = true  // the result is unknown
)

// classify converts an error of the client or the server into one of the port. ctx is the caller's,
// without the engine's timeout.
func classify(ctx context.Context, err error, why purpose) error {
	if err == nil || rueidis.IsRedisNil(err) {
		return nil
	}
	if reply := replyOf(err); reply != nil {
		return classifyReply(reply.Error())
	}
	switch {
	case errors.Is(err, kv.ErrRefused), errors.Is(err, kv.ErrUnknown), errors.Is(err, kv.ErrUnavailable),
		errors.Is(err, kv.ErrClosed), errors.Is(err, kv.ErrFull):
		return err
	case notSent(err) || errors.Is(err, rueidis.ErrNoSlot):
		return fmt.Errorf("%w: %w", kv.ErrUnavailable, err)
	case why == writing:
		return fmt.Errorf("%w: %w", kv.ErrUnknown, err)
	case rueidis.IsParseErr(err), errors.Is(err, errForeign):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", kv.ErrUnavailable, err)
}

// ErrDenied means that Redis requires another user or password, or that the user lacks a
// permission. It is combined with kv.ErrUnavailable, because an operator can fix it while servers
// run.
var ErrDenied = errors.New("the Redis server denied access")

// ErrLoading means that Redis has just started and still loads its data.
var ErrLoading = errors.New("the Redis server is loading its data")

// classifyReply converts errors in answers of a server. Each of them means that the command changed
// nothing.
func classifyReply(text string) error {
	code, _, _ := strings.Cut(text, " ")
	switch code {
	case strange:
		return strangeTrouble(fmt.Errorf("%w: Redis refused a transaction", ErrStrange))
	case "OOM":
		return fmt.Errorf("%w: %s", kv.ErrFull, text)
	case "WRONGTYPE", "CROSSSLOT", "RANGE", "FOREIGN":
		return fmt.Errorf("%w: %s", kv.ErrRefused, text)
	case "LOADING":
		return fmt.Errorf("%w: %w: %s", kv.ErrUnavailable, ErrLoading, text)
	case "READONLY", "MISCONF", "CLUSTERDOWN", "NOREPLICAS", "MASTERDOWN", "TRYAGAIN", "BUSY",
		"MOVED", "ASK", "UNKILLABLE", "NOSCRIPT":
		return fmt.Errorf("%w: %s", kv.ErrUnavailable, text)
	case "NOAUTH", "WRONGPASS", "NOPERM":
		return fmt.Errorf("%w: %w: %s", kv.ErrUnavailable, ErrDenied, text)
	}
	if strings.Contains(text, "max number of clients") || strings.Contains(text, "client unpaused") {
		return fmt.Errorf("%w: %s", kv.ErrUnavailable, text)
	}
	return errors.New("unexpected reply from Redis: " + text)
}

func replicaTrouble(err error) error {
	return &kv.Trouble{Err: err,
		Reason: wording.Messagef("Redis is a replica and refuses writes: connect to its master, or promote it (REPLICAOF NO ONE)")}
}

// explained converts an answer that operators can act on into a Trouble with the remedy. err is its
// meaning in the port.
func explained(answer, err error) error {
	reply := replyOf(answer)
	if reply == nil {
		return err
	}
	code, _, _ := strings.Cut(reply.Error(), " ")
	var reason wording.Message
	switch code {
	case "OOM":
		reason = wording.Messagef("Redis has reached maxmemory and refuses writes: raise maxmemory, or free up memory")
	case "NOREPLICAS":
		reason = wording.Messagef("Redis refuses writes because fewer replicas are connected than min-replicas-to-write requires: start replicas, or lower this setting")
	case "READONLY":
		return replicaTrouble(err)
	case "MISCONF":
		reason = wording.Messagef("Redis refuses writes because it can't save to disk: see its log")
	case "NOAUTH", "WRONGPASS":
		reason = wording.Messagef("Redis rejected this server's username or password: correct the URL in the option “store” and restart the server, or set this username and password in Redis again")
	case "NOPERM":
		reason = wording.Messagef("Redis denies the server's user a required permission: grant the permissions listed in docs/admin/redis.md (ACL SETUSER)")
	default:
		return err
	}
	return &kv.Trouble{Reason: reason, Err: err}
}

// replyOf returns the server's error in err, if any.
func replyOf(err error) *rueidis.RedisError {
	var reply *rueidis.RedisError
	if errors.As(err, &reply) && !reply.IsNil() {
		return reply
	}
	return nil
}

func isNoScript(err error) bool {
	reply := replyOf(err)
	return reply != nil && reply.IsNoScript()
}

func isTryAgain(err error) bool {
	reply := replyOf(err)
	return reply != nil && reply.IsTryAgain()
}

func isMoved(err error) bool {
	moved, _, unsent := redirection(err)
	return moved != "" || unsent
}

func isAsk(err error) bool {
	_, asked, _ := redirection(err)
	return asked != ""
}

// isElsewhere reports whether the server redirects to another one.
func isElsewhere(err error) bool {
	moved, asked, _ := redirection(err)
	return moved != "" || asked != ""
}

// isLost reports whether the connection failed, and not the command.
func isLost(err error) bool {
	switch {
	case err == nil, rueidis.IsRedisNil(err), rueidis.IsParseErr(err), errors.Is(err, errForeign), errors.Is(err, kv.ErrUnavailable):
		return false
	}
	return replyOf(err) == nil
}
