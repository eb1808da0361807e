package identity

import (
	"context"
	"math"
	"net/netip"
	"strings"
	"time"
	"unicode"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// Limits of failed logins within loginWindow: per account and address, per address, per network
// (48 bits of an IPv6 address), and per account. The first is low. The last is high, so that a few
// requests can't lock an account.
const (
	loginTries   = 10
	addressTries = 50
	siteTries    = 250
	loginAll     = 300
	loginWindow  = 15 * time.Minute
)

// If more than loginTotal logins of the server have failed within loginWindow, many addresses are
// guessing together. Then each address may fail only guardedTries times. Correct passwords are not
// affected.
const (
	LoginTotal   = 3000
	guardedTries = 3
)

type loginLimit struct {
	what, who string
	most      int64
}

// accountTried returns the account that a login refers to, or 0 if there is none. It also returns
// the name under which attempts are counted, which is the same for all spellings of a login.
func (s *Service) accountTried(ctx context.Context, login string) (id linnet.ID, key string, err error) {
	login = strings.TrimLeftFunc(login, func(r rune) bool { return r == '@' || unicode.IsSpace(r) })
	name, ok := s.core.LocalLogin(login)
	if !ok {
		return 0, strings.ToLower(name), nil
	}
	if id, err = s.st.Accounts.UserByLogin(ctx, name); err != nil {
		return 0, "", core.StoreError(err)
	}
	if id == 0 {
		return 0, strings.ToLower(name), nil
	}
	return id, id.String(), nil
}

// tryPassword is authenticate within the limits on failures.
func (s *Service) tryPassword(ctx context.Context, login, password string, from netip.Addr) (u linnet.User, version uint64, err error) {
	err = limitedTry(ctx, s, login, from, func(id linnet.ID) (err error) {
		u, version, err = s.authenticate(ctx, id, password)
		return err
	})
	return u, version, err
}

// limitedTry calls try for an account, 0 if it doesn't exist, within the limits of failed logins.
func limitedTry(ctx context.Context, s *Service, login string, from netip.Addr, try func(linnet.ID) error) error {
	id, account, err := s.accountTried(ctx, login)
	if err != nil {
		return err
	}
	guarded, err := s.guarded(ctx)
	if err != nil {
		return err
	}
	source, _ := core.Sources(from)
	limits := append([]loginLimit{{"login", account + " " + source, loginTries}}, addressLimits(from, guarded)...)
	forgive, err := s.countTry(ctx, append(limits, loginLimit{"loginall", account, loginAll}))
	if err != nil {
		return err
	}
	err = try(id)
	if linnet.KindOf(err) == linnet.Unauthenticated {
		s.opt.Observe.NoteLoginFailed()
		if id != 0 {
			s.security.noteFailure(ctx, id, linnet.LogInFailed)
		}
		_, _, _ = s.core.CountNow(ctx, loginTotalMeter, "", 1, math.MaxInt64, loginWindow) // if this fails, one failure is not counted
		return err
	}
	forgive()
	return err
}

// loginTotalMeter counts the failures of the whole instance.
const loginTotalMeter = "logintotal"

// guarded reports whether many addresses are guessing together.
func (s *Service) guarded(ctx context.Context) (bool, error) {
	left, _, err := s.core.CountNow(ctx, loginTotalMeter, "", 0, math.MaxInt64, loginWindow)
	return left < math.MaxInt64-LoginTotal, err
}

// addressLimits returns the limits per address, for any account.
func addressLimits(from netip.Addr, guarded bool) []loginLimit {
	perAddress, perSite := int64(addressTries), int64(siteTries)
	if guarded {
		perAddress, perSite = guardedTries, guardedTries*core.SiteShare
	}
	source, site := core.Sources(from)
	limits := []loginLimit{{"loginfrom", source, perAddress}}
	if site != "" {
		limits = append(limits, loginLimit{"loginfrom", site, perSite})
	}
	return limits
}

// countTry counts an attempt before the password is checked. Otherwise a burst would pass before
// the first attempt has failed. forgive reverts the count of a successful attempt.
func (s *Service) countTry(ctx context.Context, limits []loginLimit) (forgive func(), err error) {
	counted := 0
	forgive = func() {
		ctx := context.WithoutCancel(ctx)
		for _, l := range limits[:counted] {
			_, _, _ = s.core.CountNow(ctx, l.what, l.who, -1, math.MaxInt64, loginWindow) // if this fails, one attempt less is left
		}
	}
	for _, l := range limits {
		if _, _, err := s.core.CountNow(ctx, l.what, l.who, 1, l.most, loginWindow); err != nil {
			if linnet.KindOf(err) == linnet.TooMany {
				counted++
			}
			forgive()
			return nil, err
		}
		counted++
	}
	return forgive, nil
}
