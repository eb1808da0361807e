package archives

import "linnet/internal/linnet"

// importVisibility returns the widest visibility of the posts of an archive. most is the choice of
// the user; nil for none. Archives of X don't contain the visibility of posts, so they are only
// public if the user chooses that. Archives of Mastodon contain it, so they need no limit.
func importVisibility(kind linnet.CSVKind, protected bool, most *linnet.Visibility) *linnet.Visibility {
	if most != nil || kind != linnet.TwitterArchive {
		return most
	}
	v := linnet.Unlisted
	if protected {
		v = linnet.Private
	}
	return &v
}

// checkVisibility returns an error for a visibility that imported posts can't have.
func checkVisibility(v *linnet.Visibility) error {
	if v != nil && *v > linnet.Private {
		return linnet.FieldError("visibility", "ERR_INCLUSION", "must be public, unlisted or private")
	}
	return nil
}
