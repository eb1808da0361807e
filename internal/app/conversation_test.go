package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

func (w *world) direct(by linnet.ID, format string, args ...any) linnet.StatusView {
	w.Helper()
	return w.draft(by, linnet.Draft{Text: fmt.Sprintf(format, args...), Visibility: new(linnet.Direct)})
}

// conversations reads all of a user's conversations, page by page.
func (w *world) conversations(me linnet.ID, limit int) []linnet.ConversationView {
	w.Helper()
	var all []linnet.ConversationView
	for p := (linnet.Page{Limit: limit}); ; {
		s := must(w.Posting.Conversations.List(w.ctx, me, p))(w)
		all = append(all, s.Items...)
		if s.Last == "" {
			return all
		}
		p.Max = s.Last
	}
}

// talks describes a user's conversations: the other users, the newest status, and whether it is
// unread.
func (w *world) talks(me linnet.ID) string {
	w.Helper()
	w.drain()
	var out []string
	for _, c := range w.conversations(me, 2) {
		out = append(out, inWordsOf(c))
	}
	return strings.Join(out, "; ")
}

func inWordsOf(c linnet.ConversationView) string {
	var with []string
	for _, u := range c.People {
		with = append(with, u.Login)
	}
	s := strings.Join(sorted(with), "+") + ": " + c.Status.Text
	if c.Unread {
		s += " (unread)"
	}
	return s
}

func (w *world) wantTalks(me linnet.ID, want string) {
	w.Helper()
	if got := w.talks(me); got != want {
		w.Errorf("conversations\n got %s\nwant %s", got, want)
	}
}

// TestConversations checks that direct statuses of the same users form one conversation, and that
// each user has a separate copy.
func TestConversations(t *testing.T) { onEngines(t, conversations) }

func conversations(w *world) {
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	first := w.direct(ann, "@bob hello")
	w.wantTalks(ann, "bob: @bob hello")
	w.wantTalks(bob, "ann: @bob hello (unread)")
	answer := w.draft(bob, linnet.Draft{Text: "@ann hi", InReplyTo: first.ID, Visibility: new(linnet.Direct)})
	w.wantTalks(ann, "bob: @ann hi (unread)")
	w.wantTalks(bob, "ann: @ann hi")
	w.direct(cat, "@ann @bob all three")
	w.draft(ann, linnet.Draft{Text: "@cat @bob @ann yes", InReplyTo: answer.ID, Visibility: new(linnet.Direct)})
	w.wantTalks(ann, "bob+cat: @cat @bob @ann yes; bob: @ann hi (unread)")
	w.wantTalks(bob, "ann+cat: @cat @bob @ann yes (unread); ann: @ann hi")
	w.wantTalks(cat, "ann+bob: @cat @bob @ann yes (unread)")
	w.direct(ann, "note to myself")
	w.wantTalks(ann, "ann: note to myself; bob+cat: @cat @bob @ann yes; bob: @ann hi (unread)")
	w.post(cat, "@ann in public")
	w.draft(cat, linnet.Draft{Text: "@ann to followers", Visibility: new(linnet.Private)})
	w.wantTalks(cat, "ann+bob: @cat @bob @ann yes (unread)")
	if got := fmt.Sprint(texts(must(w.Posting.Conversations.Directs(w.ctx, ann, linnet.Page{}))(w).Items)); got != "[note to myself @cat @bob @ann yes @ann @bob all three @ann hi @bob hello]" {
		w.Errorf("all direct statuses: %s", got)
	}
	for limit := 1; limit < 4; limit++ {
		got := w.pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Posting.Conversations.Directs(w.ctx, bob, p)
		})
		if len(got) != 4 {
			w.Errorf("pages of %d: %v", limit, texts(got))
		}
	}
	w.check()
}

// TestConversationActs checks that reading, deleting and receiving a conversation affects only its
// owner.
func TestConversationActs(t *testing.T) { onEngines(t, conversationActs) }

