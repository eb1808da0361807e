package streaming

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
)

// frame is a message from a client.
type frame struct {
	Type   string `json:"type"`
	Stream string `json:"stream"`
	Tag    string `json:"tag"`
	List   string `json:"list"`
}

// errorFrame reports an invalid message. The connection stays open.
type errorFrame struct {
	Error  string `json:"error"`
	Status int    `json:"status"`
}

// textFrame returns an unmasked text message (RFC 6455 section 5.2).
func textFrame(text []byte) []byte {
	const (
		finalText      = 0x80 | 1
		length16, most = 126, 125
		length64       = 127
	)
	f := make([]byte, 0, len(text)+10)
	switch n := len(text); {
	case n <= most:
		f = append(f, finalText, byte(n))
	case n <= math.MaxUint16:
		f = binary.BigEndian.AppendUint16(append(f, finalText, length16), uint16(n))
	default:
		f = binary.BigEndian.AppendUint64(append(f, finalText, length64), uint64(n))
	}
	return append(f, text...)
}

// receive handles messages until the connection is closed. It reads without a cancelable context,
// for which the library would start a goroutine.
func (c *socket) receive() {
	defer c.conn.CloseNow()
	for {
		kind, text, err := c.conn.Read(context.Background())
		if err != nil {
			return
		}
		if c.apart(func() error { return c.reply(c.handle(kind, text)) }) != nil {
			return
		}
		// A subscription may read the store, so a socket is limited to a hundred messages a
		// second.
		time.Sleep(framePause)
	}
}

func (c *socket) handle(kind websocket.MessageType, text []byte) error {
	var f frame
	if kind != websocket.MessageText || json.Unmarshal(text, &f) != nil {
		return linnet.Errorf(linnet.Invalid, `A frame must be a JSON object such as {"type":"subscribe","stream":"user"}`)
	}
	return c.do(f)
}

func (c *socket) do(f frame) error {
	switch f.Type {
	case "subscribe", "unsubscribe":
	default:
		return linnet.FieldError("type", "ERR_INCLUSION", "%.40q is neither subscribe nor unsubscribe", f.Type)
	}
	st, err := parseStream(f.Stream, f.Tag, f.List)
	if err != nil {
		return err
	}
	if f.Type == "unsubscribe" {
		if c.subs[st] {
			c.Unsubscribe(st)
			delete(c.subs, st)
		}
		return nil
	}
	if c.subs[st] {
		return nil
	}
	if len(c.subs) >= maxOnSocket {
		return linnet.Errorf(linnet.TooMany, "Too many streams (maximum is %d per connection)", maxOnSocket)
	}
	if err := c.subscribe(st); err != nil {
		return err
	}
	c.subs[st] = true
	return nil
}

// reply sends err to the client, if there is one.
func (c *socket) reply(err error) error {
	if err == nil {
		return nil
	}
	p := request.ProblemOf(err, c.lang)
	if p.Code >= http.StatusInternalServerError && c.ctx.Err() == nil {
		c.s.opt.Log.Error("subscription failed", "code", p.Code, "user", c.who.User, "err", err)
	}
	text, err := json.Marshal(errorFrame{Error: p.Body.Error, Status: p.Code})
	if err != nil {
		return fmt.Errorf("write a frame: %w", err)
	}
	return c.write(textFrame(text))
}
