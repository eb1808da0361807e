package redistest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// Conn is a plain connection to a server. It gives control over connections and pipelines, which
// client libraries manage themselves.
type Conn struct {
	c net.Conn
	r *bufio.Reader
}

// Dial connects to the server at addr, a path or host:port.
func Dial(addr string) (*Conn, error) {
	network := "tcp"
	if strings.HasPrefix(addr, "/") {
		network = "unix"
	}
	c, err := net.DialTimeout(network, addr, time.Second)
	if err != nil {
		return nil, err
	}
	return &Conn{c, bufio.NewReader(c)}, nil
}

// Close closes the connection.
func (c *Conn) Close() error { return c.c.Close() }

// Pipeline sends commands in one write and returns the replies in the form of Command.
func (c *Conn) Pipeline(commands ...[]string) ([]string, error) {
	if err := c.c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, args := range commands {
		fmt.Fprintf(&b, "*%d\r\n", len(args))
		for _, a := range args {
			fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
		}
	}
	if _, err := io.WriteString(c.c, b.String()); err != nil {
		return nil, err
	}
	answers := make([]string, len(commands))
	for i := range answers {
		var err error
		if answers[i], err = c.answer(); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// Command sends a command to the server at addr (a path or host:port) over a new connection. It
// returns a bulk string without its length, and of an array only the header.
func Command(addr string, args ...string) (string, error) {
	c, err := Dial(addr)
	if err != nil {
		return "", err
	}
	defer c.Close()
	answers, err := c.Pipeline(args)
	if err != nil {
		return "", err
	}
	return answers[0], nil
}

func (c *Conn) answer() (string, error) {
	line, err := c.r.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimRight(line, "\r\n")
	if !strings.HasPrefix(line, "$") || line == "$-1" {
		return line, nil
	}
	n, err := strconv.Atoi(line[1:])
	if err != nil {
		return "", err
	}
	bulk := make([]byte, n+2) // including the line break
	_, err = io.ReadFull(c.r, bulk)
	return string(bulk[:n]), err
}
