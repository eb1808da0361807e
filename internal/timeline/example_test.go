package timeline_test

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/timeline"
)

// Example is the book's chapter on a social network as a program. Users follow each other, and
// posts are pushed to a thousand followers at a time. A home timeline is read page by page, and
// rebuilt if it is missing. Package timeline only needs ids, so followers are nothing else here.
func Example() {
	b := newBackend()
	ann, ben, reader := b.user("ann"), b.user("ben"), linnet.MakeID(time.Now(), 7, 1)

	b.post(ann, "before anybody follows")
	b.follow(reader, ann)
	b.post(ben, "by somebody who is followed later")
	b.follow(reader, ben)
	b.post(ann, "for followers")
	fmt.Printf("home: %q\n", b.home(reader, 10))

	for i := range 2500 { // each follow has two ids, one on each side
		b.follow(linnet.MakeID(time.Now(), uint16(i%kv.Shards), uint8(2+i/kv.Shards)), ben)
	}
	fmt.Println("a post to 2,501 followers takes", b.post(ben, "to many"), "batches")

	b.unfollow(reader, ben)
	fmt.Printf("home: %q\n", b.home(reader, 10))

	for i := range kv.FeedMax {
		b.post(ann, fmt.Sprint(i))
	}
	batch := b.st.Batch()
	feed := batch.Feed(record.HomeKey(reader), db.Span{Limit: 1})
	check(batch.Run(b.ctx))
	fmt.Println("the feed was cut at a floor:", feed.Floor > 0)
	all := b.home(reader, 2*kv.FeedMax) // entries below the floor come from profiles
	fmt.Printf("home: %d posts, the oldest is %q\n", len(all), all[len(all)-1])
	// Output:
	// home: ["for followers" "by somebody who is followed later" "before anybody follows"]
	// a post to 2,501 followers takes 3 batches
	// home: ["for followers" "before anybody follows"]
	// the feed was cut at a floor: true
	// home: 1102 posts, the oldest is "before anybody follows"
}

// backend implements the chapter's functions with the package.
type backend struct {
	ctx   context.Context
	st    *store.Store
	feeds *timeline.Service
	texts map[linnet.ID]string
}

func newBackend() *backend {
	st := store.New(memkv.New(memkv.Options{}), store.Options{})
	return &backend{context.Background(), st, timeline.New(core.Base{Store: st, Options: core.Options{}.Complete()}), map[linnet.ID]string{}}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// user is create_user of listing 8.1.
func (b *backend) user(login string) linnet.ID {
	u, _, err := b.st.Accounts.CreateUser(b.ctx, 5, linnet.User{Login: login}, record.Secret{}, later)
	check(err)
	check(b.st.Accounts.FinishSignUp(b.ctx, u.ID))
	return u.ID
}

// later returns a task. A server would run it, but here the caller continues by itself.
func later(id linnet.ID) (task.Task, error) { return task.New(id.Shard(), "example", id, time.Now()) }

// follow is follow_user of listing 8.4 and unfollow the function of listing 8.5. They write both
// sides of the relation, then the feed that depends on it.
func (b *backend) follow(who, whom linnet.ID) {
	b.relate(who, whom, true)
	home := b.feeds.Home(who)
	check(home.AddAuthor(b.ctx, whom))
}

func (b *backend) unfollow(who, whom linnet.ID) {
	b.relate(who, whom, false)
	home := b.feeds.Home(who)
	check(home.RemoveAuthor(b.ctx, whom, time.Now().Add(-timeline.FollowApplied)))
}

func (b *backend) relate(who, whom linnet.ID, live bool) {
	_, err := b.st.Relations.SetRelation(b.ctx, relations.RelationChange{Kind: record.Follows(), Owner: who, Other: whom, Live: live})
	check(err)
	_, err = b.st.Relations.CopyRelation(b.ctx, record.Follows(), who, whom, relations.Transition{}, nil)
	check(err)
}

// post is post_status of listing 8.6 and syndicate_status of listing 8.7. It returns the number
// of batches of followers.
func (b *backend) post(author linnet.ID, text string) (batches int) {
	st := linnet.Status{Author: author, Text: text, Nonce: text, Version: 1}
	_, err := b.st.Statuses.CreateStatus(b.ctx, statuses.NewStatus{Status: &st, Task: later})
	check(err)
	b.texts[st.ID] = text
	var ds timeline.Deliveries
	for at := (timeline.Cursor{Stage: timeline.StageFirst}); at.Stage != timeline.StageDone; batches++ {
		_, at, err = b.feeds.Push(b.ctx, linnet.Entry{ID: st.ID, Author: author}, record.Follows(), record.HomeKeys, at, timeline.StageDone, &ds)
		check(err)
	}
	return batches
}

// home is get_status_messages of listing 8.3, up to a limit. It returns the texts, newest first.
func (b *backend) home(who linnet.ID, limit int) (texts []string) {
	feed := timeline.NewFeedReader(b.feeds.Home(who))
	for sp := (db.Span{Limit: 40}); len(texts) < limit; {
		page, err := feed.Read(b.ctx, sp)
		check(err)
		for _, e := range page.Entries {
			texts = append(texts, b.texts[e.ID])
		}
		if page.End {
			break
		}
		sp.Below = page.Reached
	}
	return texts
}
