package server

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// rejectNew rejects new connections. Connections in the backlog can still be accepted: a socket
// filter drops only SYN segments. Closing the listener would reset the backlog, which clients see
// as a broken request. A client whose SYN was dropped retries after a second, and is then refused.
func rejectNew(l net.Listener) bool {
	c, ok := l.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	const flagsAt, syn, synAck = 13, 0x02, 0x12 // offset and bits in the TCP header
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flagsAt},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: synAck},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: syn, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0xffffffff},
	}
	set := false
	err = raw.Control(func(fd uintptr) {
		set = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
			&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}) == nil
	})
	return set && err == nil
}
