package identity

import (
	"context"
	"errors"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/instance"
	"linnet/internal/text"
	"linnet/internal/uploads"
	"linnet/internal/wording"
)

// Custom emoji belong to the server. Administrators add, change and delete them, and each change is
// in the audit log. Changes are visible at once on the server that makes them and within seconds on
// others (core.Emojis).

// Emojis manages custom emoji. It is safe for concurrent use.
type Emojis struct {
	st      *store.Store
	core    *core.Service
	uploads *uploads.Service
}

// NewEmojis returns the Emojis of a store.
func NewEmojis(b core.Base, c *core.Service, u *uploads.Service) *Emojis {
	return &Emojis{st: b.Store, core: c, uploads: u}
}

// errNoEmoji is the error for a shortcode without an emoji.
func errNoEmoji(code string) error {
	return linnet.Errorf(linnet.NotFound, "There's no custom emoji :%s:", code)
}

// All returns all custom emoji, including disabled ones, as stored now. by must be allowed to
// change emoji.
func (s *Emojis) All(ctx context.Context, by linnet.Actor) ([]linnet.Emoji, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageCustomEmojis); err != nil {
		return nil, err
	}
	set, err := s.st.Instance.Emojis(ctx)
	if err != nil {
		return nil, core.StoreError(err)
	}
	s.core.TakeEmojis(set)
	return set.All, nil
}

// Add adds a custom emoji with a PNG, GIF or WebP file of at most linnet.MaxEmojiBytes. It returns
// an error if the shortcode exists.
func (s *Emojis) Add(ctx context.Context, by linnet.Actor, n linnet.NewEmoji, f *uploads.File) (e linnet.Emoji, err error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageCustomEmojis); err != nil {
		return e, err
	}
	e = linnet.Emoji{Shortcode: n.Shortcode, Category: text.Line(n.Category), Unlisted: n.Unlisted}
	var all linnet.Faults
	all.Add(checkEmoji(&e))
	if f == nil {
		all.Add(linnet.FieldError("image", "ERR_BLANK", "can't be blank: choose a PNG, GIF or WebP of at most %d KB", linnet.MaxEmojiBytes>>10))
	}
	if err := all.Err(); err != nil {
		return e, err
	}
	// A refused shortcode leaves no file.
	set, err := s.st.Instance.Emojis(ctx)
	if err != nil {
		return e, core.StoreError(err)
	}
	if err := roomForEmoji(set, e.Shortcode); err != nil {
		return e, err
	}
	if e.Name, e.Still, err = s.uploads.StoreEmoji(ctx, f); err != nil {
		return e, err
	}
	err = s.core.LogAct(ctx, by, core.ActAddEmoji, 0, ":"+e.Shortcode+":", "")
	if err == nil {
		err = s.changeEmojis(ctx, func(set *linnet.EmojiSet) ([]linnet.Emoji, error) {
			if err := roomForEmoji(set, e.Shortcode); err != nil {
				return nil, err
			}
			return append(slices.Clone(set.All), e), nil
		})
	}
	if err != nil && !store.Unknown(err) {
		s.uploads.Discard(ctx, e.Files()...)
	}
	return e, err
}

func roomForEmoji(set *linnet.EmojiSet, code string) error {
	if len(set.All) >= linnet.MaxEmojis {
		return linnet.Errorf(linnet.Invalid, "There can be at most %d custom emoji. Delete one first.", len(set.All))
	}
	if indexOfEmoji(set.All, code) >= 0 {
		return errEmojiTaken(code)
	}
	return nil
}

func errEmojiTaken(code string) error {
	return linnet.FieldError("shortcode", "ERR_TAKEN", "is %q, which another emoji already uses. Change or delete that emoji", code)
}

func indexOfEmoji(all []linnet.Emoji, code string) int {
	return slices.IndexFunc(all, func(e linnet.Emoji) bool { return e.Shortcode == code })
}

// checkEmoji returns an error for an invalid shortcode or category.
func checkEmoji(e *linnet.Emoji) error {
	var all linnet.Faults
	if !text.ValidShortcode(e.Shortcode) {
		all.Add(linnet.FieldError("shortcode", "ERR_INVALID", "is %q, but must consist of %d to %d letters (a–z, A–Z), digits or underscores", e.Shortcode, text.MinShortcode, text.MaxShortcode))
	}
	all.Add(core.CheckText("category", &e.Category, linnet.MaxEmojiCategory))
	return all.Err()
}

