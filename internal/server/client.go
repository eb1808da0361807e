package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"linnet/internal/exit"
)

// A running server accepts commands over a socket in its data directory, because only one process
// can open an embedded store. The protocol is HTTP: GET /status, and POST /run with a Command,
// which returns a stream of frames. The permissions of the directory control the access.

// Command is a command sent to a running server.
type Command struct {
	Args     []string `json:"args"` // without options of the configuration
	Password string   `json:"password,omitempty"`
	File     []byte   `json:"file,omitempty"`

	Stream io.Reader `json:"-"` // content that follows the command; nil: none
}

// frame is a part of a command's output, or its end if Exit is set. Output is bytes, because a
// command can print a file, or end a write within a character.
type frame struct {
	Out     []byte `json:"stdout,omitempty"`
	Err     []byte `json:"stderr,omitempty"`
	Exit    *int   `json:"exit,omitempty"`
	Message string `json:"err,omitempty"` // of the end: why the command failed

	// Text is the output from a server of an earlier release, which can still run after an upgrade.
	Text string `json:"out,omitempty"`
}

// Status describes a running server.
type Status struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Web     string    `json:"web"`
	Store   string    `json:"store"`
	Data    string    `json:"data"`
	Started time.Time `json:"started"`
}

// ErrNotRunning means that no server runs on a data directory.
var ErrNotRunning = errors.New("no server is running with this data directory")

// commandError is the failure of a command in the server.
type commandError struct {
	code int
	text string
}

func (e *commandError) Error() string { return e.text }

// ExitCode returns the exit code of the command.
func (e *commandError) ExitCode() int { return e.code }

func socketPath(data string) string { return filepath.Join(data, "linnet.sock") }

func socketClient(data string) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			c, err := d.DialContext(ctx, "unix", socketPath(data))
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrNotRunning, err)
			}
			return c, nil
		},
	}}
}

// ReadStatus returns the status of the server that runs on a data directory.
func ReadStatus(ctx context.Context, data string) (s Status, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://linnet/status", nil)
	if err != nil {
		return s, fmt.Errorf("request the status: %w", err)
	}
	resp, err := socketClient(data).Do(req)
	if err != nil {
		return s, fmt.Errorf("request the status: %w", err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&s); err != nil {
		return s, fmt.Errorf("read the status: %w", err)
	}
	return s, nil
}

// Send runs a command in the server on a data directory and copies its output. The error wraps
// ErrNotRunning if there is no server.
func Send(ctx context.Context, data string, o Command, stdout, stderr io.Writer) error {
	body, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("encode the command: %w", err)
	}
	var sent io.Reader = bytes.NewReader(body)
	if o.Stream != nil { // the file follows the command
		sent = io.MultiReader(sent, o.Stream)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://linnet/run", sent)
	if err != nil {
		return fmt.Errorf("send the command: %w", err)
	}
	resp, err := socketClient(data).Do(req)
	if err != nil {
		return fmt.Errorf("send the command to the running server: %w", err)
	}
	defer resp.Body.Close()
	dec := json.NewDecoder(resp.Body)
	for {
		var f frame
		if err := dec.Decode(&f); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = errors.New("the server stopped before the command finished")
			}
			return fmt.Errorf("read the response of the running server: %w", err)
		}
		if _, err := stdout.Write(append(f.Out, f.Text...)); err != nil {
			return fmt.Errorf("print the response of the running server: %w", err)
		}
		switch {
		case f.Exit == nil:
			stderr.Write(append(f.Err, f.Message...))
		case *f.Exit == exit.OK:
			return nil
		default:
			return &commandError{code: *f.Exit, text: f.Message}
		}
	}
}
