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
	"linnet/internal/store/instance"
)

// run serves requests until ctx ends or a listener fails. Then it drains the server.
func (s *server) run(ctx context.Context) error {
	s.serveSites()
	go func() {
		if err := s.backend.WatchMove(ctx); err != nil {
			s.failed <- err
		}
	}()
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
		if moved := (instance.ErrMoved{}); errors.As(err, &moved) {
			s.health.moved.Store(&moved)
			err = &exit.Error{Code: exit.Temporary, What: "the store was moved to " + moved.To, Advice: "Change the configuration and start the server again."}
			break
		}
		err = fmt.Errorf("serve requests: %w", err)
	}
	s.drain()
	return err
}

// serveSites starts to accept connections. It does nothing when it is called again.
func (s *server) serveSites() {
	s.serving.Do(func() {
		s.failed = make(chan error, len(s.sites)+2)
		for _, site := range s.sites {
			site.http.ConnState = stopFraming(site.listener.setState)
			go func() { s.failed <- site.serve(s.log) }()
		}
	})
}

// serve returns the error of the listener, or nil after a shutdown.
func (s *site) serve(log *slog.Logger) error {
	var l net.Listener = newRetryListener(s.listener, log)
	if s.tls {
		h := &tlsListener{Listener: l, config: s.http.TLSConfig.Clone(), onState: s.listener.setState, ready: make(chan accepted)}
		h.ctx, h.end = context.WithCancel(context.Background())
		go h.run()
		l = h
	} else {
		l = framingListener{l}
	}
	err := s.http.Serve(l)
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) { // see drainListener.leave
		return nil
	}
	return err
}

// drain stops the server without breaking requests.
//
// First /readyz fails and responses close their connections, so that clients and load balancers use
// other servers. Then no new connections are accepted and streams end, while idle connections can
// still send requests. Finally the requests in progress get their time to finish. Backend.Close
// hands back the tasks.
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
