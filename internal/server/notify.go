package server

import (
	"net"
	"time"
)

// notify sends a state such as "READY=1" or "STOPPING=1" to the service manager, as sd_notify(3)
// specifies. It does nothing without a socket.
func (s *server) notify(state string) {
	if s.opt.NotifySocket == "" {
		return
	}
	conn, err := net.Dial("unixgram", s.opt.NotifySocket) // "@" at the beginning means an abstract socket to Go as well
	if err == nil {
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Second)) // a socket supports deadlines
		_, err = conn.Write([]byte(state))
	}
	if err != nil {
		s.log.Warn("cannot notify the service manager", "state", state, "err", err)
	}
}
