package identity

import (
	"context"
	"slices"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/wording"
)

// Terms returns the terms of service of a day. For "" it returns the terms in force, or else the
// first future ones. It returns NotFound if there are none.
// https://docs.joinmastodon.org/methods/instance/#terms_of_service
func (s *Settings) Terms(ctx context.Context, day string) (linnet.Terms, error) {
	in, err := s.instance(ctx)
	if err != nil {
		return linnet.Terms{}, err
	}
	now := s.st.Now()
	if day == "" {
		day = linnet.CurrentTerms(in.Terms, now)
	}
	t, ok := linnet.TermsOn(in.Terms, day, now)
	if ok {
		t.Text, ok, err = s.st.Instance.Terms(ctx, day)
	}
	if err == nil && !ok {
		err = linnet.Errorf(linnet.NotFound, "Record not found")
	}
	return t, core.StoreError(err)
}

// AllTerms returns all terms of service without their texts, latest first.
func (s *Settings) AllTerms(ctx context.Context) ([]linnet.Terms, error) {
	in, err := s.instance(ctx)
	out, now := make([]linnet.Terms, len(in.Terms)), s.st.Now()
	for i, day := range in.Terms {
		out[len(out)-1-i], _ = linnet.TermsOn(in.Terms, day, now)
	}
	return out, err
}

// SetTerms stores the terms of service that take effect on a day, which must not be in the past
// (UTC). It replaces earlier terms of the same day. by must be an administrator. The change is in
// the audit log.
func (s *Settings) SetTerms(ctx context.Context, by linnet.Actor, day, text string) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageSettings); err != nil {
		return err
	}
	if text = core.Lines(text); text == "" {
		return linnet.FieldError("terms", "ERR_BLANK", "can't be blank")
	}
	return s.writeTerms(ctx, by, strings.TrimSpace(day), text)
}

// RemoveTerms deletes future terms of service. It returns NotFound if there are none. The change is
// in the audit log.
func (s *Settings) RemoveTerms(ctx context.Context, by linnet.Actor, day string) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageSettings); err != nil {
		return err
	}
	return s.writeTerms(ctx, by, strings.TrimSpace(day), "")
}

// writeTerms writes the terms of a day, or removes them if text is empty.
func (s *Settings) writeTerms(ctx context.Context, by linnet.Actor, day, text string) error {
	today := s.st.Now().UTC().Format(time.DateOnly)
	from, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return linnet.FieldError("effective_date", "ERR_INVALID", "is %q, but must be a date such as %s", day, today)
	}
	if day < today {
		return linnet.FieldError("effective_date", "ERR_INVALID", "is %s, which is in the past. Choose %s (UTC) or later", day, today)
	}
	if err := core.CheckText("terms", &text, linnet.MaxTerms); err != nil {
		return err
	}
	in, err := s.instance(ctx)
	if err != nil {
		return err
	}
	if err := changeTerms(&in, day, text); err != nil {
		return err
	}
	was, _, err := s.st.Instance.Terms(ctx, day)
	if err != nil {
		return core.StoreError(err)
	}
	if err := s.core.LogAct(ctx, by, core.ActSettings, 0, string(core.BeforeAndAfter(wording.Messagef("Terms of service effective %s", wording.Day(from)), was, text)), ""); err != nil {
		return err
	}
	_, err = s.updateInstance(ctx, func(in *linnet.Instance) ([]kv.Op, error) {
		return s.st.Instance.TermsOps(*in, day, text), changeTerms(in, day, text)
	})
	return core.StoreError(err)
}

// changeTerms adds the day of some terms to the settings, or removes it if they have no text.
func changeTerms(in *linnet.Instance, day, text string) error {
	at, found := slices.BinarySearch(in.Terms, day)
	switch {
	case text == "" && !found:
		return linnet.Errorf(linnet.NotFound, "There are no terms of service effective %s.", day)
	case text == "":
		in.Terms = slices.Delete(slices.Clone(in.Terms), at, at+1)
	case !found && len(in.Terms) >= linnet.MaxTermsVersions:
		return linnet.Errorf(linnet.Invalid, "There can be at most %d versions of the terms. Withdraw one that isn't in effect yet.", linnet.MaxTermsVersions)
	case !found:
		in.Terms = slices.Insert(slices.Clone(in.Terms), at, day)
	}
	return nil
}
