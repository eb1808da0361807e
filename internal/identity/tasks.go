package identity

import (
	"linnet/internal/core"
	"linnet/internal/task"
)

// Kinds of tasks. Their names and arguments are stored, so a change of the arguments needs a new
// name.
const (
	TaskFinishSignUp = "settle-user"
	TaskEmail        = "settle-email"
	TaskDigest       = "digest"
	// TaskPasskeys releases claims of passkeys that their users no longer have.
	TaskPasskeys = "settle-passkeys"
	// taskUnconfirmed deletes a sign-up whose address was not confirmed.
	taskUnconfirmed = "unconfirmed"
)

// Handlers returns the handlers of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		TaskFinishSignUp: core.TaskHandler(s.finishSignUp),
		TaskEmail:        core.TaskHandler(s.emails.applyAddress),
		TaskDigest:       core.TaskHandler(s.emails.digest),
		TaskPasskeys:     core.TaskHandler(s.security.releasePasskeys),

		taskUnconfirmed: core.TaskHandler(s.emails.endUnconfirmed),
	}
}
