package core

import (
	"strings"

	"linnet/internal/linnet"
)

// FilesPath is where pictures that were uploaded are served, by their names.
const FilesPath = "/media/"

// FileURL is the address of a picture that was uploaded, below the public URL.
func FileURL(base, name string) string { return base + FilesPath + name }

// AvatarURL returns the address of a user's avatar: the uploaded one or the generated bird.
func AvatarURL(base string, u *linnet.User) string {
	if u.Avatar != "" {
		return FileURL(base, u.Avatar)
	}
	return base + "/avatars/" + strings.ToLower(u.Login) + ".png"
}
