package clients_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-mastodon"
)

// talk contains posts before a session, so that it finds trends.
type talk struct {
	began  time.Time
	status mastodon.ID // the one with most favourites
}

// countedAfter is the time after which all posts count for trends. A server counts every 10 s.
const countedAfter = 11 * time.Second

// talkers are users without followers at the start of a session.
var talkers = [...]string{"spring_ann", "spring_bob", "spring_cat", "spring_dan"}

// startTalk makes users post the same tag and link, and favourite the first post.
func (s *server) startTalk(t *testing.T) {
	t.Helper()
	for i, name := range talkers {
		s.addUser(t, name)
		token := s.token(t, name)
		s.listInDirectory(t, token)
		c := mastodon.NewClient(&mastodon.Config{Server: s.url, AccessToken: token})
		post := &mastodon.Toot{Status: fmt.Sprintf("it is #springtime https://news.example/spring says no. %d", i), Visibility: "public"}
		st, err := c.PostStatus(t.Context(), post)
		if err != nil {
			t.Fatalf("post as %s: %v", name, err)
		}
		if i == 0 {
			s.talk.status = st.ID
		} else if _, err := c.Favourite(t.Context(), s.talk.status); err != nil {
			t.Fatalf("favour as %s: %v", name, err)
		}
	}
	s.talk.began = time.Now()
}

// listInDirectory makes the owner of token discoverable, which trends, suggestions
// and the directory require.
func (s *server) listInDirectory(t *testing.T, token string) {
	t.Helper()
	form := strings.NewReader("discoverable=true")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, s.url+"/api/v1/accounts/update_credentials", form)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("become discoverable: %v", err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("become discoverable: %s", resp.Status)
	}
}

// awaitTrends waits until the posts count: first for countedAfter, so that all of them count, and
// then for the first trends, on slow machines.
func (s *server) awaitTrends(ctx context.Context) error {
	time.Sleep(time.Until(s.talk.began.Add(countedAfter)))
	for end := time.Now().Add(patience); ; time.Sleep(time.Second) {
		err := s.trendsShown(ctx)
		if err == nil || time.Now().After(end) {
			return err
		}
	}
}

// trendsShown fails if trends of a kind are missing.
func (s *server) trendsShown(ctx context.Context) error {
	for _, kind := range []string{"tags", "links", "statuses"} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/v1/trends/"+kind, nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		var all []json.RawMessage
		err = json.NewDecoder(resp.Body).Decode(&all)
		_ = resp.Body.Close()
		if err != nil || len(all) == 0 {
			return fmt.Errorf("%d trending %s: %w", len(all), kind, err)
		}
	}
	return nil
}
