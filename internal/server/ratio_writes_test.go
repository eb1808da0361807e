package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// writesPause is the pause between two posts, and between two favourites.
const writesPause = 20 * time.Millisecond

// writes posts and favourites while home timelines are read. After each write it checks that the
// timeline of an affected user contains it.
type writes struct {
	rig  *homeRig
	page *hammerConn
	wire [][]byte
	n    int // number of writes over all rounds
}

func newWrites(tb testing.TB, rig *homeRig, addr string) *writes {
	tb.Helper()
	return &writes{rig: rig, page: dialHammer(tb, addr), wire: rig.wire("/api/v1/timelines/home")}
}

// during calls f while posts and favourites are written.
func (w *writes) during(tb testing.TB, f func() float64) float64 {
	tb.Helper()
	stop := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(writesPause)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				if err := w.once(tb.Context()); err != nil {
					tb.Error(err)
					return
				}
			}
		}
	})
	defer done.Wait()
	defer close(stop)
	return f()
}

// once posts, and lets a follower favourite the post. The follower's home timeline must show both.
func (w *writes) once(ctx context.Context) error {
	w.n++
	users := len(w.rig.users)
	author := w.n * 37 % users
	reader := (author + 10*users - w.n*7%ratioFollows*3 - 1) % users
	v, err := w.rig.backend.App.Posting.Post(ctx, w.rig.users[author], linnet.Draft{Language: "en",
		Text: fmt.Sprintf("Note %d of this noon: another heron came and stood beside the first, and people looked & wondered.", w.n)})
	if err != nil {
		return err
	}
	if err := w.shows(reader, v.ID, `"favourites_count":0`, `"favourited":false`); err != nil {
		return fmt.Errorf("after a post: %w", err)
	}
	if _, err := w.rig.backend.App.Posting.Marks.Favourite(ctx, w.rig.users[reader], v.ID); err != nil {
		return err
	}
	if err := w.shows(reader, v.ID, `"favourites_count":1`, `"favourited":true`); err != nil {
		return fmt.Errorf("after a favourite: %w", err)
	}
	return nil
}

// shows returns an error unless the home timeline of an account contains a post in a state.
func (w *writes) shows(account int, id linnet.ID, state ...string) error {
	body, err := w.page.body(w.wire[account])
	if err != nil {
		return err
	}
	_, status, found := bytes.Cut(body, []byte(`{"id":"`+id.String()+`"`))
	if !found {
		return fmt.Errorf("stale: the home of account %d lacks status %v", account, id)
	}
	status, _, _ = bytes.Cut(status, []byte(`"content":`))
	for _, s := range state {
		if !bytes.Contains(status, []byte(s)) {
			return fmt.Errorf("stale: the home of account %d shows status %v without %s: %s", account, id, s, status)
		}
	}
	return nil
}

// body sends a request and returns the response body.
func (c *hammerConn) body(request []byte) ([]byte, error) {
	if _, err := c.Write(request); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("answer %s", strconv.Quote(answer.Status))
	}
	return io.ReadAll(answer.Body)
}
