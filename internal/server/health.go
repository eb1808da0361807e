package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
	"linnet/internal/store/accounts"
)

// health answers whether the process lives and whether it can work.
type health struct {
	check   func(context.Context) error // whether the store answers and accepts writes
	state   readiness                   // what does not change
	leaving atomic.Bool                 // set when the server begins to stop
	moved   atomic.Pointer[accounts.ErrMoved]
}

// readiness is the body of /readyz.
type readiness struct {
	Ready      bool   `json:"ready"`
	Reason     string `json:"reason,omitempty"`
	Version    string `json:"version"`
	Store      string `json:"store"`
	Durability string `json:"durability"`
	Schema     int    `json:"schema"`
}

// live answers as long as the process serves at all.
func (h *health) live(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	io.WriteString(w, "ok\n")
}

// ready answers 200 if requests can be served now, and 503 with the reason if
// not. Causes are told in general words: they are for load balancers and may
// be read by anybody; the log has the details.
func (h *health) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	body := h.state
	if h.moved.Load() != nil {
		body.Reason = "the store was moved; the server stops and must be started on the new store"
	} else if h.leaving.Load() {
		body.Reason = "the server is stopping"
	} else {
		body.Reason = unready(h.check(ctx))
	}
	body.Ready = body.Reason == ""
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if !body.Ready {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	json.NewEncoder(w).Encode(body) // the client has gone if this fails
}

// unready tells strangers why the store cannot be used, if it cannot.
func unready(err error) string {
	var known *kv.Trouble
	switch {
	case err == nil:
		return ""
	case errors.As(err, &known):
		return known.Reason.String()
	}
	return "the store does not respond or does not accept writes"
}
