package core

import "linnet/internal/linnet"

// errSystem refuses acts towards accounts of the server's own.
var errSystem = linnet.Errorf(linnet.Forbidden, "This account is kept by the server. It cannot be followed, listed, blocked, reported or moderated; mute it instead.")

// NotSystem refuses them.
func NotSystem(id linnet.ID) error {
	if id.System() {
		return errSystem
	}
	return nil
}
