package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
)

// Failure is a kind of failure, how often it happened, and the first example.
type Failure struct {
	Kind    string `json:"kind"` // a status code, or a few words
	Count   uint64 `json:"count"`
	Example string `json:"example"`
}

// The kinds of failure that are not status codes.
const (
	kindTimeout  = "timeout"
	kindRefused  = "no connection"
	kindBroken   = "broken connection"
	kindNotJSON  = "not understood"
	kindOrder    = "wrong order"
	kindRepeat   = "repeated status"
	kindMissing  = "stale: status missing"
	kindOldCount = "stale: old count"
	kindUnseen   = "never seen"
	kindNotSent  = "not sent in time"
)

// failed is one failure.
type failed struct {
	kind string
	text string
}

func (f *failed) Error() string { return f.text }

// KindOf returns the kind of a failure, as results name it.
func KindOf(err error) string {
	var f *failed
	if errors.As(err, &f) {
		return f.kind
	}
	return kindBroken
}

// transportFailure explains why there was no answer, or not a whole one.
func transportFailure(r *request, err error) error {
	kind := kindBroken
	var ne net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &ne) && ne.Timeout():
		kind = kindTimeout
	case errors.Is(err, syscall.ECONNREFUSED), isDial(err):
		kind = kindRefused
	}
	return &failed{kind, fmt.Sprintf("%s: %v", r, err)}
}

func isDial(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// statusFailure explains an answer that is not a success. head is the
// beginning of its body.
func statusFailure(r *request, code int, head []byte) error {
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(head), "?")), " ")
	if text == "" {
		text = "(empty body)"
	}
	return &failed{fmt.Sprint(code), fmt.Sprintf("%s: %d %s: %s", r, code, http.StatusText(code), text)}
}

// complaint is the failure of a check of an answer.
func complaint(kind string, r *request, format string, args ...any) error {
	return &failed{kind, r.String() + ": " + fmt.Sprintf(format, args...)}
}