// changeEmojis changes the set and updates this server's cache.
func (s *Emojis) changeEmojis(ctx context.Context, change func(*linnet.EmojiSet) ([]linnet.Emoji, error)) error {
	set, err := s.st.Instance.ChangeEmojis(ctx, change)
	if errors.Is(err, instance.ErrEmojisFull) {
		return linnet.Errorf(linnet.Invalid, "The list of custom emoji is full. Delete one first, or use shorter names.")
	}
	if err != nil {
		return core.StoreError(err)
	}
	s.core.TakeEmojis(set)
	return nil
}

// Change changes a custom emoji. It returns NotFound if no emoji has the shortcode.
func (s *Emojis) Change(ctx context.Context, by linnet.Actor, code string, c linnet.EmojiChange) (e linnet.Emoji, err error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageCustomEmojis); err != nil {
		return e, err
	}
	if c.Category != nil {
		line := text.Line(*c.Category)
		c.Category = &line
	}
	change := func(set *linnet.EmojiSet) ([]linnet.Emoji, error) {
		all := slices.Clone(set.All)
		i := indexOfEmoji(all, code)
		if i < 0 {
			return nil, errNoEmoji(code)
		}
		core.Set(&all[i].Shortcode, c.Shortcode)
		core.Set(&all[i].Category, c.Category)
		core.Set(&all[i].Unlisted, c.Unlisted)
		core.Set(&all[i].Disabled, c.Disabled)
		if e = all[i]; e.Shortcode != code && indexOfEmoji(set.All, e.Shortcode) >= 0 {
			return nil, errEmojiTaken(e.Shortcode)
		}
		return all, checkEmoji(&e)
	}
	set, err := s.st.Instance.Emojis(ctx)
	if err == nil {
		_, err = change(set) // a refused change isn't logged
	}
	if err != nil {
		return e, core.StoreError(err)
	}
	says := core.Changes(emojiParts(&set.All[indexOfEmoji(set.All, code)]), emojiParts(&e))
	detail := ":" + code + ":"
	if says != "" {
		detail = wording.Store(":%s: %s", code, says)
	}
	if err := s.core.LogAct(ctx, by, core.ActChangeEmoji, 0, detail, ""); err != nil {
		return e, err
	}
	return e, s.changeEmojis(ctx, change)
}

// emojiParts returns the parts of an emoji for the audit log.
func emojiParts(e *linnet.Emoji) []core.Part {
	return []core.Part{core.PartOf(wording.Messagef("Shortcode"), e.Shortcode), core.PartOf(wording.Messagef("Category"), e.Category),
		core.PartOf(wording.Messagef("Show in the emoji picker"), !e.Unlisted), core.PartOf(wording.Messagef("Disabled"), e.Disabled)}
}

// Delete deletes a custom emoji and its files. Its shortcode is shown as text afterwards. It
// returns NotFound if no emoji has the shortcode.
func (s *Emojis) Delete(ctx context.Context, by linnet.Actor, code string) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageCustomEmojis); err != nil {
		return err
	}
	find := func(ctx context.Context) (*linnet.EmojiSet, error) {
		set, err := s.st.Instance.Emojis(ctx)
		if err == nil && indexOfEmoji(set.All, code) < 0 {
			err = errNoEmoji(code)
		}
		return set, core.StoreError(err)
	}
	if _, err := core.RetryDurable(ctx, find); err != nil {
		return err
	}
	if err := s.core.LogAct(ctx, by, core.ActDeleteEmoji, 0, ":"+code+":", ""); err != nil {
		return err
	}
	var removed []string
	err := s.changeEmojis(ctx, func(set *linnet.EmojiSet) ([]linnet.Emoji, error) {
		i := indexOfEmoji(set.All, code)
		if i < 0 {
			return nil, errNoEmoji(code)
		}
		removed = set.All[i].Files()
		return slices.Delete(slices.Clone(set.All), i, i+1), nil
	})
	if err == nil {
		s.uploads.Discard(ctx, removed...)
	}
	return err
}
