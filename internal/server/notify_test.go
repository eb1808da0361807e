package server

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestNotify expects one datagram per state, and no error without a service manager.
func TestNotify(t *testing.T) {
	dir, err := os.MkdirTemp("", "notify") // shorter than t.TempDir, because the length of a socket's path is limited
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "socket")
	l, err := net.ListenPacket("unixgram", path)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{opt: Options{NotifySocket: path}, log: slog.New(slog.DiscardHandler)}
	s.notify("READY=1")
	buf := make([]byte, 100)
	if err := l.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	n, _, err := l.ReadFrom(buf)
	if err != nil || string(buf[:n]) != "READY=1" {
		t.Errorf("heard %q, %v", buf[:n], err)
	}
	l.Close()
	s.notify("STOPPING=1")
	s.opt.NotifySocket = ""
	s.notify("READY=1")
}
