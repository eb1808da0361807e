//go:build !linux

package server

import "net"

// rejectNew does nothing on this system: new connections are accepted until the listener closes.
func rejectNew(net.Listener) bool { return false }
