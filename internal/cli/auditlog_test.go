package cli

import (
	"archive/zip"
	"bytes"
	"cmp"
	"image"
	"image/png"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"linnet/internal/backend"
	"linnet/internal/config"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/wording"
)

// changingCommands returns the commands that change an installation, in an order that satisfies
// their requirements, with their entries in the audit log. CODE means the invitation code or the
// announcement id that an earlier command created, or the id of a post or strike of bob.
func changingCommands() []struct{ line, logged string } {
	return []struct{ line, logged string }{
		{"user create ann --admin", "create"}, {"user create bob", "create"}, {"user create cat", "create"},
		{"user password bob", "password"}, {"user role bob moderator", "role"}, {"user two-factor-off bob", "two_factor_off"},
		{"user reset-link bob", "reset_link"}, {"user tokens --count 1", "issue_tokens"}, {"user export bob lists", "export Lists"}, {"user import bob tweets.zip", "import_posts"}, {"user suspend cat", "suspend"},
		{"user unsuspend cat", "unsuspend"}, {"user silence cat", "silence"}, {"user unsilence cat", "unsilence"},
		{"user sensitive cat", "sensitive"}, {"user unsensitive cat", "unsensitive"}, {"user disable cat", "disable"},
		{"user enable cat", "enable"}, {"user delete cat --yes", "delete"}, {"instance set registrations=approval", "settings"},
		{"instance picture icon none", "settings Logo: none → none"}, {"group picture flock avatar none", "edit_group avatar"},
		{"instance set link-previews=true", "settings Link previews: “off” → “on”"}, {"user approve dan", "approve"}, {"user reject eve", "reject"}, {"instance set privacy-policy=None.", "settings Privacy policy: none → “None.”"},
		{"instance rule add Kindness", "settings Rules: none → “Kindness”"}, {"instance rule remove 1", "settings Rules: “Kindness” → none"}, {"tasks retry T1", "retry_task T1"},
		{"feed import bob feeds.opml", "import_posts feeds from feeds.opml"}, {"tasks drop all", "drop_task 2 tasks"}, {"invite create", "invite"}, {"invite revoke CODE", "revoke_invite"},
		{"signup block add email bad.example", "block_sign_up e-mail domain bad.example: sign-up is blocked"}, {"signup block remove CODE", "unblock_sign_up e-mail domain bad.example"},
		{"signup question add a=b", "settings Sign-up questions: none → “a = b”"}, {"signup question remove 1", "settings Sign-up questions: “a = b” → none"},
		{"emoji add blob -", "add_emoji :blob:"}, {"emoji set :blob: category=Blobs disabled=true", "change_emoji :blob: Category: none → “Blobs”; Disabled: “off” → “on”"}, {"emoji delete blob", "delete_emoji :blob:"},
		{"announcement add Hello", "announce Hello"}, {"announcement set CODE publish=never", "unpublish_announcement"}, {"announcement set CODE publish=now", "publish_announcement"},
		{"announcement set CODE text=Bye", "edit_announcement"}, {"announcement delete CODE", "delete_announcement"},
		{"role add Helper permissions=manage_reports", "add_role Name: none → “Helper”; Manage reports: “off” → “on”"}, {"role edit helper highlighted=true", "change_role Helper: Shown on profiles: “off” → “on”"},
		{"user role bob Helper", "role moderator → Helper"}, {"user role bob member", "role Helper → member"}, {"role remove Helper", "delete_role Name: “Helper” → none; Shown on profiles: “on” → “off”; Manage reports: “on” → “off”"},
		{"terms set 2999-01-31 Kindness", "settings Terms of service effective 2999-01-31: none → “Kindness”"},
		{"terms remove 2999-01-31", "settings Terms of service effective 2999-01-31: “Kindness” → none"},
		{"user warn bob --reason loud", "none"},
		{"post remove-picture CODE 1", "remove_picture"}, {"post delete CODE", "delete_statuses"}, {"post sensitive CODE", "mark_statuses_as_sensitive"},
		{"feed set who=off", "settings External feeds: members → off"}, {"feed remove example.org", "delete"},
		{"strike approve CODE", "approve_appeal"}, {"strike reject CODE", "reject_appeal"},
	}
}