func conversationActs(w *world) {
	ann, bob := w.person("ann"), w.person("bob")
	w.direct(ann, "@bob 1")
	w.direct(ann, "@bob 2")
	w.drain()
	id := w.conversations(bob, 40)[0].ID
	if v := must(w.Posting.Conversations.Mark(w.ctx, bob, id, false))(w); inWordsOf(v) != "ann: @bob 2" {
		w.Errorf("read: %s", inWordsOf(v))
	}
	if v := must(w.Posting.Conversations.Mark(w.ctx, bob, id, true))(w); !v.Unread {
		w.Errorf("unread: %s", inWordsOf(v))
	}
	got := must(w.Posting.Conversations.Statuses(w.ctx, bob, id, linnet.Page{Limit: 1}))(w)
	if fmt.Sprint(texts(got.Items)) != "[@bob 2]" || got.Last == "" {
		w.Errorf("statuses: %v %q", texts(got.Items), got.Last)
	}
	for _, err := range []error{second(w.Posting.Conversations.Mark(w.ctx, ann, id, false)), w.Posting.Conversations.Delete(w.ctx, ann, id),
		second(w.Posting.Conversations.Statuses(w.ctx, ann, id, linnet.Page{})), second(w.Posting.Conversations.Get(w.ctx, ann, id))} {
		kindIs(w, err, linnet.NotFound)
	}
	if err := w.Posting.Conversations.Delete(w.ctx, bob, id); err != nil {
		w.Fatal(err)
	}
	kindIs(w, w.Posting.Conversations.Delete(w.ctx, bob, id), linnet.NotFound)
	w.wantTalks(bob, "")
	w.wantTalks(ann, "bob: @bob 2")
	w.check()
	w.direct(bob, "@ann 3")
	w.wantTalks(bob, "ann: @ann 3")
	w.wantTalks(ann, "bob: @ann 3 (unread)")
	if now := w.conversations(bob, 40)[0].ID; now != id {
		w.Errorf("it came back as %v, was %v", now, id)
	}
	if got := texts(must(w.Posting.Conversations.Statuses(w.ctx, bob, id, linnet.Page{}))(w).Items); fmt.Sprint(got) != "[@ann 3]" {
		w.Errorf("what was deleted is back: %v", got)
	}
	w.check()
}

// TestConversationWithoutItsLast checks that a conversation shows the previous status when its
// newest is deleted, and is deleted with its last status.
func TestConversationWithoutItsLast(t *testing.T) { onEngines(t, conversationWithoutItsLast) }

func conversationWithoutItsLast(w *world) {
	ann, bob := w.person("ann"), w.person("bob")
	s := []linnet.StatusView{w.direct(ann, "@bob 1"), w.direct(bob, "@ann 2"), w.direct(ann, "@bob 3")}
	for _, step := range []struct {
		by, status linnet.ID
		want       string
	}{{ann, s[2].ID, "2"}, {ann, s[0].ID, "2"}, {bob, s[1].ID, ""}} {
		must(w.Posting.Delete(w.ctx, step.by, step.status))(w)
		for _, who := range []linnet.ID{ann, bob} {
			if got := w.talks(who); step.want == "" && got != "" || !strings.Contains(got, step.want) {
				w.Errorf("after %v was deleted: %q", step.status, got)
			}
		}
		w.check()
	}
}

// TestConversationPages checks that pages contain each conversation once, in both directions.
func TestConversationPages(t *testing.T) { onEngines(t, conversationPages) }

func conversationPages(w *world) {
	ann := w.person("ann")
	var want []linnet.ID
	for i := range 7 {
		w.person(fmt.Sprintf("friend%d", i))
		want = append(want, w.direct(ann, "@friend%d", i).ID)
	}
	slices.Reverse(want)
	w.drain()
	lasts := func(vs []linnet.ConversationView) (out []linnet.ID) {
		for _, v := range vs {
			out = append(out, v.Last)
		}
		return out
	}
	for limit := 1; limit <= 8; limit++ {
		equal(w, fmt.Sprintf("pages of %d", limit), lasts(w.conversations(ann, limit)), want)
	}
	up := must(w.Posting.Conversations.List(w.ctx, ann, linnet.Page{Limit: 2, Min: linnet.CursorOf(want[4])}))(w)
	equal(w, "above", lasts(up.Items), want[2:4])
	since := must(w.Posting.Conversations.List(w.ctx, ann, linnet.Page{Limit: 2, Since: linnet.CursorOf(want[4])}))(w)
	equal(w, "since", lasts(since.Items), want[:2])
}

