package compose

import (
	"crypto/rand"
	"net/url"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/posting"
)

// narrow restricts the visibility to mentioned users, because the original audience no longer
// exists and the writer's followers may be others.
func (f *Form) narrow() {
	if !f.Visibility.Open() {
		f.Visibility = linnet.Direct
	}
}

// ContinueDraft makes the form continue the saved draft, or the previous draft if saved is nil. If
// parts of the context no longer exist, it continues none.
func (f *Form) ContinueDraft(sent url.Values, saved *linnet.Scheduled, as posting.SavedAs) {
	lost := f.Errors[""] != "" && as != posting.SavedNever
	var elsewhere []linnet.Attachment // pictures of a draft that the form doesn't continue
	if f.Draft != nil {
		elsewhere = slices.Clone(f.Draft.Media)
	}
	switch {
	case lost && (saved != nil || f.Draft != nil):
		if saved != nil {
			elsewhere = append(elsewhere, saved.Media...)
		}
		f.Draft, f.From, f.Key = nil, linnet.DraftID{}, rand.Text()
		sent.Set("key", f.Key)
		sent.Set("draft", "")
	case saved != nil:
		elsewhere = slices.DeleteFunc(elsewhere, func(a linnet.Attachment) bool { return containsPicture(saved.Media, a) })
		f.Draft, f.From = saved, draftIDOf(saved)
		sent.Set("draft", draftName(f.From))
	default:
		elsewhere = nil
	}
	n := len(f.Media)
	f.Media = slices.DeleteFunc(f.Media, func(a linnet.Attachment) bool { return containsPicture(elsewhere, a) })
	if len(f.Media) < n {
		f.Errors["pictures"] = f.c.Tr("The pictures are still in the draft.")
	}
}

// containsPicture reports whether all contains a.
func containsPicture(all []linnet.Attachment, a linnet.Attachment) bool {
	return slices.ContainsFunc(all, func(b linnet.Attachment) bool { return b.ID == a.ID })
}
