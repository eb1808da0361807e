package moderation_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestSignUpBlocks checks that sign-up rules refuse or hold matching sign-ups of each kind, and no
// others. Expired and removed rules have no effect.
func TestSignUpBlocks(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		w.SetRegistrations(linnet.RegisterOpen)
		invite := apptest.Must(w.Invites.Create(w.Ctx, linnet.Operator(), linnet.InviteDraft{Uses: 9}))(w).Code
		add := func(kind linnet.BlockKind, value string, ask bool, holds time.Duration) linnet.ID {
			b := apptest.Must(w.Moderation.SignUpBlocks.Add(w.Ctx, linnet.Operator(), linnet.SignUpBlock{Kind: kind, Value: value, Ask: ask}, holds))(w)
			return b.ID
		}
		add(linnet.BlockAddress, "2001:db8::/32", false, 0)
		add(linnet.BlockAddress, "198.51.100.7", true, 0)
		add(linnet.BlockEmail, "bad.example", false, 0)
		add(linnet.BlockEmail, "xn--bcher-kva.example", false, 0)
		add(linnet.BlockName, "viagra", false, time.Hour)
		free := add(linnet.BlockName, "free*", false, 0)
		try := func(login, from, email, invite string) (linnet.User, error) {
			in := apptest.Guest(login, invite)
			in.Email, in.From = email, netip.MustParseAddr(from)
			return w.Identity.Register(w.Ctx, in)
		}
		for _, tc := range []struct{ login, from, email, invite, want string }{
			{"ann", "2001:db8:1::5", "", "", "refused"}, {"ann", "2001:db8:1::5", "", invite, "refused"}, {"ann", "192.0.2.1", "a@x.Bad.Example", "", "refused"}, {"ann", "192.0.2.1", "a@Bücher.example", "", "refused"},
			{"bestViagra", "192.0.2.1", "", "", "reserved"}, {"FreeBirds", "192.0.2.1", "", "", "reserved"},
			{"ann", "192.0.2.1", "a@notbad.example", "", ""}, {"birdsfree", "192.0.2.1", "", "", ""}, {"asked", "::ffff:198.51.100.7", "", invite, "waits"},
		} {
			u, err := try(tc.login, tc.from, tc.email, tc.invite)
			switch got := ""; {
			case err != nil && strings.Contains(err.Error(), "is reserved"):
				got = "reserved"
				fallthrough
			case err != nil:
				if got == "" {
					got = "refused"
				}
				if apptest.WantKind(w, err, linnet.Invalid); got != tc.want || strings.Contains(err.Error(), "example") || strings.Contains(err.Error(), "2001") {
					w.Errorf("%v: %v", tc, err)
				}
			case u.Unapproved != (tc.want == "waits") || tc.want != "" && tc.want != "waits":
				w.Errorf("%v: let in, waits: %v", tc, u.Unapproved)
			}
		}
		w.OK(w.Moderation.SignUpBlocks.Remove(w.Ctx, linnet.Operator(), free))
		apptest.WantKind(w, w.Moderation.SignUpBlocks.Remove(w.Ctx, linnet.Operator(), free), linnet.NotFound)
		apptest.Must(try("freebird", "192.0.2.1", "", ""))(w)
		if all := apptest.Must(w.Moderation.SignUpBlocks.List(w.Ctx, linnet.Operator()))(w); len(all) != 5 {
			w.Errorf("%d rules are left: %+v", len(all), all)
		}
		w.Drain()
		w.Check()
	})
}

// TestSignUpQuestions checks that a sign-up must answer one of the questions, ignoring case and
// accents, unless it has an invitation.
func TestSignUpQuestions(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		w.SetRegistrations(linnet.RegisterOpen)
		ask := func(lines ...string) error {
			_, err := w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Questions: &lines})
			return err
		}
		w.OK(ask("What do linnets eat? = Seeds | thistles", "", "2 + 2 = 4 = four"))
		about := apptest.Must(w.Settings.Instance(w.Ctx))(w)
		if got := linnet.SignUpQuestionLines(about.Questions); got != "What do linnets eat? = Seeds | thistles\n2 + 2 = 4 = four" {
			w.Fatalf("asked is %q", got)
		}
		eat := about.Questions[0].ID()
		for _, tc := range []struct{ login, question, answer, want string }{
			{"ann", "", "", "Sign up at https://linnet.test/signup"}, {"ann", eat, " ", "blank"}, {"ann", eat, "four", "is incorrect"}, {"ann", "other", "seeds", "is incorrect"},
			{"ann", eat, "see", "is incorrect"}, {"ann", eat, " SÉEDS. ", ""}, {"bob", eat, "Thistles", ""}, {"cat", about.Questions[1].ID(), "Four!", ""},
		} {
			in := apptest.Guest(tc.login, "")
			in.Question, in.Answer = tc.question, tc.answer
			if _, err := w.Identity.Register(w.Ctx, in); (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				w.Errorf("%+v: %v", tc, err)
			}
		}
		invite := apptest.Must(w.Invites.Create(w.Ctx, linnet.Operator(), linnet.InviteDraft{Uses: 1}))(w).Code
		apptest.Must(w.Identity.Register(w.Ctx, apptest.Guest("dan", invite)))(w)
		long := strings.Repeat("x", linnet.MaxSignUpAsk+1)
		for _, bad := range [][]string{{"no answer"}, {"a ="}, {"= b"}, {"a = ?!"}, {"a = b", "a = c"}, {long + " = b"}, {"a = " + long}, {"a = 1|2|3|4|5|6|7|8|9|10|11"},
			strings.Split("a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1", ",")} {
			apptest.WantKind(w, ask(bad...), linnet.Invalid)
		}
		w.OK(ask())
		apptest.Must(w.Identity.Register(w.Ctx, apptest.Guest("eve", "")))(w)
		w.Drain()
		w.Check()
	})
}
