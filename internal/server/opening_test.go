package server

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/rediskv"
)

// TestOpening expects that a server whose store is not open is alive, not ready, and rejects
// requests.
func TestOpening(t *testing.T) {
	cfg, err := config.Resolve(map[string]string{"data": t.TempDir()}, config.NewEnvironment(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ reason, path, want string }{
		{"", "/livez", "200 ok"},
		{"", "/readyz", `503 {"ready":false,"reason":"the store is opening"`},
		{diskIsFull, "/livez", "200 ok"},
		{diskIsFull, "/readyz", `503 {"ready":false,"reason":"the disk is full`},
		{redisLoading, "/readyz", `503 {"ready":false,"reason":"Redis is loading`},
		{redisLoading, "/api/v1/instance", "503 The server is starting."},
		{"", "/", "503 The server is starting."},
	} {
		o := opening{cfg: cfg}
		if c.reason != "" {
			o.reason.Store(&c.reason)
		}
		w := httptest.NewRecorder()
		o.ServeHTTP(w, httptest.NewRequest("GET", c.path, nil))
		if got := fmt.Sprint(w.Code, " ", w.Body); !strings.HasPrefix(got, c.want) || w.Code == 503 && w.Header().Get("Retry-After") == "" {
			t.Errorf("%s while %q: %s, want %s", c.path, c.reason, got, c.want)
		}
	}
}

// TestWaitable expects that a server waits only for problems that need no change of the
// configuration.
func TestWaitable(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("damaged"), ""},
		{diskkv.ErrInUse, ""},
		{rediskv.ErrDenied, ""},
		{diskkv.ErrNoRoom, diskIsFull},
		{rediskv.ErrLoading, redisLoading},
	} {
		wrapped := c.err
		if wrapped != nil {
			wrapped = &exit.Error{Code: exit.Failed, What: "cannot use the store", Cause: fmt.Errorf("open: %w", c.err)}
		}
		if got := waitReason(wrapped); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
