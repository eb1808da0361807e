package clients_test

import (
	"context"
	"fmt"

	"github.com/mattn/go-mastodon"
)

// poll posts a poll, votes once, is refused a second vote, and receives the poll when the status is
// deleted.
func (g *goSession) poll(ctx context.Context) error {
	asked, err := g.them.PostStatus(ctx, &mastodon.Toot{Status: "tea?", Poll: &mastodon.TootPoll{Options: []string{"yes", "no"}, ExpiresInSeconds: 300}})
	if err != nil {
		return err
	}
	voted, err := g.we.PollVote(ctx, asked.Poll.ID, 1)
	if err != nil || voted.VotesCount != 1 || voted.Options[1].VotesCount != 1 || !voted.Voted {
		return fmt.Errorf("after the vote: %+v, %v", voted, err)
	}
	if _, err := g.we.PollVote(ctx, asked.Poll.ID, 0); err == nil {
		return fmt.Errorf("a second vote is accepted")
	}
	seen, err := g.we.GetPoll(ctx, asked.Poll.ID)
	if err != nil || seen.Expired || len(seen.OwnVotes) != 1 || seen.OwnVotes[0] != 1 {
		return fmt.Errorf("the poll: %+v, %v", seen, err)
	}
	return g.them.DeleteStatus(ctx, asked.ID)
}
