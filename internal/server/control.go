package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"linnet/internal/exit"
	"linnet/internal/media"
)

// maxSocketPath is the maximum length of a socket's path on all systems.
const maxSocketPath = 103

// maxCommand is the maximum length of an encoded command. Base64 makes files a third longer.
const maxCommand = media.MaxBytes*4/3 + 1<<20

// control is the server side of the command socket.
type control struct {
	backend *Backend
	status  Status
	log     *slog.Logger
	server  *http.Server
	running sync.WaitGroup // running commands
}

// start opens the socket. It only logs errors, because the server works without the socket.
func (c *control) start(data string) {
	l, err := openSocket(data)
	if err != nil {
		c.log.Warn("cannot open the command socket; commands cannot use this server", "err", err)
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", c.serveStatus)
	mux.HandleFunc("POST /run", c.serveRun)
	c.server = &http.Server{Handler: mux, ReadHeaderTimeout: readHeaderTimeout}
	go func() {
		if err := c.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			c.log.Error("the command socket failed", "err", err)
		}
	}()
}

// stop closes the socket, cancels running commands after a grace period, and waits for them.
func (c *control) stop(grace time.Duration) {
	if c.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		if c.server.Shutdown(ctx) != nil {
			c.server.Close()
		}
	}
	c.running.Wait()
}

// openSocket listens in the data directory. It replaces the socket of a server that was killed, but
// not the socket of a running server.
func openSocket(data string) (net.Listener, error) {
	path := socketPath(data)
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("the path %s is longer than %d bytes, the limit for sockets", path, maxSocketPath)
	}
	if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
		conn.Close()
		return nil, fmt.Errorf("another server already listens on %s", path)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("remove the socket of an earlier server: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("open the command socket: %w", err)
	}
	// The data directory is private already. This holds even if its permissions are loosened.
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, fmt.Errorf("restrict access to the socket: %w", err)
	}
	return l, nil
}

func (c *control) serveStatus(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(c.status)
}

// serveRun executes a command on the store of the server.
func (c *control) serveRun(w http.ResponseWriter, r *http.Request) {
	c.running.Add(1)
	defer c.running.Done()
	var o Command
	in := json.NewDecoder(io.LimitReader(r.Body, maxCommand))
	if err := in.Decode(&o); err != nil {
		http.Error(w, "invalid command", http.StatusBadRequest)
		return
	}
	o.Stream = io.MultiReader(in.Buffered(), r.Body)
	w.Header().Set("Content-Type", "application/x-ndjson")
	out := &frames{enc: json.NewEncoder(w), flush: http.NewResponseController(w)}
	end := frame{}
	code := exit.OK
	stdout := pipe{out, func(b []byte) frame { return frame{Out: b} }}
	stderr := pipe{out, func(b []byte) frame { return frame{Err: b} }}
	if err := c.backend.Run(r.Context(), o, stdout, stderr); err != nil {
		end.Message, code = err.Error(), exit.CodeOf(err)
	}
	end.Exit = &code
	out.send(end)
}

// frames sends the output of a command in parts.
type frames struct {
	enc   *json.Encoder
	flush *http.ResponseController
}

func (f *frames) send(x frame) error {
	if err := f.enc.Encode(x); err != nil {
		return fmt.Errorf("send output to the command: %w", err)
	}
	return f.flush.Flush()
}

// pipe is the standard output or the standard error of a command.
type pipe struct {
	to   *frames
	wrap func([]byte) frame
}

func (p pipe) Write(b []byte) (int, error) {
	if err := p.to.send(p.wrap(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}
