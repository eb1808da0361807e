package core

import "linnet/internal/linnet"

// errSystem refuses actions on the server's own accounts.
var errSystem = linnet.Errorf(linnet.Forbidden, "This account belongs to the server. You can mute it, but you can't follow, block, report or moderate it, or add it to lists.")

// NotSystem returns an error for the server's own accounts.
func NotSystem(id linnet.ID) error {
	if id.System() {
		return errSystem
	}
	return nil
}
