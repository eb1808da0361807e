package core

import (
	"context"

	"linnet/internal/linnet"
)

// What staff do to the installation and to people is entered into the log of acts: by
// LogAct before it is done, or by a task that exists exactly if it was done.

// Actions in the audit log besides moderation. They must stay readable.
const (
	ActSettings  linnet.Moderation = "settings"
	ActCreate    linnet.Moderation = "create"
	ActInvite    linnet.Moderation = "invite"
	ActRevoke    linnet.Moderation = "revoke_invite"
	ActRetry     linnet.Moderation = "retry_task"
	ActDrop      linnet.Moderation = "drop_task"
	ActBackup    linnet.Moderation = "backup"
	ActPassword  linnet.Moderation = "password"
	ActTwoFactor linnet.Moderation = "two_factor_off"

	ActResetLink     linnet.Moderation = "reset_link"
	ActTwoFactorLink linnet.Moderation = "two_factor_link"

	ActAddEmoji    linnet.Moderation = "add_emoji"
	ActChangeEmoji linnet.Moderation = "change_emoji"
	ActDeleteEmoji linnet.Moderation = "delete_emoji"

	ActAnnounce           linnet.Moderation = "announce"
	ActEditAnnouncement   linnet.Moderation = "edit_announcement"
	ActPublish            linnet.Moderation = "publish_announcement"
	ActUnpublish          linnet.Moderation = "unpublish_announcement"
	ActDeleteAnnouncement linnet.Moderation = "delete_announcement"

	ActExport linnet.Moderation = "export"       // data export of a user, by a command
	ActImport linnet.Moderation = "import_posts" // an archive that a user has brought, by a command

	ActBlockSignUp   linnet.Moderation = "block_sign_up"
	ActUnblockSignUp linnet.Moderation = "unblock_sign_up"

	ActAddRole    linnet.Moderation = "add_role"
	ActChangeRole linnet.Moderation = "change_role"
	ActDeleteRole linnet.Moderation = "delete_role"

	IssueTokens linnet.Moderation = "issue_tokens" // see LogCommand
	ImportWorld linnet.Moderation = "import"
)

// ActArgs are an entry for the log of acts.
type ActArgs struct {
	ID     linnet.ID         `json:"id"`
	By     linnet.ID         `json:"by,omitempty"`
	Act    linnet.Moderation `json:"act"`
	On     linnet.ID         `json:"on,omitempty"`
	Report linnet.ID         `json:"report,omitempty"`
	Detail string            `json:"detail,omitempty"` // as linnet.Act has it
	Reason string            `json:"reason,omitempty"`
}

// NewAct begins the entry for what an actor does to an account, 0 for none.
func (s *Service) NewAct(by linnet.Actor, act linnet.Moderation, on linnet.ID) ActArgs {
	return ActArgs{ID: s.st.Staff.NewAct(), By: by.ID(), Act: act, On: on}
}

// Record returns the stored form of an action.
func (a ActArgs) Record() linnet.Act {
	return linnet.Act{ID: a.ID, By: a.By, Act: a.Act, On: a.On, Report: a.Report, Detail: a.Detail, Reason: a.Reason}
}

// LogAct adds an action to the audit log before it happens. It doesn't check permissions. detail
// has the format of linnet.Act. It returns an error for an invalid reason.
func (s *Service) LogAct(ctx context.Context, by linnet.Actor, act linnet.Moderation, on linnet.ID, detail, reason string) error {
	reason, err := ReasonLine(reason)
	if err != nil {
		return err
	}
	a := s.NewAct(by, act, on)
	a.Detail, a.Reason = detail, reason
	return StoreError(s.st.Staff.LogAct(ctx, a.Record()))
}
