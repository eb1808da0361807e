package identity

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/mailing"
	"linnet/internal/text"
)

var errClosed = linnet.Errorf(linnet.Forbidden, "This server isn't accepting new accounts at the moment")

var errInviteOnly = linnet.Errorf(linnet.Forbidden, "You need an invitation to sign up on this server")

// Register creates an account if the settings allow it, active or pending approval, and notifies
// moderators. It returns Forbidden if sign-up is closed, Invalid without a required answer, and
// otherwise the errors of SignUp.
// https://docs.joinmastodon.org/methods/accounts/#create
func (s *Service) Register(ctx context.Context, in linnet.SignUp) (linnet.User, error) {
	about, err := s.settings.instance(ctx)
	if err != nil {
		return linnet.User{}, err
	}
	in.Role = linnet.Member
	in.Reason = core.Lines(in.Reason)
	by := entry{notify: true, email: s.emails.Required(&about)}
	switch {
	case in.Invite != "" && about.Registrations.Invites():
		i, err := s.invites.Check(ctx, in.Invite)
		var e *linnet.Error
		if errors.As(err, &e) && (e.Kind == linnet.NotFound || e.Kind == linnet.Gone) {
			return linnet.User{}, linnet.FieldError("invite_code", "ERR_INVALID", "is not valid: %s", e.Msg)
		}
		if err != nil {
			return linnet.User{}, err
		}
		by.invite, by.inviter = i.Code, i.By
	case about.Registrations == linnet.RegisterOpen:
	case about.Registrations == linnet.RegisterApproval:
		by.pending = true
	case about.Registrations == linnet.RegisterInvite:
		return linnet.User{}, errInviteOnly
	default:
		return linnet.User{}, errClosed
	}
	if in.Invite == "" {
		in.Faults.Add(answered(s, &about, &in))
	}
	in.Faults.Add(holdToRules(ctx, s, &in, &by))
	return s.signUp(ctx, in, by)
}

// errRuled is the error for a refused sign-up, which doesn't name the rule.
var errRuled = linnet.Errorf(linnet.Invalid, "You can't sign up here at the moment. Ask the administrators for an account.")

// holdToRules refuses a sign-up that matches a rule, or requires approval for it. Only the audit
// log names the rule.
func holdToRules(ctx context.Context, s *Service, in *linnet.SignUp, by *entry) error {
	all, err := s.st.Instance.SignUpBlocks(ctx)
	if err != nil {
		return core.StoreError(err)
	}
	held := *in
	if a, err := mail.Normalize(in.Email); err == nil { // rules contain domains in the form of DNS
		held.Email = a
	}
	rule := linnet.AgainstSignUp(all, &held, s.st.Now())
	if rule == nil {
		return nil
	}
	s.opt.Log.Info("sign-up matched a block", "rule", rule.ID, "kind", rule.Kind, "value", rule.Value, "refused", !rule.Ask)
	if rule.Ask {
		by.ruled = !by.pending
		by.pending = true
		return nil
	}
	s.opt.Observe.NoteRefused("signup_" + string(rule.Kind))
	if rule.Kind == linnet.BlockName {
		return linnet.FieldError("username", "ERR_RESERVED", "is reserved")
	}
	return errRuled
}

// heldAddress returns an error if a later address of an account matches a sign-up rule. A rule that
// requires approval also refuses the address for users who have never confirmed one, because their
// sign-up would have required approval.
func heldAddress(ctx context.Context, s *Service, address string, confirmed bool) error {
	all, err := s.st.Instance.SignUpBlocks(ctx)
	if err != nil {
		return core.StoreError(err)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(b linnet.SignUpBlock) bool {
		return b.Kind != linnet.BlockEmail && b.Kind != linnet.BlockCanonical || b.Ask && confirmed
	})
	rule := linnet.AgainstSignUp(all, &linnet.SignUp{Email: address}, s.st.Now())
	if rule == nil {
		return nil
	}
	s.opt.Log.Info("new e-mail address matched a block", "rule", rule.ID, "value", rule.Value)
	s.opt.Observe.NoteRefused("signup_" + string(rule.Kind))
	return linnet.FieldError("email", "ERR_BLOCKED", "isn't allowed here. Choose another address")
}

// checkSignUpReason returns an error if the reason for an account is too long, or too short to
// decide on.
func checkSignUpReason(reason string, pending bool) *linnet.Error {
	switch {
	case pending && reason == "":
		return linnet.FieldError("reason", "ERR_BLANK", "can't be blank")
	case utf8.RuneCountInString(reason) > linnet.MaxSignUpReason:
		return linnet.FieldError("reason", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxSignUpReason)
	case text.Overmarked(reason):
		return core.Overmarked("reason")
	}
	return nil
}

// finishArgs are the arguments of the task after a sign-up: the user, and whether to notify
// moderators.
type finishArgs struct {
	User linnet.ID `json:"user"`
	Tell bool      `json:"tell,omitempty"`
}

// finishSignUp makes a new account visible, or deletes it if its login was not claimed.
func (s *Service) finishSignUp(ctx context.Context, a finishArgs) (*finishArgs, error) {
	if err := s.st.Accounts.FinishSignUp(ctx, a.User); err != nil {
		return nil, err
	}
	if err := s.st.Accounts.IndexDirectory(ctx, a.User); err != nil {
		return nil, err
	}
	u, sec, err := s.emails.mailed(ctx, a.User)
	if err != nil || u == nil {
		return nil, err
	}
	if sec.Pending() != "" && sec.Mail.Hash == "" {
		if err := s.emails.mailing.Send(ctx, mailing.Args{Kind: mailConfirm, User: a.User}); err != nil {
			return nil, err
		}
	}
	if sec.Mail.Enters {
		if err := s.emails.awaitConfirmation(ctx, unconfirmedArgs{User: a.User}, a.User.Time().Add(UnconfirmedAge)); err != nil {
			return nil, err
		}
	}
	if !a.Tell {
		return nil, nil
	}
	if err := s.facts.SignedUp.Emit(ctx, event.SignedUp{User: a.User}); err != nil || !u.Unapproved || sec.Mail.Enters {
		return nil, err
	}
	return nil, s.emails.NotifyStaff(ctx, linnet.ManageUsers, a.User, "/admin/users/"+u.Login)
}
