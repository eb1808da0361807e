//go:build !linux

package server

import "net"

// refuseNew does nothing on this system: new connections are accepted until the listener closes.
func refuseNew(net.Listener) bool { return false }
