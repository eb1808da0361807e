package server

import (
	"net"
	"time"
)

// notify tells a service manager how this process is, in the protocol of
// sd_notify(3): "READY=1" or "STOPPING=1" in one datagram to the socket that
// NOTIFY_SOCKET names. Without that variable nobody wants to know.
func (s *server) notify(state string) {
	if s.opt.NotifySocket == "" {
		return
	}
	conn, err := net.Dial("unixgram", s.opt.NotifySocket) // "@" at the beginning means an abstract socket to Go as well
	if err == nil {
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Second)) // a socket always takes a deadline
		_, err = conn.Write([]byte(state))
	}
	if err != nil {
		s.log.Warn("cannot notify the service manager", "state", state, "err", err)
	}
}