// TestConversationOutOfOrder checks that a late or repeated status does not replace a newer one,
// and does not restore a deleted conversation.
func TestConversationOutOfOrder(t *testing.T) {
	w := memWorld(t)
	ann, bob := w.person("ann"), w.person("bob")
	one, two, three := w.direct(ann, "@bob 1"), w.direct(ann, "@bob 2"), w.direct(bob, "@ann 3")
	w.drain()
	id := w.conversations(bob, 1)[0].ID
	if err := w.Posting.Conversations.Delete(w.ctx, bob, id); err != nil {
		t.Fatal(err)
	}
	for _, s := range []linnet.StatusView{one, three, two} { // repeated after the deletion
		if added := must(w.store.Inbox.AddToConversation(w.ctx, bob, id, &s.Status))(t); added {
			t.Errorf("%q came back", s.Text)
		}
	}
	w.wantTalks(bob, "")
	other := record.ConversationID(ann, []linnet.ID{bob})
	w.wantTalks(ann, "bob: @ann 3 (unread)")
	must(w.Posting.Conversations.Mark(w.ctx, ann, other, false))(t)
	if added := must(w.store.Inbox.AddToConversation(w.ctx, ann, other, &three.Status))(t); added {
		t.Error("a repeat was new")
	}
	w.wantTalks(ann, "bob: @ann 3")

	// Statuses that arrive in the opposite order of their ids.
	cat := w.person("cat")
	must(w.store.Inbox.RemoveFromConversation(w.ctx, ann, other, one.ID))(t)
	must(w.store.Inbox.RemoveFromConversation(w.ctx, ann, other, two.ID))(t)
	must(w.store.Inbox.RemoveFromConversation(w.ctx, ann, other, three.ID))(t)
	w.wantTalks(ann, "")
	for _, s := range []linnet.StatusView{three, two, one} {
		if added := must(w.store.Inbox.AddToConversation(w.ctx, ann, other, &s.Status))(t); !added {
			t.Errorf("%q was not taken", s.Text)
		}
	}
	w.wantTalks(ann, "bob: @ann 3 (unread)")
	w.wantTalks(cat, "")
	w.check()
}

// TestConversationID checks that the id of a conversation depends on its owner and users, but not
// on their order.
func TestConversationID(t *testing.T) {
	a, b, c := linnet.ID(5<<16), linnet.ID(7<<16), linnet.ID(3<<16)
	id := record.ConversationID(a, []linnet.ID{a, b, c})
	for _, people := range [][]linnet.ID{{c, b, a}, {b, c}, {c, a, b, a, c}} {
		if got := record.ConversationID(a, people); got != id {
			t.Errorf("%v: %v, want %v", people, got, id)
		}
	}
	seen := map[linnet.ID]bool{id: true}
	for _, other := range []linnet.ID{record.ConversationID(b, []linnet.ID{a, b, c}), record.ConversationID(a, []linnet.ID{a, b}),
		record.ConversationID(a, nil), record.ConversationID(a, []linnet.ID{c})} {
		if seen[other] || other == 0 || other > 1<<63-1 {
			t.Errorf("%v is not a new id", other)
		}
		seen[other] = true
	}
}

// TestConversationsAreBounded checks that the numbers of conversations, and of statuses per
// conversation, are limited. The oldest are deleted.
func TestConversationsAreBounded(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	at := w.store.NewID(ann.Shard(), 0)
	status := func(i int) *linnet.Status { // each with another sequence number
		return &linnet.Status{ID: linnet.MakeID(at.Time().Add(time.Duration(i)*time.Second), ann.Shard(), uint8(i)), Author: ann, Visibility: linnet.Direct}
	}
	conversation := func(i int) linnet.ID { return record.ConversationID(ann, []linnet.ID{linnet.ID(i + 1)}) }
	// Pretends that there are five fewer than the limit.
	counts := kv.Key{Kind: "counts", Shard: ann.Shard(), ID: ann.String()}
	if _, err := w.store.Engine().Txn(w.ctx, nil, kv.Incr{Key: counts, Name: "conversations", By: linnet.MaxConversations - 5}); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		must(w.store.Inbox.AddToConversation(w.ctx, ann, conversation(i), status(i)))(t)
	}
	cs := must(w.store.Inbox.Conversations(w.ctx, ann, db.Span{Limit: 100}))(t)
	if len(cs) != 5 || cs[4].Last != status(3).ID {
		t.Errorf("%d conversations: %+v", len(cs), cs)
	}
	if added := must(w.store.Inbox.AddToConversation(w.ctx, ann, conversation(0), status(0)))(t); added {
		t.Error("an old conversation pushed a newer one out")
	}
	for i := range 2 * linnet.MaxConversation {
		must(w.store.Inbox.AddToConversation(w.ctx, ann, conversation(7), status(8+i)))(t)
	}
	have := must(w.store.Inbox.Messages(w.ctx, ann, conversation(7), db.Span{Limit: kv.MaxRange}))(t)
	if len(have) < linnet.MaxConversation || len(have) > linnet.MaxConversation+100 || have[0] != status(7+2*linnet.MaxConversation).ID {
		t.Errorf("%d statuses, the newest %v", len(have), have[0])
	}
	if _, err := w.store.Engine().Txn(w.ctx, nil, kv.Incr{Key: counts, Name: "conversations", By: 5 - linnet.MaxConversations}); err != nil {
		t.Fatal(err)
	}
	b := w.store.Batch()
	gone, kept := b.Conversation(ann, conversation(0)), b.Conversation(ann, conversation(7))
	if err := b.Run(w.ctx); err != nil || gone.ID != 0 || kept.ID == 0 {
		t.Errorf("the oldest: %+v, the newest: %+v, %v", gone, kept, err)
	}
}

