package mastodon_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

// TestFamiliarFollowersAreComplete: the response has all familiar followers of an account, and at
// least a page of them for each account of the longest request.
func TestFamiliarFollowersAreComplete(t *testing.T) {
	const friends = 45
	logins := []string{"ann", "bob"}
	for i := range friends {
		logins = append(logins, fmt.Sprint("friend", i))
	}
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, logins...)
	for _, friend := range logins[2:] {
		for follower, followed := range map[string]string{"ann": friend, friend: "bob"} {
			if _, err := w.svc.Social.Follow(t.Context(), w.ids[follower], w.ids[followed], linnet.FollowOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.settle()
	var others strings.Builder
	for id := range 199 {
		fmt.Fprintf(&others, "&id[]=%d", id+1)
	}
	w.run([]step{
		{as: "ann", do: "GET /api/v1/accounts/familiar_followers?id={bob}", want: []string{"#1", "0.id={bob}", fmt.Sprint("0.accounts#", friends)}},
		{as: "ann", do: "GET /api/v1/accounts/familiar_followers?id[]={bob}" + others.String(), want: []string{"#200", fmt.Sprint("0.accounts#", linnet.MaxPage)}},
	})
}