// readingCommands returns the commands that change nothing that an audit log records.
func readingCommands() []string {
	return []string{"user list", "user show", "audit list", "instance show", "tasks list", "doctor", "check", "digest", "backup", "migrate", "media", "search show", "search rebuild", "trace", "inspect", "invite list", "signup block list", "signup question list", "role list", "emoji list", "announcement list", "terms list", "terms show", "strike list", "feed list", "feed add", "feed fetch"}
}

// codeIn returns the code that a command created for later commands, or the previous one.
func codeIn(line, out, before string) string {
	switch {
	case strings.HasPrefix(line, "announcement add"):
		id, _, _ := strings.Cut(out, " ")
		return id
	case strings.HasPrefix(line, "announcement"):
		return before
	}
	return strings.TrimSpace(out[strings.LastIndexByte(out, '/')+1:])
}

// smallPicture returns a file for a command that takes one.
func smallPicture(takes bool) []byte {
	if !takes {
		return nil
	}
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))) // a buffer accepts all writes
	return b.Bytes()
}

// aTweet returns an archive of X.
func aTweet(t *testing.T) io.Reader {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("data/tweets.js")
	if err == nil {
		_, err = io.WriteString(w, `window.YTD.tweets.part0 = [ {"tweet": {"id_str": "1212092628029698048", "full_text": "hello", "created_at": "Wed Jan 01 00:00:00 +0000 2020"}} ]`)
	}
	if err = cmp.Or(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return &b
}

// storeWithDeadTasks returns an empty store with three failed tasks.
func storeWithDeadTasks(t *testing.T) (*config.Config, *backend.Backend) {
	t.Helper()
	cfg, err := config.Resolve(map[string]string{"data": t.TempDir()}, config.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Reserve = 0
	b, err := backend.Open(t.Context(), cfg, backend.Options{PublicURL: "https://linnet.test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	for _, id := range []string{"T1", "T2", "T3"} {
		if err := b.Engine.Apply(t.Context(), kv.Put{Key: task.Key(1, id), Data: []byte(`{"kind":"none","args":{}}`), Version: 1},
			kv.Add{Key: task.DeadKey(1), Member: id, Score: 1}); err != nil {
			t.Fatal(err)
		}
	}
	return cfg, b
}

// addFeed adds the account of a feed without a request to its site.
func addFeed(t *testing.T, b *backend.Backend) {
	t.Helper()
	u, _, err := b.Store.Accounts.CreateUser(t.Context(), store.RandomShard(), linnet.User{Login: "example.org", Bot: true, Feed: "https://example.org/feed"}, record.Secret{},
		func(id linnet.ID) (task.Task, error) { return task.New(id.Shard(), "none", struct{}{}, b.Store.Now()) })
	if err == nil {
		err = b.Store.Accounts.FinishSignUp(t.Context(), u.ID)
	}
	if err == nil {
		_, err = b.Store.Accounts.AddOutsideFeed(t.Context(), &linnet.OutsideFeed{User: u.ID, URL: u.Feed})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func idOfBob(t *testing.T, b *backend.Backend) linnet.ID {
	t.Helper()
	bob, err := b.App.Moderation.AccountNamed(t.Context(), linnet.Operator(), "bob")
	if err != nil {
		t.Fatal(err)
	}
	return bob.ID
}

// postOfBob creates a post with a picture and returns its id.
func postOfBob(t *testing.T, b *backend.Backend) string {
	t.Helper()
	f, err := b.App.Uploads.Receive(bytes.NewReader(smallPicture(true)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	bob := idOfBob(t, b)
	a, err := b.App.Uploads.Upload(t.Context(), bob, f, nil, linnet.AttachmentChange{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := b.App.Posting.Post(t.Context(), bob, linnet.Draft{Text: "hello " + a.ID.String(), Media: []linnet.ID{a.ID}})
	if err != nil {
		t.Fatal(err)
	}
	return v.ID.String()
}

// appealOfBob appeals bob's latest strike without an appeal and returns its id.
func appealOfBob(t *testing.T, b *backend.Backend) string {
	t.Helper()
	bob := idOfBob(t, b)
	strikes, err := b.App.Moderation.Strikes.Own(t.Context(), bob, linnet.Page{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(strikes.Items, func(s linnet.StrikeView) bool { return s.Appeal == nil })
	if _, err := b.App.Moderation.Strikes.Appeal(t.Context(), bob, strikes.Items[i].ID, "I was kind."); err != nil {
		t.Fatal(err)
	}
	return strikes.Items[i].ID.String()
}

// TestCommandsAreLogged expects an audit log entry for each command that changes something. It
// fails for commands that neither table contains.
func TestCommandsAreLogged(t *testing.T) {
	cfg, b := storeWithDeadTasks(t)
	acts := func() []linnet.ActView {
		t.Helper()
		b.WaitIdle(t.Context())
		page, err := b.App.Moderation.Acts(t.Context(), linnet.Operator(), linnet.Page{Limit: 200})
		if err != nil {
			t.Fatal(err)
		}
		return page.Items
	}
	known, code := readingCommands(), ""
	for _, row := range changingCommands() {
		if strings.HasPrefix(row.line, "user approve") {
			for _, login := range []string{"dan", "eve"} {
				if _, err := b.App.Identity.Register(t.Context(), linnet.SignUp{Login: login, Password: "correct horse", Agreed: true, Reason: "birds", Email: login + "@example.com"}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if strings.HasPrefix(row.line, "group picture") {
			ann, err := b.App.Moderation.AccountNamed(t.Context(), linnet.Operator(), "ann")
			if err == nil {
				_, err = b.App.Groups.CreateGroup(t.Context(), ann.ID, linnet.NewGroup{Login: "flock", Name: "Flock", Kind: linnet.PublicGroup})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		switch {
		case strings.HasPrefix(row.line, "feed remove"):
			addFeed(t, b)
		case strings.HasPrefix(row.line, "post "):
			code = postOfBob(t, b)
		case strings.HasPrefix(row.line, "strike "):
			code = appealOfBob(t, b)
		}
		before := len(acts())
		line, err := parseLine(commands(), strings.Fields(strings.ReplaceAll(row.line, "CODE", code)))
		if err != nil {
			t.Fatalf("%s: %v", row.line, err)
		}
		stream := aTweet(t)
		if line.cmd.name == "feed import" {
			stream = strings.NewReader(`<opml version="2.0"><body><outline type="rss" xmlUrl="https://127.0.0.1/feed"/></body></opml>`)
		}
		var out strings.Builder
		sent := smallPicture(line.cmd.file && !strings.HasSuffix(row.line, noFile))
		if err := line.cmd.act(t.Context(), &call{line: line, cfg: cfg, secret: "correct horse", file: sent, stream: stream, stdout: &out, stderr: io.Discard}, b); err != nil {
			t.Fatalf("%s: %v", row.line, err)
		}
		code = codeIn(row.line, out.String(), code)
		known = append(known, line.cmd.name)
		after := acts()
		if len(after) != before+1 {
			t.Errorf("%s leaves %d entries, want 1", row.line, len(after)-before)
			continue
		}
		got := strings.TrimSpace(string(after[0].Act.Act) + " " + wording.Message(after[0].Detail).String())
		if after[0].By != 0 || got != row.logged && !strings.HasPrefix(got, row.logged+" ") {
			t.Errorf("%s leaves %q by %v, want %q by nobody", row.line, got, after[0].By, row.logged)
		}
	}
	for _, c := range commands() {
		if c.act != nil && !slices.Contains(known, c.name) {
			t.Errorf("nobody says whether %q changes something", c.name)
		}
	}
}
