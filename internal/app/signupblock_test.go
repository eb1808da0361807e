package app_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// Rules against sign-ups refuse, or leave to a moderator, who signs up by whatever way, and
// nobody else; one that has expired, or was removed, is none.
func TestSignUpBlocks(t *testing.T) {
	onEngines(t, func(w *world) {
		w.registrations(linnet.RegisterOpen)
		invite := must(w.Identity.Invite(w.ctx, linnet.Operator(), linnet.InviteDraft{Uses: 9}))(w).Code
		add := func(kind linnet.BlockKind, value string, ask bool, holds time.Duration) linnet.ID {
			b := must(w.Moderation.AddSignUpBlock(w.ctx, linnet.Operator(), linnet.SignUpBlock{Kind: kind, Value: value, Ask: ask}, holds))(w)
			return b.ID
		}
		add(linnet.BlockAddress, "2001:db8::/32", false, 0)
		add(linnet.BlockAddress, "198.51.100.7", true, 0)
		add(linnet.BlockEmail, "bad.example", false, 0)
		add(linnet.BlockEmail, "xn--bcher-kva.example", false, 0)
		add(linnet.BlockName, "viagra", false, time.Hour)
		free := add(linnet.BlockName, "free*", false, 0)
		try := func(login, from, email, invite string) (linnet.User, error) {
			in := guest(login, invite)
			in.Email, in.From = email, netip.MustParseAddr(from)
			return w.Identity.Register(w.ctx, in)
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
				if kindIs(w, err, linnet.Invalid); got != tc.want || strings.Contains(err.Error(), "example") || strings.Contains(err.Error(), "2001") {
					w.Errorf("%v: %v", tc, err)
				}
			case u.Unapproved != (tc.want == "waits") || tc.want != "" && tc.want != "waits":
				w.Errorf("%v: let in, waits: %v", tc, u.Unapproved)
			}
		}
		w.did(w.Moderation.RemoveSignUpBlock(w.ctx, linnet.Operator(), free))
		kindIs(w, w.Moderation.RemoveSignUpBlock(w.ctx, linnet.Operator(), free), linnet.NotFound)
		must(try("freebird", "192.0.2.1", "", ""))(w)
		if all := must(w.Moderation.SignUpBlocks(w.ctx, linnet.Operator()))(w); len(all) != 5 {
			w.Errorf("%d rules are left: %+v", len(all), all)
		}
		w.drain()
		w.check()
	})
}
