package clients_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mattn/go-mastodon"
)

// events receives home by server-sent events.
func (g *goSession) events(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events, err := g.we.StreamingUser(ctx)
	if err != nil {
		return err
	}
	return g.listen(ctx, "events", events)
}

// webSocket receives home by WebSocket.
func (g *goSession) webSocket(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events, err := g.we.NewWSClient().StreamingWSUser(ctx)
	if err != nil {
		return err
	}
	return g.listen(ctx, "socket", events)
}

// listen waits for a status with a mention, its notification, and its deletion. The text contains
// the name of the stream, because new accounts cannot repeat a text within an hour.
func (g *goSession) listen(ctx context.Context, stream string, events <-chan mastodon.Event) error {
	// The library does not report when it is connected, so statuses are posted until one arrives.
	// Events of the first one may have been sent before the connection, so the next one must arrive
	// completely.
	defer drain(events)
	seen := map[string]bool{}
	var posted []mastodon.ID
	deadline := time.After(patience)
	for tries := 0; !seen["update"]; tries++ {
		st, err := g.them.PostStatus(ctx, &mastodon.Toot{Status: fmt.Sprintf("live @goma by %s %d", stream, tries)})
		if err != nil {
			return err
		}
		posted = append(posted, st.ID)
		if err := await(events, deadline, 500*time.Millisecond, posted, seen, "update"); err != nil {
			return err
		}
	}
	clear(seen)
	live, err := g.them.PostStatus(ctx, &mastodon.Toot{Status: fmt.Sprintf("live @goma by %s at last", stream)})
	if err != nil {
		return err
	}
	posted = []mastodon.ID{live.ID}
	if err := await(events, deadline, patience, posted, seen, "update"); err != nil {
		return err
	}
	if err := await(events, deadline, patience, posted, seen, "notification"); err != nil {
		return err
	}
	if err := g.them.DeleteStatus(ctx, live.ID); err != nil {
		return err
	}
	if err := await(events, deadline, patience, posted, seen, "delete"); err != nil {
		return err
	}
	if !seen["notification"] || !seen["delete"] {
		return fmt.Errorf("events seen: %v", seen)
	}
	return nil
}

// await receives events about the statuses ids until one of kind arrives or the time is up. Before the
// deadline that is not an error.
func await(events <-chan mastodon.Event, deadline <-chan time.Time, most time.Duration, ids []mastodon.ID,
	seen map[string]bool, kind string) error {
	enough := time.After(most)
	for !seen[kind] {
		select {
		case <-deadline:
			return fmt.Errorf("no %s event within %v; seen: %v", kind, patience, seen)
		case <-enough:
			return nil
		case ev, open := <-events:
			if !open {
				return fmt.Errorf("the stream ended; seen: %v", seen)
			}
			switch ev := ev.(type) {
			case *mastodon.ErrorEvent:
				return fmt.Errorf("stream: %w", ev.Err)
			case *mastodon.UpdateEvent:
				seen["update"] = seen["update"] || slices.Contains(ids, ev.Status.ID)
			case *mastodon.NotificationEvent:
				seen["notification"] = seen["notification"] || slices.Contains(ids, ev.Notification.Status.ID)
			case *mastodon.DeleteEvent:
				seen["delete"] = seen["delete"] || slices.Contains(ids, ev.ID)
			}
		}
	}
	return nil
}

// drain lets the library's goroutine end, which sends its last events without checking the context.
func drain(events <-chan mastodon.Event) {
	go func() {
		end := time.After(time.Minute)
		for {
			select {
			case _, open := <-events:
				if !open {
					return
				}
			case <-end:
				return
			}
		}
	}()
}
