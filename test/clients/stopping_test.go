package clients_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// held contains connections that stay open while the server stops.
type held struct {
	events *http.Response
	socket *websocket.Conn
	ended  chan error // result of reading the WebSocket
}

// open opens an event stream and a WebSocket.
func (h *held) open(t *testing.T, s *server) {
	t.Helper()
	s.addUser(t, "listener")
	query := "?stream=user&access_token=" + s.token(t, "listener")
	var err error
	if h.events, err = http.Get(s.url + "/api/v1/streaming/user" + query); err != nil || h.events.StatusCode != http.StatusOK {
		t.Fatalf("open an event stream: %v, %v", h.events, err)
	}
	if h.socket, _, err = websocket.Dial(t.Context(), s.url+"/api/v1/streaming"+query, nil); err != nil {
		t.Fatalf("open a WebSocket: %v", err)
	}
	h.ended = make(chan error, 1)
	go func() { // a client that does not read does not answer pings and is disconnected
		for {
			if _, _, err := h.socket.Read(context.Background()); err != nil {
				h.ended <- err
				return
			}
		}
	}()
}

// check runs after the server has stopped. The server must have closed the streams properly, so
// that clients reconnect at once.
func (h *held) check(t *testing.T) {
	if h.socket == nil {
		return
	}
	defer func() { _, _ = h.events.Body.Close(), h.socket.CloseNow() }()
	if _, err := io.ReadAll(h.events.Body); err != nil {
		t.Errorf("the event stream broke off: %v", err)
	}
	select {
	case err := <-h.ended:
		if websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("the WebSocket ended with %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("the WebSocket has not ended with its server")
	}
}
