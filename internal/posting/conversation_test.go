package posting_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

func wantTalks(w *apptest.World, me linnet.ID, want string) {
	w.Helper()
	if got := w.ConversationTexts(me); got != want {
		w.Errorf("conversations\n got %s\nwant %s", got, want)
	}
}

// TestConversations checks that direct statuses of the same users form one conversation, and that
// each user has a separate copy.
func TestConversations(t *testing.T) { apptest.OnEngines(t, conversations) }

func conversations(w *apptest.World) {
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	first := w.Direct(ann, "@bob hello")
	wantTalks(w, ann, "bob: @bob hello")
	wantTalks(w, bob, "ann: @bob hello (unread)")
	answer := w.Draft(bob, linnet.Draft{Text: "@ann hi", InReplyTo: first.ID, Visibility: new(linnet.Direct)})
	wantTalks(w, ann, "bob: @ann hi (unread)")
	wantTalks(w, bob, "ann: @ann hi")
	w.Direct(cat, "@ann @bob all three")
	w.Draft(ann, linnet.Draft{Text: "@cat @bob @ann yes", InReplyTo: answer.ID, Visibility: new(linnet.Direct)})
	wantTalks(w, ann, "bob+cat: @cat @bob @ann yes; bob: @ann hi (unread)")
	wantTalks(w, bob, "ann+cat: @cat @bob @ann yes (unread); ann: @ann hi")
	wantTalks(w, cat, "ann+bob: @cat @bob @ann yes (unread)")
	w.Direct(ann, "note to myself")
	wantTalks(w, ann, "ann: note to myself; bob+cat: @cat @bob @ann yes; bob: @ann hi (unread)")
	w.Post(cat, "@ann in public")
	w.Draft(cat, linnet.Draft{Text: "@ann to followers", Visibility: new(linnet.Private)})
	wantTalks(w, cat, "ann+bob: @cat @bob @ann yes (unread)")
	if got := fmt.Sprint(apptest.Texts(apptest.Must(w.Posting.Conversations.Directs(w.Ctx, ann, linnet.Page{}))(w).Items)); got != "[note to myself @cat @bob @ann yes @ann @bob all three @ann hi @bob hello]" {
		w.Errorf("all direct statuses: %s", got)
	}
	for limit := 1; limit < 4; limit++ {
		got := w.Pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Posting.Conversations.Directs(w.Ctx, bob, p)
		})
		if len(got) != 4 {
			w.Errorf("pages of %d: %v", limit, apptest.Texts(got))
		}
	}
	w.Check()
}

// TestConversationActs checks that reading, deleting and receiving a conversation affects only its
// owner.
func TestConversationActs(t *testing.T) { apptest.OnEngines(t, conversationActs) }

func conversationActs(w *apptest.World) {
	ann, bob := w.Person("ann"), w.Person("bob")
	w.Direct(ann, "@bob 1")
	w.Direct(ann, "@bob 2")
	w.Drain()
	id := w.Conversations(bob, 40)[0].ID
	if v := apptest.Must(w.Posting.Conversations.Mark(w.Ctx, bob, id, false))(w); apptest.ConversationText(v) != "ann: @bob 2" {
		w.Errorf("read: %s", apptest.ConversationText(v))
	}
	if v := apptest.Must(w.Posting.Conversations.Mark(w.Ctx, bob, id, true))(w); !v.Unread {
		w.Errorf("unread: %s", apptest.ConversationText(v))
	}
	got := apptest.Must(w.Posting.Conversations.Statuses(w.Ctx, bob, id, linnet.Page{Limit: 1}))(w)
	if fmt.Sprint(apptest.Texts(got.Items)) != "[@bob 2]" || got.Last == "" {
		w.Errorf("statuses: %v %q", apptest.Texts(got.Items), got.Last)
	}
	for _, err := range []error{apptest.Err(w.Posting.Conversations.Mark(w.Ctx, ann, id, false)), w.Posting.Conversations.Delete(w.Ctx, ann, id),
		apptest.Err(w.Posting.Conversations.Statuses(w.Ctx, ann, id, linnet.Page{})), apptest.Err(w.Posting.Conversations.Get(w.Ctx, ann, id))} {
		apptest.WantKind(w, err, linnet.NotFound)
	}
	if err := w.Posting.Conversations.Delete(w.Ctx, bob, id); err != nil {
		w.Fatal(err)
	}
	apptest.WantKind(w, w.Posting.Conversations.Delete(w.Ctx, bob, id), linnet.NotFound)
	wantTalks(w, bob, "")
	wantTalks(w, ann, "bob: @bob 2")
	w.Check()
	w.Direct(bob, "@ann 3")
	wantTalks(w, bob, "ann: @ann 3")
	wantTalks(w, ann, "bob: @ann 3 (unread)")
	if now := w.Conversations(bob, 40)[0].ID; now != id {
		w.Errorf("it came back as %v, was %v", now, id)
	}
	if got := apptest.Texts(apptest.Must(w.Posting.Conversations.Statuses(w.Ctx, bob, id, linnet.Page{}))(w).Items); fmt.Sprint(got) != "[@ann 3]" {
		w.Errorf("what was deleted is back: %v", got)
	}
	w.Check()
}

