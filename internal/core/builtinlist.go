package core

import "linnet/internal/linnet"

// errSystem refuses acts towards accounts of the server's own.
var errSystem = linnet.Errorf(linnet.Forbidden, "This account belongs to the server. You can mute it, but you can't follow, block, report or moderate it, or add it to lists.")

// NotSystem refuses them.
func NotSystem(id linnet.ID) error {
	if id.System() {
		return errSystem
	}
	return nil
}
