package core

import (
	"context"

	"linnet/internal/linnet"
)

// The audit log contains all actions of staff on the server and its users. LogAct adds an entry
// before the action, or a task adds it that is written in the same transaction as the action.

// Actions in the audit log other than moderation. They must stay readable.
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

	ActExport linnet.Moderation = "export"       // data export of a user by a command
	ActImport linnet.Moderation = "import_posts" // import of a user's archive by a command

	ActBlockSignUp   linnet.Moderation = "block_sign_up"
	ActUnblockSignUp linnet.Moderation = "unblock_sign_up"

	ActAddRole    linnet.Moderation = "add_role"
	ActChangeRole linnet.Moderation = "change_role"
	ActDeleteRole linnet.Moderation = "delete_role"

	ActChangeTag linnet.Moderation = "change_tag"

	IssueTokens linnet.Moderation = "issue_tokens" // see LogCommand
	ImportWorld linnet.Moderation = "import"
)

// ActArgs is an entry for the audit log.
type ActArgs struct {
	ID     linnet.ID         `json:"id"`
	By     linnet.ID         `json:"by,omitempty"`
	Act    linnet.Moderation `json:"act"`
	On     linnet.ID         `json:"on,omitempty"`
	Report linnet.ID         `json:"report,omitempty"`
	Detail string            `json:"detail,omitempty"` // in the format of linnet.Act
	Reason string            `json:"reason,omitempty"`
}

// NewAct returns an entry for an action of an actor on an account; 0 for no account.
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