// TestConversationWithoutItsLast checks that a conversation shows the previous status when its
// newest is deleted, and is deleted with its last status.
func TestConversationWithoutItsLast(t *testing.T) { apptest.OnEngines(t, conversationWithoutItsLast) }

func conversationWithoutItsLast(w *apptest.World) {
	ann, bob := w.Person("ann"), w.Person("bob")
	s := []linnet.StatusView{w.Direct(ann, "@bob 1"), w.Direct(bob, "@ann 2"), w.Direct(ann, "@bob 3")}
	for _, step := range []struct {
		by, status linnet.ID
		want       string
	}{{ann, s[2].ID, "2"}, {ann, s[0].ID, "2"}, {bob, s[1].ID, ""}} {
		apptest.Must(w.Posting.Delete(w.Ctx, step.by, step.status))(w)
		for _, who := range []linnet.ID{ann, bob} {
			if got := w.ConversationTexts(who); step.want == "" && got != "" || !strings.Contains(got, step.want) {
				w.Errorf("after %v was deleted: %q", step.status, got)
			}
		}
		w.Check()
	}
}

// TestConversationPages checks that pages contain each conversation once, in both directions.
func TestConversationPages(t *testing.T) { apptest.OnEngines(t, conversationPages) }

func conversationPages(w *apptest.World) {
	ann := w.Person("ann")
	var want []linnet.ID
	for i := range 7 {
		w.Person(fmt.Sprintf("friend%d", i))
		want = append(want, w.Direct(ann, "@friend%d", i).ID)
	}
	slices.Reverse(want)
	w.Drain()
	lasts := func(vs []linnet.ConversationView) (out []linnet.ID) {
		for _, v := range vs {
			out = append(out, v.Last)
		}
		return out
	}
	for limit := 1; limit <= 8; limit++ {
		apptest.Equal(w, fmt.Sprintf("pages of %d", limit), lasts(w.Conversations(ann, limit)), want)
	}
	up := apptest.Must(w.Posting.Conversations.List(w.Ctx, ann, linnet.Page{Limit: 2, Min: linnet.CursorOf(want[4])}))(w)
	apptest.Equal(w, "above", lasts(up.Items), want[2:4])
	since := apptest.Must(w.Posting.Conversations.List(w.Ctx, ann, linnet.Page{Limit: 2, Since: linnet.CursorOf(want[4])}))(w)
	apptest.Equal(w, "since", lasts(since.Items), want[:2])
}

