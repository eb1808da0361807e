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

// Log-ins that may fail within loginWindow: at an account from one address, from an
// address, from a site (an IPv6 network of 48 bits), and at an account from
// anywhere. The first is tight; the last is wide, so that nobody can lock somebody
// else out with a handful of requests.
const (
	loginTries   = 10
	addressTries = 50
	siteTries    = 250
	loginAll     = 300
	loginWindow  = 15 * time.Minute
)

// When more than loginTotal log-ins of the whole installation have failed within
// loginWindow, many addresses are guessing together, and each may fail only
// guardedTries times. Whoever knows the password gets in at the first.
const (
	LoginTotal   = 3000
	guardedTries = 3
)

type loginLimit struct {
	what, who string
	most      int64
}

// accountTried finds the account that a log-in is for, 0 if there is none, and the
// name under which attempts at it are counted: one for all spellings of a login.
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

// limitedTry lets somebody try a password at an account, 0 if there is no such, within the limits on
// failures.
func limitedTry(ctx context.Context, s *Service, login string, from netip.Addr, try func(linnet.ID) error) error {
	id, account, err := s.accountTried(ctx, login)
	if err != nil {
		return err
	}
	guarded, err := s.guarded(ctx)
	if err != nil {
		return err
	}
	forgive, err := s.countTry(ctx, loginLimits(account, from, guarded))
	if err != nil {
		return err
	}
	err = try(id)
	if linnet.KindOf(err) == linnet.Unauthenticated {
		s.opt.Observe.NoteLoginFailed()
		if id != 0 {
			s.security.noteFailure(ctx, id, linnet.LogInFailed)
		}
		_, _, _ = s.core.CountNow(ctx, loginTotalMeter, "", 1, math.MaxInt64, loginWindow) // if it fails, one failure less is known of
		return err
	}
	forgive()
	return err
}

// loginTotalMeter counts the failures of the whole installation.
const loginTotalMeter = "logintotal"

// guarded reports whether many addresses are guessing together.
func (s *Service) guarded(ctx context.Context) (bool, error) {
	left, _, err := s.core.CountNow(ctx, loginTotalMeter, "", 0, math.MaxInt64, loginWindow)
	return left < math.MaxInt64-LoginTotal, err
}

// loginLimits are the limits that hold for a try at an account.
func loginLimits(account string, from netip.Addr, guarded bool) []loginLimit {
	source, _ := core.Sources(from)
	limits := append([]loginLimit{{"login", account + " " + source, loginTries}}, addressLimits(from, guarded)...)
	return append(limits, loginLimit{"loginall", account, loginAll})
}

// addressLimits are those that hold for a try from an address, at whatever account.
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

// countTry counts an attempt before its password is looked at: otherwise all of a
// burst would pass before the first of them has failed. forgive takes the count
// back, for an attempt that did not fail.
func (s *Service) countTry(ctx context.Context, limits []loginLimit) (forgive func(), err error) {
	counted := 0
	forgive = func() {
		ctx := context.WithoutCancel(ctx)
		for _, l := range limits[:counted] {
			_, _, _ = s.core.CountNow(ctx, l.what, l.who, -1, math.MaxInt64, loginWindow) // if it fails, one attempt less is left
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
