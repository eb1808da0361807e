package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"linnet/internal/exit"

	"linnet/internal/store/accounts"
)

// run serves until ctx ends or a listener fails, and then lets what is under
// way come to its end.
func (s *server) run(ctx context.Context) error {
	s.serveSites()
	go func() { s.failed <- s.backend.WatchMove(ctx) }()
	if s.diag != nil {
		go func() { s.failed <- s.diag.serve() }()
	}
	if s.tls != nil {
		go s.tls.fetch(ctx, s.log)
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-s.failed:
		if moved := (accounts.ErrMoved{}); errors.As(err, &moved) {
			s.health.moved.Store(&moved)
			err = &exit.Error{Code: exit.Temporary, What: "the store was moved to " + moved.To, Advice: "Change the configuration and start the server again."}
			break
		}
		err = fmt.Errorf("serving failed: %w", err)
	}
	s.drain()
	return err
}

// serveSites starts to accept connections, once.
func (s *server) serveSites() {
	s.serving.Do(func() {
		s.failed = make(chan error, len(s.sites)+2)
		for _, site := range s.sites {
			site.http.ConnState = released(site.listener.note)
			go func() { s.failed <- site.serve(s.log) }()
		}
	})
}

// serve returns when the listener fails, or nil when the server is shut down.
func (s *site) serve(log *slog.Logger) error {
	var l net.Listener = newPatient(s.listener, log)
	if s.tls {
		l = newHandshaking(l, s.http.TLSConfig.Clone(), s.listener.note)
	} else {
		l = framed{l}
	}
	err := s.http.Serve(l)
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) { // see drainable.leave
		return nil
	}
	return err
}

// drain stops in an order that breaks nothing off: first /readyz says no and
// connections are closed after their next answer, so that clients and load
// balancers go elsewhere; then nothing new is accepted and streams end, while what
// still comes over kept connections is answered; when nothing does any more,
// requests get their time to finish. Tasks are handed back by backend.close.
func (s *server) drain() {
	s.health.leaving.Store(true)
	s.notify("STOPPING=1")
	s.log.Info("stopping", "delay", s.cfg.DrainDelay, "timeout", s.cfg.ShutdownTimeout)
	time.Sleep(s.cfg.DrainDelay)
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.ShutdownTimeout)
	defer cancel()
	var wg sync.WaitGroup
	if s.serves() {
		wg.Go(func() {
			if err := s.api.CloseStreams(ctx); err != nil {
				s.log.Warn("closed streams that did not finish", "err", err)
			}
		})
	}
	for _, site := range s.sites {
		wg.Go(func() {
			site.listener.leave(ctx)
			if err := site.http.Shutdown(ctx); err != nil {
				s.log.Warn("closed requests that did not finish", "err", err)
				site.http.Close()
			}
		})
	}
	wg.Wait()
}
