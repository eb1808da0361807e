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
	"linnet/internal/store/instance"
)

// health serves /livez and /readyz.
type health struct {
	check   func(context.Context) error // returns an error if the store does not respond or accept writes
	state   readiness                   // the constant part of the response
	leaving atomic.Bool                 // the server is stopping
	moved   atomic.Pointer[instance.ErrMoved]
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

// live answers 200 while the process runs.
func (h *health) live(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	io.WriteString(w, "ok\n")
}

// ready answers 200 if the server can serve requests, otherwise 503 and a reason. The reason is
// general, because anyone can read it. The log has the details.
func (h *health) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	body := h.state
	if h.moved.Load() != nil {
		body.Reason = "the store was moved; the server is stopping and must be restarted with the new store"
	} else if h.leaving.Load() {
		body.Reason = "the server is stopping"
	} else {
		body.Reason = unreadyReason(h.check(ctx))
	}
	body.Ready = body.Reason == ""
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if !body.Ready {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	json.NewEncoder(w).Encode(body) // an error means that the client disconnected
}

// unreadyReason returns the public reason for an error of the store.
func unreadyReason(err error) string {
	var known *kv.Trouble
	switch {
	case err == nil:
		return ""
	case errors.As(err, &known):
		return known.Reason.String()
	}
	return "the store does not respond or does not accept writes"
}
