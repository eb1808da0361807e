package audit

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// RuleFile: every picture that a record names is there.
const RuleFile Rule = "file"

// Files lets an audit look whether files are there, see WithFiles.
type Files func(name string) bool

// WithFiles has the audit look for the files that records name.
func (a *Audit) WithFiles(there Files) *Audit {
	a.files = there
	return a
}

// hasFiles checks that the files of a record exist.
func (x *auditing) hasFiles(key kv.Key, names ...string) {
	if x.files == nil {
		return
	}
	for _, name := range names {
		if name != "" && !x.files(name) {
			x.found(RuleFile, key, fmt.Sprintf("picture %s is missing", name))
		}
	}
}

// attachment: its owner finds it, and a task removes it.
func checkAttachment(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		a, err := record.DecodeAttachment(get)
		if err != nil || a.ID != id || a.Owner.Shard() != key.Shard {
			x.found(RuleRecord, key, fmt.Sprintf("not an attachment of this shard: %v", err))
			return
		}
		x.belongs(key, a.Owner)
		if !a.Going {
			x.hasFiles(key, a.Files()...)
		}
		in := &kv.Scores{Key: record.AttachmentsKey(a.Owner), Members: []string{a.ID.String()}}
		x.ask(func() {
			if !in.Found[0] {
				x.found(RuleIndex, key, fmt.Sprintf("it is not in %v", in.Key))
			}
		}, in)
	}, get)
}

// checkPlace: what the store knows of its place of pictures can be read.
func checkPlace(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		if key != record.PlaceKey() {
			x.found(RuleOrphan, key, "there is no such record of places")
			return
		}
		read(x, get, &record.FilesPlace{})
	}, get)
}

// attachments: each is there.
func checkAttachments(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	x.each(key, func(m kv.Member) {
		id, _ := linnet.ParseID(m.Member)
		get := &kv.Get{Key: record.AttachmentKey(id)}
		x.ask(func() {
			if get.Version == 0 {
				x.found(RuleOrphan, key, fmt.Sprintf("attachment %q does not exist", m.Member))
			}
		}, get)
	}, nil)
}

func attachmentChecks() map[string]func(*auditing, kv.Key) {
	return map[string]func(*auditing, kv.Key){
		record.KindAttachment:  checkAttachment,
		record.KindAttachments: checkAttachments,
	}
}

// FileNames returns the names of the files in the records under some keys: users, statuses
// including scheduled ones, attachments, exports, imports, cards and the instance. Unreadable
// records have none.
func FileNames(ctx context.Context, db kv.Store, keys []kv.Key) ([]string, error) {
	var qs []kv.Query
	for _, key := range keys {
		switch key.Kind {
		case record.KindUser, record.KindStatus, record.KindAttachment, record.KindScheduled, record.KindArchive, record.KindImports, record.KindCard, record.KindMeta:
			qs = append(qs, &kv.Get{Key: key})
		}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read records that name files: %w", err)
	}
	var names []string
	for _, q := range qs {
		if get := q.(*kv.Get); get.Version != 0 {
			names = append(names, filesIn(get)...)
		}
	}
	return names, nil
}

// NeededFiles returns the files of a record that must exist. It excludes files that are being
// deleted or have expired, and pictures of cards, which are fetched again.
func NeededFiles(get *kv.Get, now time.Time) (names []string) {
	switch get.Key.Kind {
	case record.KindCard:
		return nil
	case record.KindAttachment:
		if a, err := record.DecodeAttachment(get); err != nil || a.Going {
			return nil
		}
	case record.KindArchive:
		var a record.Archive
		if record.Decode(get, &a) != nil || a.Stage != "" || a.Failed != "" || now.UnixMilli() >= a.Until {
			return nil
		}
	case record.KindImports:
		var all record.CSVImports
		if record.Decode(get, &all) != nil {
			return nil
		}
		for i := range all.All {
			if s := all.All[i].State; s == linnet.ImportUnconfirmed || s == linnet.ImportInProgress {
				names = append(names, all.All[i].Files()...)
			}
		}
		return names
	}
	return filesIn(get)
}

func filesIn(get *kv.Get) (names []string) {
	id, _ := linnet.ParseID(get.Key.ID)
	switch get.Key.Kind {
	case record.KindUser:
		if u, _, err := record.DecodeUser(id, get); err == nil {
			names = []string{u.Avatar, u.Banner}
		}
	case record.KindStatus:
		if st, err := record.DecodeStatus(id, get); err == nil {
			for _, all := range [][]linnet.Attachment{st.Media, st.Former} {
				for i := range all {
					names = append(names, all[i].Files()...)
				}
			}
		}
	case record.KindAttachment:
		if a, err := record.DecodeAttachment(get); err == nil {
			names = a.Files()
		}
	case record.KindScheduled:
		if sc, err := record.DecodeScheduled(id, get); err == nil {
			for i := range sc.Media {
				names = append(names, sc.Media[i].Files()...)
			}
		}
	case record.KindArchive:
		var a record.Archive
		if record.Decode(get, &a) == nil {
			names = a.Files()
		}
	case record.KindImports:
		var all record.CSVImports
		if record.Decode(get, &all) == nil {
			for i := range all.All {
				names = append(names, all.All[i].Files()...)
			}
		}
	case record.KindCard:
		if f, err := record.DecodeFetched(get); err == nil && f.Card != nil {
			names = []string{f.Card.Image.Name}
		}
	case record.KindMeta:
		var r record.Instance
		if get.Key == record.MetaKey("instance") && record.Decode(get, &r) == nil {
			names = []string{r.Icon.Name, r.Icon.Small, r.Thumbnail.Name, r.Thumbnail.Small}
		}
		if get.Key == record.EmojisKey() {
			names = emojiFiles(get)
		}
	}
	return names
}

// checkCard checks that a card is stored under its link, and that its picture exists until it
// expires.
func checkCard(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		f, err := record.DecodeFetched(get)
		switch {
		case err != nil:
			x.found(RuleRecord, key, err.Error())
		case f.Card == nil:
		case record.CardKey(f.Card.Link) != key:
			x.found(RuleRecord, key, fmt.Sprintf("it is the card of %s, which belongs in another shard", f.Card.Link))
		case x.now().Sub(f.Card.Fetched) < linnet.CardLife:
			x.hasFiles(key, f.Card.Image.Name)
		}
	}, get)
}
