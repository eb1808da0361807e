package archives

import (
	"context"
	"encoding/json"
	"fmt"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// strikesFile is the document with the actions of staff against the user. Mastodon's archives have
// none.
const strikesFile = "strikes.json"

// strike is an entry of strikes.json, in the terms of the API.
type strike struct {
	ID        linnet.ID      `json:"id,string"`
	Action    string         `json:"action"`
	Text      string         `json:"text"`
	Rules     []string       `json:"rules"`
	Posts     []struckPost   `json:"posts"`
	CreatedAt string         `json:"created_at"`
	Appeal    *writtenAppeal `json:"appeal"`
}

type struckPost struct {
	ID      linnet.ID `json:"id,string"`
	Excerpt string    `json:"excerpt"`
}

type writtenAppeal struct {
	Text      string `json:"text"`
	State     string `json:"state"`
	CreatedAt string `json:"created_at"`
}

// strikes returns the strikes of the user as JSON, newest first.
func (m *making) strikes(ctx context.Context) ([]byte, error) {
	all, err := m.st.Staff.StrikesOf(ctx, m.u.ID, db.Span{Limit: linnet.MaxStrikes})
	if err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]strike, len(all))
	for i, s := range all {
		out[i] = strike{ID: s.ID, Action: string(s.Act), Text: s.Text, Rules: []string{}, Posts: []struckPost{}, CreatedAt: iso(s.ID.Time())}
		for _, r := range s.Rules {
			out[i].Rules = append(out[i].Rules, r.Text)
		}
		for _, p := range s.Posts {
			out[i].Posts = append(out[i].Posts, struckPost(p))
		}
		if a := s.Appeal; a != nil {
			out[i].Appeal = &writtenAppeal{a.Text, string(a.State), iso(a.At)}
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("encode strikes: %w", err)
	}
	return b, nil
}
