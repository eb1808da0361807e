package server

import (
	"bytes"
	"crypto/tls"
	"net"
	"net/http"
)

// framing parses the requests of an HTTP/1.x connection, to reject requests with both
// Content-Length and Transfer-Encoding (RFC 9112, 6.1). If a proxy used one of the two and the
// server the other, a client could prepend data to the request of another client.
//
// net/http drops the Content-Length of such a request, so handlers cannot detect it. framing
// changes one byte of the second header instead, and net/http then answers 400 and closes the
// connection.
//
// framing finds the end of each request by the same two headers, with the rules of net/http. Where
// it cannot parse a request, net/http cannot either and closes the connection. It never looks into
// bodies.
type framing struct {
	at      position
	hasLen  bool // the request has a Content-Length
	hasTE   bool // the request has a Transfer-Encoding
	framed  bool // the current or the previous line is one of the two
	spaced  bool // the digits of the Content-Length have ended
	old     bool // the request is HTTP/1.0
	digits  uint8
	left    uint64 // remaining bytes of the body or of the chunk
	seen    int    // number of bytes used in text
	text    [len("transfer-encoding")]byte
	stopped bool
}

// position is the part of a request that the next byte belongs to.
type position uint8

const (
	beforeRequest position = iota
	requestLine
	lineStart // start of a header line
	lineName
	lineRest
	lineCR // the line began with CR: LF ends the header
	lengthValue
	inBody
	chunkSize
	chunkSizeRest
	inChunk
	trailerStart
	trailerRest
	trailerCR
)

// parse parses the next bytes of the connection.
func (f *framing) parse(b []byte) {
	for len(b) > 0 && !f.stopped {
		switch f.at {
		case inBody, inChunk:
			n := min(f.left, uint64(len(b)))
			b = b[n:]
			if f.left -= n; f.left == 0 {
				if f.at == inChunk {
					f.at = chunkSize
				} else {
					f.requestRead()
				}
			}
		case requestLine, lineRest, chunkSizeRest, trailerRest:
			end := bytes.IndexByte(b, '\n')
			if end < 0 {
				f.storeVersion(b)
				return
			}
			f.storeVersion(b[:end])
			b = b[end+1:]
			f.lineRead()
		default:
			f.step(&b[0])
			b = b[1:]
		}
	}
}

// reject makes the request of c invalid: names and values of headers cannot contain NUL.
func (f *framing) reject(c *byte) {
	*c = 0
	f.stopped = true
}

// storeVersion stores the end of the request line, which contains the HTTP version.
func (f *framing) storeVersion(b []byte) {
	if f.at != requestLine {
		return
	}
	const most = len("HTTP/1.0\r")
	if len(b) >= most {
		f.seen = copy(f.text[:], b[len(b)-most:])
		return
	}
	if over := f.seen + len(b) - most; over > 0 {
		f.seen = copy(f.text[:], f.text[over:f.seen])
	}
	f.seen += copy(f.text[f.seen:], b)
}

// lineRead handles the end of a skipped line.
func (f *framing) lineRead() {
	switch f.at {
	case requestLine:
		line := bytes.TrimSuffix(f.text[:f.seen], []byte("\r"))
		*f = framing{at: lineStart, old: bytes.HasSuffix(line, []byte("HTTP/1.0"))}
	case lineRest:
		f.at = lineStart
	case chunkSizeRest:
		f.sizeRead()
	case trailerRest:
		f.at = trailerStart
	}
}

// step parses one byte.
func (f *framing) step(c *byte) {
	switch f.at {
	case beforeRequest: // net/http accepts empty lines before a request
		if *c != '\r' && *c != '\n' {
			f.at, f.seen = requestLine, 1
			f.text[0] = *c
		}
	case lineStart:
		f.lineStart(c)
	case lineName:
		f.lineName(c)
	case lengthValue:
		f.lengthValue(c)
	case lineCR:
		f.lastLine(*c, (*framing).headersRead, lineRest)
	case chunkSize:
		f.chunkSize(*c)
	case trailerStart:
		f.trailerStart(*c)
	case trailerCR:
		f.lastLine(*c, (*framing).requestRead, trailerRest)
	}
}

func (f *framing) lineStart(c *byte) {
	switch *c {
	case '\n':
		f.headersRead()
		return
	case '\r':
		f.at = lineCR
		return
	case ' ', '\t': // continuation of the previous line
		if f.framed {
			f.reject(c)
		}
		f.at = lineRest
		return
	}
	f.framed, f.seen, f.at = false, 0, lineName
	f.lineName(c)
}

