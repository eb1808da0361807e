package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
)

// emojiCommands returns the commands for custom emoji.
func emojiCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	category := flagSpec{name: "category", arg: "TEXT", help: "Category in the picker"}
	return []command{
		{name: "emoji list", flags: []flagSpec{asJSON}, act: emojiList, help: "List custom emoji"},
		{name: "emoji add", args: "SHORTCODE FILE", min: 2, max: 2, file: true, act: emojiAdd,
			flags: []flagSpec{asJSON, category, {name: "unlisted", help: "Hide the emoji from the picker"}},
			help:  "Add a custom emoji", details: "FILE is a PNG, GIF or WebP of at most 256 KB."},
		{name: "emoji set", args: "SHORTCODE KEY=VALUE…", min: 2, max: -1, flags: []flagSpec{asJSON}, act: emojiSet,
			help: "Change a custom emoji", details: "KEY is shortcode, category, visible or disabled. visible and disabled take true or false. Visible emoji appear in the picker."},
		{name: "emoji delete", args: "SHORTCODE", min: 1, max: 1, act: emojiDelete, help: "Delete a custom emoji", details: "Posts that use it show its shortcode as text."},
	}
}

// emojiInfo is the JSON form of a custom emoji.
type emojiInfo struct {
	Shortcode string `json:"shortcode"`
	Category  string `json:"category"`
	File      string `json:"file"`
	Static    string `json:"static_file"`
	Visible   bool   `json:"visible_in_picker"`
	Disabled  bool   `json:"disabled"`
}

func emojiInfoOf(e *linnet.Emoji) emojiInfo {
	return emojiInfo{Shortcode: e.Shortcode, Category: e.Category, File: e.Name, Static: e.StillName(), Visible: !e.Unlisted, Disabled: e.Disabled}
}

// shortcode removes the colons of a shortcode.
func shortcode(typed string) string { return strings.Trim(typed, ":") }

func emojiList(ctx context.Context, c *call, b *backend.Backend) error {
	all, err := b.App.Emojis.All(ctx, linnet.Operator())
	if err != nil {
		return fmt.Errorf("cannot read the custom emoji: %w", err)
	}
	infos := make([]emojiInfo, len(all))
	for i := range all {
		infos[i] = emojiInfoOf(&all[i])
	}
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, e := range infos {
		state := "offered"
		switch {
		case e.Disabled:
			state = "disabled"
		case !e.Visible:
			state = "not offered"
		}
		fmt.Fprintf(w, ":%s:\t%s\t%s\n", e.Shortcode, orDash(e.Category), state)
	}
	return w.Flush()
}

// printEmoji prints the state of an emoji.
func (c *call) printEmoji(e *linnet.Emoji, did string) error {
	if c.flag("json") {
		return printJSON(c.stdout, emojiInfoOf(e))
	}
	_, err := fmt.Fprintf(c.stdout, "%s :%s:\n", did, e.Shortcode)
	return err
}

func emojiAdd(ctx context.Context, c *call, b *backend.Backend) error {
	f, err := c.upload(b)
	if err != nil {
		return refused("cannot use the picture", err)
	}
	defer f.Close()
	e, err := b.App.Emojis.Add(ctx, linnet.Operator(), linnet.NewEmoji{Shortcode: shortcode(c.args()[0]), Category: c.line.flags["category"], Unlisted: c.flag("unlisted")}, f)
	if err != nil {
		return refused("cannot add the emoji", err)
	}
	return c.printEmoji(&e, "added")
}

func emojiSet(ctx context.Context, c *call, b *backend.Backend) error {
	var change linnet.EmojiChange
	for _, pair := range c.args()[1:] {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return exit.UsageError(fmt.Sprintf("%q does not have the form KEY=VALUE", pair), "For example: linnet emoji set blob category=Blobs.")
		}
		switch key {
		case "shortcode":
			value = shortcode(value)
			change.Shortcode = &value
		case "category":
			change.Category = &value
		case "visible", "disabled":
			yes, err := strconv.ParseBool(value)
			if err != nil {
				return exit.UsageError(fmt.Sprintf("%s must be true or false, not %q", key, value), "")
			}
			if key == "disabled" {
				change.Disabled = &yes
			} else {
				unlisted := !yes
				change.Unlisted = &unlisted
			}
		default:
			return exit.UsageError(fmt.Sprintf("emoji have no key %q", key), exit.DidYouMean(key, []string{"shortcode", "category", "visible", "disabled"}, "", "Keys: shortcode, category, visible, disabled."))
		}
	}
	code := shortcode(c.args()[0])
	e, err := b.App.Emojis.Change(ctx, linnet.Operator(), code, change)
	if err != nil {
		return refused(fmt.Sprintf("cannot change the emoji %q", code), err)
	}
	return c.printEmoji(&e, "changed")
}

func emojiDelete(ctx context.Context, c *call, b *backend.Backend) error {
	code := shortcode(c.args()[0])
	if err := b.App.Emojis.Delete(ctx, linnet.Operator(), code); err != nil {
		return refused(fmt.Sprintf("cannot delete the emoji %q", code), err)
	}
	_, err := fmt.Fprintf(c.stdout, "deleted :%s:\n", code)
	return err
}