// TestConversationOutOfOrder checks that a late or repeated status does not replace a newer one,
// and does not restore a deleted conversation.
func TestConversationOutOfOrder(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	one, two, three := w.Direct(ann, "@bob 1"), w.Direct(ann, "@bob 2"), w.Direct(bob, "@ann 3")
	w.Drain()
	id := w.Conversations(bob, 1)[0].ID
	if err := w.Posting.Conversations.Delete(w.Ctx, bob, id); err != nil {
		t.Fatal(err)
	}
	for _, s := range []linnet.StatusView{one, three, two} { // repeated after the deletion
		if added := apptest.Must(w.Store.Inbox.AddToConversation(w.Ctx, bob, id, &s.Status))(t); added {
			t.Errorf("%q came back", s.Text)
		}
	}
	wantTalks(w, bob, "")
	other := record.ConversationID(ann, []linnet.ID{bob})
	wantTalks(w, ann, "bob: @ann 3 (unread)")
	apptest.Must(w.Posting.Conversations.Mark(w.Ctx, ann, other, false))(t)
	if added := apptest.Must(w.Store.Inbox.AddToConversation(w.Ctx, ann, other, &three.Status))(t); added {
		t.Error("a repeat was new")
	}
	wantTalks(w, ann, "bob: @ann 3")

	// Statuses that arrive in the opposite order of their ids.
	cat := w.Person("cat")
	apptest.Must(w.Store.Inbox.RemoveFromConversation(w.Ctx, ann, other, one.ID))(t)
	apptest.Must(w.Store.Inbox.RemoveFromConversation(w.Ctx, ann, other, two.ID))(t)
	apptest.Must(w.Store.Inbox.RemoveFromConversation(w.Ctx, ann, other, three.ID))(t)
	wantTalks(w, ann, "")
	for _, s := range []linnet.StatusView{three, two, one} {
		if added := apptest.Must(w.Store.Inbox.AddToConversation(w.Ctx, ann, other, &s.Status))(t); !added {
			t.Errorf("%q was not taken", s.Text)
		}
	}
	wantTalks(w, ann, "bob: @ann 3 (unread)")
	wantTalks(w, cat, "")
	w.Check()
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
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	at := w.Store.NewID(ann.Shard(), 0)
	status := func(i int) *linnet.Status { // each with another sequence number
		return &linnet.Status{ID: linnet.MakeID(at.Time().Add(time.Duration(i)*time.Second), ann.Shard(), uint8(i)), Author: ann, Visibility: linnet.Direct}
	}
	conversation := func(i int) linnet.ID { return record.ConversationID(ann, []linnet.ID{linnet.ID(i + 1)}) }
	// Pretends that there are five fewer than the limit.
	counts := kv.Key{Kind: "counts", Shard: ann.Shard(), ID: ann.String()}
	if _, err := w.Store.Engine().Txn(w.Ctx, nil, kv.Incr{Key: counts, Name: "conversations", By: linnet.MaxConversations - 5}); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		apptest.Must(w.Store.Inbox.AddToConversation(w.Ctx, ann, conversation(i), status(i)))(t)
	}
	cs := apptest.Must(w.Store.Inbox.Conversations(w.Ctx, ann, db.Span{Limit: 100}))(t)
	if len(cs) != 5 || cs[4].Last != status(3).ID {
		t.Errorf("%d conversations: %+v", len(cs), cs)
	}
	if added := apptest.Must(w.Store.Inbox.AddToConversation(w.Ctx, ann, conversation(0), status(0)))(t); added {
		t.Error("an old conversation pushed a newer one out")
	}
	for i := range 2 * linnet.MaxConversation {
		apptest.Must(w.Store.Inbox.AddToConversation(w.Ctx, ann, conversation(7), status(8+i)))(t)
	}
	have := apptest.Must(w.Store.Inbox.Messages(w.Ctx, ann, conversation(7), db.Span{Limit: kv.MaxRange}))(t)
	if len(have) < linnet.MaxConversation || len(have) > linnet.MaxConversation+100 || have[0] != status(7+2*linnet.MaxConversation).ID {
		t.Errorf("%d statuses, the newest %v", len(have), have[0])
	}
	if _, err := w.Store.Engine().Txn(w.Ctx, nil, kv.Incr{Key: counts, Name: "conversations", By: 5 - linnet.MaxConversations}); err != nil {
		t.Fatal(err)
	}
	b := w.Store.Batch()
	gone, kept := b.Conversation(ann, conversation(0)), b.Conversation(ann, conversation(7))
	if err := b.Run(w.Ctx); err != nil || gone.ID != 0 || kept.ID == 0 {
		t.Errorf("the oldest: %+v, the newest: %+v, %v", gone, kept, err)
	}
}

// TestConversationStream checks that conversation events reach both streams of the conversation's
// users, and no other user.
func TestConversationStream(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	ears := map[string]*apptest.Listener{"cat": w.Listen(apptest.Session(cat), apptest.Stream(linnet.StreamUser), apptest.Stream(linnet.StreamDirect))}
	for name, who := range map[string]linnet.ID{"ann": ann, "bob": bob} {
		ears[name] = w.Listen(apptest.Session(who), apptest.Stream(linnet.StreamDirect))
		ears[name+"'s home"] = w.Listen(apptest.Session(who), apptest.Stream(linnet.StreamUser))
	}
	w.Direct(ann, "@bob 1")
	two := w.Direct(ann, "@bob 2")
	w.Drain()
	ears["ann"].WaitFor("direct conversation bob: @bob 2")
	ears["bob"].WaitFor("direct conversation ann: @bob 2 (unread)")
	ears["bob's home"].WaitFor("user conversation ann: @bob 2 (unread)")
	apptest.Must(w.Posting.Conversations.Mark(w.Ctx, bob, record.ConversationID(bob, []linnet.ID{ann}), false))(t)
	ears["bob"].WaitFor("direct conversation ann: @bob 2")
	apptest.Must(w.Posting.Delete(w.Ctx, ann, two.ID))(t)
	ears["bob"].WaitFor("direct conversation ann: @bob 1")
	ears["bob"].WaitFor("direct delete")
	ears["ann"].WaitFor("direct delete")
	ears["bob's home"].WaitFor("user delete")
	w.Post(cat, "the end")
	ears["cat"].WaitFor("user update the end")
	if got := ears["cat"].Words(); len(got) != 1 {
		t.Errorf("cat hears %q", got)
	}
}
