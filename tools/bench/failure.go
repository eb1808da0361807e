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

// Failure is a kind of failure with its count and first example.
type Failure struct {
	Kind    string `json:"kind"` // status code or short text
	Count   uint64 `json:"count"`
	Example string `json:"example"`
}

// The kinds of failures other than status codes.
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

// failed is a failure.
type failed struct {
	kind string
	text string
}

func (f *failed) Error() string { return f.text }

// KindOf returns the kind of a failure in results.
func KindOf(err error) string {
	var f *failed
	if errors.As(err, &f) {
		return f.kind
	}
	return kindBroken
}

// transportFailure returns the failure of a request without a complete response.
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

// statusFailure returns the failure of a response with an error status. head is the beginning of
// its body.
func statusFailure(r *request, code int, head []byte) error {
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(head), "?")), " ")
	if text == "" {
		text = "(empty body)"
	}
	return &failed{fmt.Sprint(code), fmt.Sprintf("%s: %d %s: %s", r, code, http.StatusText(code), text)}
}

// complaint returns the failure of a check of a response.
func complaint(kind string, r *request, format string, args ...any) error {
	return &failed{kind, r.String() + ": " + fmt.Sprintf(format, args...)}
}
