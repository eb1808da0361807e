package core

import "linnet/internal/linnet"

// Actor is a member of staff who acts in a session.
type Actor struct {
	ID      linnet.ID
	Session string // ID of the session
}