func (f *framing) lineName(c *byte) {
	switch {
	case *c == ':':
		f.nameRead(c)
	case *c == '\n':
		f.at = lineStart
	case f.seen == len(f.text):
		f.at = lineRest
	default:
		f.text[f.seen] = *c
		if 'A' <= *c && *c <= 'Z' {
			f.text[f.seen] += 'a' - 'A'
		}
		if f.seen++; f.text[0] != 'c' && f.text[0] != 't' {
			f.at = lineRest
		}
	}
}

// nameRead handles the colon after a header name.
func (f *framing) nameRead(colon *byte) {
	f.at = lineRest
	switch string(f.text[:f.seen]) {
	case "content-length":
		f.framed, f.hasLen = true, true
		f.at, f.left, f.digits, f.spaced = lengthValue, 0, 0, false
	case "transfer-encoding":
		f.framed, f.hasTE = true, true
	default:
		return
	}
	// HTTP/1.0 has no Transfer-Encoding, but a proxy might use it.
	if f.hasTE && (f.hasLen || f.old) {
		f.reject(colon)
	}
}

func (f *framing) lengthValue(c *byte) {
	const most = 18 // maximum number of digits
	switch {
	case *c == '\n':
		f.at = lineStart
	case *c == ' ' || *c == '\t' || *c == '\r':
		f.spaced = f.digits > 0
	case *c < '0' || *c > '9' || f.spaced || f.digits == most && f.left >= 1e17:
		f.reject(c)
	default:
		f.left = f.left*10 + uint64(*c-'0')
		f.digits = min(f.digits+1, most)
	}
}

func (f *framing) headersRead() {
	switch {
	case f.hasTE:
		*f = framing{at: chunkSize}
	case f.left > 0:
		f.at = inBody
	default:
		f.requestRead()
	}
}

// lastLine handles the byte after a CR at the start of a line.
func (f *framing) lastLine(c byte, end func(*framing), other position) {
	if c == '\n' {
		end(f)
	} else {
		f.at = other
	}
}

func (f *framing) chunkSize(c byte) {
	digit, ok := fromHex(c)
	switch {
	case c == '\n':
		f.sizeRead()
	case !ok:
		f.at = chunkSizeRest
	case f.left >= 1<<56:
		f.stopped = true // no body has this length
	default:
		f.left = f.left<<4 | digit
	}
}

func fromHex(c byte) (uint64, bool) {
	switch {
	case '0' <= c && c <= '9':
		return uint64(c - '0'), true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return uint64(c|0x20-'a') + 10, true
	}
	return 0, false
}

func (f *framing) sizeRead() {
	if f.left == 0 {
		f.at = trailerStart
		return
	}
	f.at = inChunk
	f.left += uint64(len("\r\n"))
}

func (f *framing) trailerStart(c byte) {
	switch c {
	case '\n':
		f.requestRead()
	case '\r':
		f.at = trailerCR
	default:
		f.at = trailerRest
	}
}

func (f *framing) requestRead() { *f = framing{} }

// framedConn is a connection with framing. Only one goroutine reads it at a time.
type framedConn struct {
	net.Conn
	requests framing
}

// Read implements net.Conn.
func (c *framedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.requests.parse(p[:n])
	return n, err
}

// CloseWrite is used by net/http, so that a client can read the response to a request that it did
// not send completely.
func (c *framedConn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// release stops parsing, because the connection no longer uses HTTP.
func (c *framedConn) release() { c.requests.stopped = true }

// framedTLS is a framedConn over TLS. net/http recognizes it by ConnectionState.
type framedTLS struct {
	framedConn
	tls *tls.Conn
}

// ConnectionState is used by net/http.
func (c *framedTLS) ConnectionState() tls.ConnectionState { return c.tls.ConnectionState() }

// framingListener is a listener for HTTP/1.x without TLS that adds framing to its connections.
type framingListener struct{ net.Listener }

// Accept implements net.Listener.
func (l framingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &framedConn{Conn: c}, nil
}

// stopFraming returns a ConnState hook that stops framing when a handler takes over a connection. It
// then calls next.
func stopFraming(next func(net.Conn, http.ConnState)) func(net.Conn, http.ConnState) {
	return func(c net.Conn, state http.ConnState) {
		if f, ok := c.(interface{ release() }); ok && state == http.StateHijacked {
			f.release()
		}
		if next != nil {
			next(c, state)
		}
	}
}
