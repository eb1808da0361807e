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

// maxSocketPath is the length of a socket's path that every system takes.
const maxSocketPath = 103

// maxCommand is how many bytes an order may have: a file takes four for three.
const maxCommand = media.MaxBytes*4/3 + 1<<20

// control is the server's end of the socket.
type control struct {
	backend *Backend
	status  Status
	log     *slog.Logger
	server  *http.Server
	running sync.WaitGroup // commands
}

// start opens the socket. A server without one still serves, so what goes
// wrong is logged and not returned.
func (c *control) start(data string) {
	l, err := openSocket(data)
	if err != nil {
		c.log.Warn("commands cannot reach this server", "err", err)
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", c.serveStatus)
	mux.HandleFunc("POST /run", c.serveRun)
	c.server = &http.Server{Handler: mux, ReadHeaderTimeout: readHeaderTime}
	go func() {
		if err := c.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			c.log.Error("the command socket failed", "err", err)
		}
	}()
}

// stop closes the socket, breaks off what runs over it, after a while of grace, and waits for
// its end.
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

// openSocket listens in the data directory. A socket that a killed server left
// is replaced, one that answers is not.
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
	// The directory is closed to others already; this holds if its rights are
	// loosened.
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

// serveRun executes a command on the server's own store.
func (c *control) serveRun(w http.ResponseWriter, r *http.Request) {
	c.running.Add(1)
	defer c.running.Done()
	var o Command
	in := json.NewDecoder(io.LimitReader(r.Body, maxCommand))
	if err := in.Decode(&o); err != nil {
		http.Error(w, "not an order", http.StatusBadRequest)
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
		end.Why, code = err.Error(), exit.CodeOf(err)
	}
	end.Exit = &code
	out.send(end)
}

// frames sends what a command prints, piece by piece.
type frames struct {
	enc   *json.Encoder
	flush *http.ResponseController
}

func (f *frames) send(x frame) error {
	if err := f.enc.Encode(x); err != nil {
		return fmt.Errorf("send to the command: %w", err)
	}
	return f.flush.Flush()
}

// pipe is one of the two outputs of a command.
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
