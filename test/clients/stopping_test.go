package clients_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// held are connections that stay open while the server is told to stop.
type held struct {
	events *http.Response
	socket *websocket.Conn
	ended  chan error // how reading the WebSocket ended
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
	go func() { // whoever does not read answers no ping, and is cut off after a while
		for {
			if _, _, err := h.socket.Read(context.Background()); err != nil {
				h.ended <- err
				return
			}
		}
	}()
}

// check runs when the server has ended: it must have told its listeners, so that
// they connect again at once.
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
