package audit_test

import (
	"strings"
	"testing"
	"time"

	"linnet/internal/audit"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/task"
)

const (
	ann    = linnet.ID(1)<<32 | 5<<6 // a user of shard 5
	bob    = linnet.ID(2)<<32 | 5<<6
	poll   = linnet.ID(3)<<32 | 5<<6 // a status of ann's
	quote  = linnet.ID(4)<<32 | 5<<6 // a status of bob's
	notice = linnet.ID(5) << 32      // an announcement
	gone   = linnet.ID(9)<<32 | 5<<6 // not found
)

func put(k kv.Key, text string) kv.Op { return kv.Put{Key: k, Data: []byte(text), Version: 9} }

func add(k kv.Key, member string, score int64) kv.Op {
	return kv.Add{Key: k, Member: member, Score: score}
}

func in(kind string, id linnet.ID) kv.Key { return record.IDKey(kind, id) }

// people are two users, a poll of the first and a quote of the second.
func people() []kv.Op {
	users := record.ShardKey(record.KindUsers, 5)
	return []kv.Op{
		add(users, ann.String(), ann.Millis()), put(record.UserKey(ann), `{"login":"ann"}`),
		add(users, bob.String(), bob.Millis()), put(record.UserKey(bob), `{"login":"bob"}`),
		put(record.StatusKey(poll), `{"by":"`+ann.String()+`","poll":{"options":["a","b"]},"edits":[5]}`),
		put(record.StatusKey(quote), `{"by":"`+bob.String()+`","quote_of":"`+poll.String()+`","quote_of_by":"`+ann.String()+`"}`),
		put(record.AnnouncementKey(notice), `{"text":"hear"}`),
	}
}

