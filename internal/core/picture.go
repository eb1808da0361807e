package core

import (
	"strings"

	"linnet/internal/linnet"
)

// FilesPath is the path under which uploaded pictures are served by name.
const FilesPath = "/media/"

// FileURL returns the address of an uploaded picture.
func FileURL(base, name string) string { return base + FilesPath + name }

// AvatarURL returns the address of a user's avatar: the uploaded one or the generated bird.
func AvatarURL(base string, u *linnet.User) string {
	if u.Avatar != "" {
		return FileURL(base, u.Avatar)
	}
	return base + "/avatars/" + strings.ToLower(u.Login) + ".png"
}
