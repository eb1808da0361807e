package store_test

import (
	"fmt"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/statuses"
)

// TestReplies checks that replies are stored separately by visibility. Private ones that an earlier
// release stored as public are not shown as public, not counted twice, and deleted with their
// status.
func TestReplies(t *testing.T) {
	e := memkv.New(memkv.Options{})
	s := store.New(e, store.Options{})
	ann := newUser(t, s, "ann")
	root := posted(t, s, linnet.Status{Author: ann, Text: "root", Version: 1})
	reply := func(v linnet.Visibility) *linnet.Status {
		return posted(t, s, linnet.Status{Author: ann, Text: "re", InReplyTo: root.ID, InReplyAuthor: ann, Conversation: root.ID, Visibility: v, Version: 1})
	}
	former := reply(linnet.Private)
	set := kv.Key{Kind: "replies", Shard: root.ID.Shard(), ID: root.ID.String()}
	tally := kv.Key{Kind: "tally", Shard: root.ID.Shard(), ID: root.ID.String()}
	if _, err := e.Txn(t.Context(), nil, kv.Add{Key: set, Member: former.ID.String() + "p", Score: former.ID.Millis()},
		kv.Incr{Key: tally, Name: "replies", By: 1}); err != nil {
		t.Fatal(err)
	}
	all := []*linnet.Status{former, reply(linnet.Public), reply(linnet.Unlisted), reply(linnet.Private), reply(linnet.Direct)}
	is := func(when string, open, closed []linnet.ID, counted, counters string) {
		t.Helper()
		o, c := &statuses.Replies{To: root.ID, Limit: 10}, &statuses.Replies{To: root.ID, Limit: 10, Closed: true}
		b := s.Batch()
		ref := b.Status(root.ID)
		q := &kv.Counters{Key: tally, Names: []string{"replies", "closed"}}
		for _, err := range []error{s.Statuses.Replies(t.Context(), o, c), b.Run(t.Context()), e.Read(t.Context(), q)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if fmt.Sprint(o.Found, c.Found) != fmt.Sprint(open, closed) || o.Last != 0 || c.Last != 0 {
			t.Errorf("%s: %v and %v, want %v and %v", when, o.Found, c.Found, open, closed)
		}
		if got := fmt.Sprint(ref.Replies, ref.Closed); got != counted || fmt.Sprint(q.Values) != counters {
			t.Errorf("%s: counted %s, counters %v; want %s, %s", when, got, q.Values, counted, counters)
		}
	}
	for range 2 {
		for _, st := range all {
			if err := s.Statuses.AddReply(t.Context(), st); err != nil {
				t.Fatal(err)
			}
		}
		is("entered", []linnet.ID{all[1].ID, all[2].ID}, []linnet.ID{all[3].ID, all[4].ID}, "3 2", "[3 2]")
	}
	for range 2 {
		for _, st := range all {
			if err := s.Statuses.RemoveReply(t.Context(), st); err != nil {
				t.Fatal(err)
			}
		}
		is("removed", nil, nil, "0 0", "[0 0]")
	}
}

// TestRepliesPages checks that pages of replies are consecutive.
func TestRepliesPages(t *testing.T) {
	s := store.New(memkv.New(memkv.Options{}), store.Options{})
	ann := newUser(t, s, "ann")
	root := posted(t, s, linnet.Status{Author: ann, Text: "root", Version: 1})
	var want, got []linnet.ID
	for range 7 {
		st := posted(t, s, linnet.Status{Author: ann, Text: "re", InReplyTo: root.ID, InReplyAuthor: ann, Conversation: root.ID, Version: 1})
		want = append(want, st.ID)
		if err := s.Statuses.AddReply(t.Context(), st); err != nil {
			t.Fatal(err)
		}
	}
	for after, more := linnet.ID(0), true; more; {
		a := &statuses.Replies{To: root.ID, After: after, Limit: 3}
		if err := s.Statuses.Replies(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		got = append(got, a.Found...)
		after, more = a.Last, a.Last != 0
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}