// TestConversationStream checks that conversation events reach both streams of the conversation's
// users, and no other user.
func TestConversationStream(t *testing.T) {
	w := memWorld(t)
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	ears := map[string]*ear{"cat": w.listen(session(cat), stream(linnet.StreamUser), stream(linnet.StreamDirect))}
	for name, who := range map[string]linnet.ID{"ann": ann, "bob": bob} {
		ears[name] = w.listen(session(who), stream(linnet.StreamDirect))
		ears[name+"'s home"] = w.listen(session(who), stream(linnet.StreamUser))
	}
	w.direct(ann, "@bob 1")
	two := w.direct(ann, "@bob 2")
	w.drain()
	ears["ann"].until("direct conversation bob: @bob 2")
	ears["bob"].until("direct conversation ann: @bob 2 (unread)")
	ears["bob's home"].until("user conversation ann: @bob 2 (unread)")
	must(w.Posting.Conversations.Mark(w.ctx, bob, record.ConversationID(bob, []linnet.ID{ann}), false))(t)
	ears["bob"].until("direct conversation ann: @bob 2")
	must(w.Posting.Delete(w.ctx, ann, two.ID))(t)
	ears["bob"].until("direct conversation ann: @bob 1")
	ears["bob"].until("direct delete")
	ears["ann"].until("direct delete")
	ears["bob's home"].until("user delete")
	w.post(cat, "the end")
	ears["cat"].until("user update the end")
	if got := ears["cat"].words(); len(got) != 1 {
		t.Errorf("cat hears %q", got)
	}
}

// TestHomePostsWithoutMessages checks that the home timeline of pages has full pages without direct
// and chat messages, among many of them, while apps get them too. The catch-up leaves them out.
func TestHomePostsWithoutMessages(t *testing.T) {
	onEngines(t, func(w *world) {
		me, ann := w.person("me"), w.person("ann")
		w.follow(me, ann)
		w.group(ann, "talk", linnet.Chat, me)
		var want []string
		for i := range 12 {
			w.post(ann, "post %d", i)
			want = append(want, fmt.Sprintf("post %d", i))
			for range 12 {
				w.direct(me, "@ann psst")
			}
			w.direct(ann, "@me psst")
			w.post(ann, "@talk to all")
		}
		w.drain()
		slices.Reverse(want)
		read := func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) { return w.Reading.HomePosts(w.ctx, me, p) }
		for range 2 {
			if got := texts(w.pages(5, read)); !slices.Equal(got, want) {
				w.Errorf("home without messages: %q", got)
			}
			page := must(read(linnet.Page{Limit: 5}))(w)
			if len(page.Items) != 5 {
				w.Errorf("a page of %d posts", len(page.Items))
			}
			if up := must(read(linnet.Page{Limit: 5, Min: page.Last}))(w); len(up.Items) != 4 {
				w.Errorf("%d posts above the last of a page", len(up.Items))
			}
			forget(w, me)
		}
		if home := must(w.Reading.Home(w.ctx, me, linnet.Page{Limit: 5}))(w); home.Items[0].Visibility != linnet.Direct {
			w.Errorf("apps get %q", texts(home.Items))
		}
		for _, r := range w.catchUp(me) {
			if r.Visibility == linnet.Direct {
				w.Errorf("the catch-up has %q", r.Text)
			}
		}
	})
}
