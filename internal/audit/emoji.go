package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// emojis checks that each shortcode occurs once, that files exist and that servers learn of this
// version.
func (x *auditing) emojis(key kv.Key) {
	get, mark := &kv.Get{Key: key}, &kv.Get{Key: record.EmojisMarkKey()}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		set, err := record.DecodeEmojis(get)
		if err != nil {
			x.found(RuleRecord, key, fmt.Sprintf("not the custom emoji: %v", err))
			return
		}
		if mark.Version != get.Version {
			x.found(RuleIndex, key, fmt.Sprintf("it has version %d, but servers are notified of %d", get.Version, mark.Version))
		}
		seen := map[string]bool{}
		for i := range set.All {
			e := &set.All[i]
			if seen[e.Shortcode] {
				x.found(RuleUnique, key, fmt.Sprintf("two emoji are called :%s:", e.Shortcode))
			}
			seen[e.Shortcode] = true
			x.hasFiles(key, e.Files()...)
		}
	}, get, mark)
}

// emojiFiles are the names of the files of all custom emoji.
func emojiFiles(get *kv.Get) (names []string) {
	set, err := record.DecodeEmojis(get)
	if err != nil {
		return nil
	}
	for i := range set.All {
		names = append(names, set.All[i].Files()...)
	}
	return names
}