// damaged are records that disagree, with a rule, a kind of key and a part of the finding's text.
func damaged() map[string][]kv.Op {
	user := `"` + ann.String() + `"`
	hash := record.Hash("x")
	return map[string][]kv.Op{
		"index announcement is not in announcements":  nil,
		"orphan announcements does not exist":         {add(record.AnnouncementsKey(), gone.String(), 1)},
		"record reactionnames a occurs twice":         {put(record.ReactionNamesKey(notice), `{"names":["a","a"]}`)},
		"orphan reactionnames does not exist":         {put(record.ReactionNamesKey(gone), `{}`)},
		"I4 counter reactioncounts 0 is 0":            {add(record.ReactionsKey(notice), ann.String(), 1)},
		"I4 counter reactioncounts is empty":          {kv.Incr{Key: record.ReactionCountsKey(notice), Name: "0", By: 1}},
		"I5 edge reactions is not in reacted":         {add(record.ReactionsKey(notice), ann.String(), 1)},
		"record reactions does not exist":             {add(record.ReactionsKey(notice), ann.String(), 1)},
		"I11 task status does not exist":              nil, // that closes the poll
		"index status version:":                       nil,
		"I4 counter ballots voters is 0":              {add(record.VotersKey(poll), ann.String(), 1)},
		"I4 counter ballots is empty":                 {kv.Incr{Key: record.BallotsKey(poll), Name: "voters", By: 1}},
		"record voters is not a vote":                 {add(record.VotersKey(poll), ann.String(), 3)},
		"I5 edge voters is not in voted":              {add(record.VotersKey(poll), ann.String(), 1)},
		"orphan voters has no poll":                   {add(record.VotersKey(quote), ann.String(), 1)},
		"index status is not in quotes":               nil,
		"index quotes does not quote":                 {add(record.QuotesKey(quote), poll.String(), poll.Millis())},
		"I7 private closedquotes should be in quotes": {add(in(record.KindClosedQuotes, poll), quote.String(), quote.Millis())},
		"orphan version was edited 1 times":           {put(record.VersionKey(poll, 1), `{"by":`+user+`}`)},
		"I6 deleted pins does not exist":              {put(in(record.KindPins, ann), `{"statuses":["`+gone.String()+`"]}`)},
		"record pins is not a status of this user":    {put(in(record.KindPins, ann), `{"statuses":["`+poll.String()+`"]}`)},
		"orphan note is not in noted":                 {put(record.NoteKey(ann, bob), `""`)},
		"index noted does not exist":                  {add(in(record.KindNoted, ann), bob.String(), 1)},
		"orphan invite is not in invites":             {put(record.InviteKey("c"), `{}`)},
		"I4 counter inviteuses at most 0":             {put(record.InviteKey("c"), `{}`), kv.Incr{Key: record.InviteUsesKey("c"), Name: record.UsesCounter, By: 1}},
		"I4 counter inviteuses has 1":                 {add(record.InviteesKey("c"), ann.String(), 1)},
		"index invitees is not in invitees":           {put(record.InviteKey("c"), `{}`), put(record.SecretKey(ann), `{"invite":"c"}`)},
		"I9 unique secret does not exist":             {put(record.SecretKey(ann), `{"email":"x","mail":{"confirmed":1}}`)},
		"I9 unique email does not exist":              {put(record.EmailKey(hash), `{"user":`+user+`}`)},
		"I9 unique email does not refer back":         {put(record.EmailKey(hash), `{"user":`+user+`}`), put(record.SecretKey(ann), `{}`)},
		"I9 unique passkey does not exist":            {put(record.PasskeyKey(hash), `{"user":`+user+`}`)},
		"I11 task archive does not exist":             {put(in(record.KindArchive, ann), `{}`)},
		"index imports does not exist":                {put(record.ImportsKey(ann), `{"all":[{"id":"7","state":"finished","chunks":1}]}`)},
		"orphan importrows does not exist":            {put(record.ImportRowsKey(ann, 7, 0), `[]`)},
		"orphan importrows does not refer back":       {put(record.ImportRowsKey(ann, 7, 0), `[]`), put(record.ImportsKey(ann), `{}`)},
		"index attachment is not in attachments":      {put(record.AttachmentKey(gone), `{"id":"`+gone.String()+`","owner":`+user+`,"name":"f"}`)},
		"file attachment file f is missing":           {put(record.AttachmentKey(gone), `{"id":"`+gone.String()+`","owner":`+user+`,"name":"f"}`)},
		"orphan attachments does not exist":           {add(record.AttachmentsKey(ann), gone.String(), 1)},
		"index scheduled does not exist":              {put(record.ScheduledKey(gone), `{"owner":`+user+`,"at":5}`)},
		"I11 task scheduled task:":                    {put(record.ScheduledKey(gone), `{"owner":`+user+`,"at":5}`)},
		"orphan schedule does not exist":              {put(record.ScheduleKey(ann), `{"entries":[{"id":"`+gone.String()+`","at":5}]}`)},
		"record oldposts after 5 days":                {put(record.OldPostsKey(ann), `{"choice":{"days":5}}`)},
		"orphan terms does not exist":                 {put(record.TermsKey("2026-01-01"), `{}`)},
		"orphan style does not refer back":            {put(record.StyleKey(), `{}`), put(record.MetaKey("instance"), `{}`)},
		"orphan meta terms:":                          {put(record.MetaKey("instance"), `{"terms":["2026-01-01"]}`)},
		"index meta notified of version 0":            {put(record.EmojisKey(), `{}`)},
		"index report is not in reports":              {put(in(record.KindReport, gone), `{"on":`+user+`}`)},
		"orphan reports does not exist":               {add(record.ReportsKey(5, "open"), gone.String(), 1)},
		"index strike is not in strikes":              {put(record.StrikeKey(gone), `{"on":`+user+`}`)},
		"index strike is not in appeals":              {put(record.StrikeKey(gone), `{"on":`+user+`,"appeal":{"state":"pending"}}`)},
		"orphan strikes does not exist":               {add(record.StrikesKey(ann), gone.String(), 1)},
		"index strikes does not belong":               {add(record.StrikesKey(ann), gone.String(), 1), put(record.StrikeKey(gone), `{"on":"`+bob.String()+`"}`)},
		"index appeals does not belong":               {add(record.AppealsKey(5), gone.String(), 1), put(record.StrikeKey(gone), `{"on":`+user+`}`)},
		"orphan act is not in acts":                   {put(record.ActKey(gone), `{}`)},
		"index state does not belong in this":         {add(record.StateKey(5, "suspended"), ann.String(), 1)},
		"index staff does not belong in this":         {add(record.ShardKey(record.KindStaff, 0), ann.String(), 1)},
		"index directory does not belong in this":     {add(record.DirectoryKey(linnet.DirectoryNew, record.DirectorySlice(ann)), ann.String(), 1)},
		"orphan conversation is not in conversations": {put(record.ConversationKey(record.KindConversation, ann, 7), `{"last":"`+gone.String()+`"}`)},
		"I6 deleted messages the conversation was":    {put(record.ConversationKey(record.KindConversation, ann, 7), `{}`), add(record.ConversationKey(record.KindMessages, ann, 7), gone.String(), gone.Millis())},
		"I6 deleted messages does not exist":          {add(record.ConversationKey(record.KindMessages, ann, 7), gone.String(), gone.Millis())},
		"index messages has visibility public":        {add(record.ConversationKey(record.KindMessages, ann, 7), poll.String(), poll.Millis())},
		"index conversations does not exist":          {add(record.ConversationsKey(ann), record.ListedAs(gone, 7), gone.Millis())},
		"record ownfeeds has no sources":              {put(record.OwnFeedsKey(ann), `{"feeds":[{"id":"`+gone.String()+`"}]}`)},
		"orphan ranking does not exist":               {put(record.RankingKey(gone), `{"owner":`+user+`,"since":"1","entries":""}`)},
		"index tagnames tag:":                         {add(record.TagNamesKey("birds"), "birds", 0)},
		"orphan linked is not in":                     {add(record.LinkedKey("abc"), poll.String(), poll.Millis())},
		"record searchqueue is not a status":          {add(record.SearchQueueKey(0), ann.String(), 1)},
		"orphan searchpart does not exist":            {put(record.SearchPartKey("s", 0), "x")},
		"orphan push does not exist":                  {kv.Put{Key: record.PushKey(ann, "ab"), Data: record.EncodePush(&linnet.PushSubscription{ID: 7, User: ann, Endpoint: "e"}), Version: 1}},
		"I11 task backup run linnet restore again":    {put(record.RestoringKey(), `{}`)},
		"I11 task move run linnet migrate again":      {put(record.FillingKey(), `{}`)},
		"I11 task task is not in later":               {put(task.Key(5, "T"), `{}`)},
		"I11 task task the value is not JSON":         {put(task.Key(5, "T"), `{`)},
		"I11 task deadtasks task T failed":            {add(task.DeadKey(5), "T", 1)},
		"record watching.gone is not an id of its":    {add(kv.Key{Kind: "watching.gone", Shard: 6, ID: ann.String()}, bob.String(), 1)},
		"I4 counter counts conversations is 1":        {kv.Incr{Key: record.CountsKey(ann), Name: record.ConversationsCounter, By: 1}},
		"I4 counter counts mutes is 0, but mutes":     {add(record.MutesKey(ann), bob.String(), 1)},
		"I4 counter stats is empty":                   {kv.Incr{Key: record.ShardKey(record.KindStats, 6), Name: record.GroupsCounter, By: 1}},
		"I4 counter usertags is 0":                    {add(record.UserTagKey(ann, "birds"), poll.String(), poll.Millis())},
		"record bookmarks is not an id":               {add(in(record.KindBookmarks, ann), "x", 1)},
		"record markers decode record":                {put(in(record.KindMarkers, ann), "{")},
	}
}

// TestDamage expects a finding for each kind of damage.
func TestDamage(t *testing.T) {
	for want, ops := range damaged() {
		e := memkv.New(memkv.Options{})
		var keys []kv.Key
		for _, op := range append(people(), ops...) {
			if _, err := e.Txn(t.Context(), nil, op); err != nil {
				t.Fatalf("%s: %v", want, err)
			}
			keys = append(keys, kv.KeyOfOp(op))
		}
		places := func(*linnet.Status) (bool, []string) { return false, nil }
		a := audit.New(e, time.Now, places).WithFiles(func(string) bool { return false })
		got, err := a.Keys(t.Context(), keys)
		if err != nil {
			t.Fatal(err)
		}
		if !found(got.Findings, want) {
			t.Errorf("no finding %q in %+v", want, got.Findings)
		}
	}
}

// found reports whether there is a finding "rule kind … part of its text".
func found(all []audit.Finding, want string) bool {
	for _, f := range all {
		text, ok := strings.CutPrefix(want, string(f.Rule)+" "+f.Key.Kind+" ")
		if ok && strings.Contains(f.Text, text) {
			return true
		}
	}
	return false
}
