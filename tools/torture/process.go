package torture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is a child process that is started and stopped repeatedly.
type process struct {
	path string
	args []string
	log  string // file for its output
	cmd  *exec.Cmd
	done chan error
}

func (p *process) start() error {
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd := exec.Command(p.path, p.args...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Dir = filepath.Dir(p.log)
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", p.path, err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	p.cmd, p.done = cmd, done
	return nil
}

// kill kills the process, if it runs, like kill -9.
func (p *process) kill() {
	if p.cmd == nil {
		return
	}
	p.cmd.Process.Kill() // fails if it has exited
	<-p.done
	p.cmd = nil
}

// terminate stops the process and returns its result.
func (p *process) terminate(patience time.Duration) error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-p.done:
		p.cmd = nil
		return err
	case <-time.After(patience):
		p.kill()
		return fmt.Errorf("the process did not exit within %v of SIGTERM", patience)
	}
}

// await calls f until it returns no error.
func (p *process) await(ctx context.Context, patience time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := f(ctx)
		if err == nil {
			return nil
		}
		select {
		case ended := <-p.done:
			p.cmd = nil
			return fmt.Errorf("%s has exited: %w; see %s", p.path, errors.Join(ended, err), p.log)
		case <-ctx.Done():
			return fmt.Errorf("%s does not respond within %v: %w; see %s", p.path, patience, err, p.log)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// ready returns a function that checks whether a server is ready.
func ready(base string) func(context.Context) error {
	c := http.Client{Timeout: 3 * time.Second}
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/readyz", nil)
		if err != nil {
			return err
		}
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return errors.New("/readyz returned " + resp.Status)
		}
		return nil
	}
}

// answers returns a function that checks whether a Redis on a socket is ready.
func answers(socket string) func(context.Context) error {
	return func(ctx context.Context) error {
		var d net.Dialer
		c, err := d.DialContext(ctx, "unix", socket)
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.SetDeadline(time.Now().Add(time.Second)); err != nil {
			return err
		}
		if _, err := c.Write([]byte("PING\r\n")); err != nil {
			return err
		}
		b := make([]byte, 5)
		if n, err := c.Read(b); err != nil || string(b[:n]) != "+PONG" {
			return fmt.Errorf("response %q: %w", b[:n], errors.Join(err, errors.New("not yet ready")))
		}
		return nil
	}
}

// freeAddr returns an unused local address. Its port is below the range for outgoing connections,
// which could take it while the server is down.
func freeAddr(rng *rand.Rand) (string, error) {
	for range 100 {
		addr := fmt.Sprintf("127.0.0.1:%d", 10_000+rng.IntN(20_000))
		if l, err := net.Listen("tcp", addr); err == nil {
			return addr, l.Close()
		}
	}
	return "", errors.New("there is no free port")
}
