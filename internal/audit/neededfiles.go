package audit

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Files reports whether a file exists, see WithFiles.
type Files func(name string) bool

// WithFiles enables the check of files.
func (a *Audit) WithFiles(there Files) *Audit {
	a.files = there
	return a
}

// checkFiles checks the files of a decoded record.
func (x *auditing) checkFiles(v any) {
	if x.files != nil {
		x.hasFiles(filesOf(v, x.now(), true)...)
	}
}

// hasFiles checks that files of the record exist.
func (x *auditing) hasFiles(names ...string) {
	for _, name := range names {
		if x.files != nil && name != "" && !x.files(name) {
			x.found(RuleFile, "file %s is missing", name)
		}
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
		return nil, fmt.Errorf("read records that refer to files: %w", err)
	}
	var names []string
	for _, q := range qs {
		if get := q.(*kv.Get); get.Version != 0 {
			names = append(names, filesOf(withFiles(get), time.Time{}, false)...)
		}
	}
	return names, nil
}

// NeededFiles returns the files of a record that must exist. It excludes files that are being
// deleted or have expired, and pictures of cards, which are fetched again.
func NeededFiles(get *kv.Get, now time.Time) []string { return filesOf(withFiles(get), now, true) }

// withFiles decodes a record that can refer to files. It returns nil for unreadable and other
// records.
func withFiles(get *kv.Get) (v any) {
	id, _ := linnet.ParseID(get.Key.ID)
	var err error
	switch get.Key.Kind {
	case record.KindUser:
		v, _, err = record.DecodeUser(id, get)
	case record.KindStatus:
		v, err = record.DecodeStatus(id, get)
	case record.KindAttachment:
		v, err = record.DecodeAttachment(get)
	case record.KindScheduled:
		v, err = record.DecodeScheduled(id, get)
	case record.KindArchive:
		v = &record.Archive{}
		err = record.Decode(get, v)
	case record.KindImports:
		v = &record.CSVImports{}
		err = record.Decode(get, v)
	case record.KindCard:
		v, err = record.DecodeFetched(get)
	case record.KindMeta:
		switch get.Key {
		case record.MetaKey("instance"):
			v = &record.Instance{}
			err = record.Decode(get, v)
		case record.EmojisKey():
			v, err = record.DecodeEmojis(get)
		}
	}
	if err != nil {
		return nil
	}
	return v
}

// filesOf returns the files of a decoded record. If needed is true, it returns only files that must
// exist.
func filesOf(v any, now time.Time, needed bool) (names []string) {
	switch v := v.(type) {
	case *linnet.User:
		names = []string{v.Avatar, v.Banner}
	case *linnet.Status:
		names = append(filesOfAll(v.Media), filesOfAll(v.Former)...)
	case *linnet.Attachment:
		if !needed || !v.Going {
			names = v.Files()
		}
	case *linnet.Scheduled:
		names = filesOfAll(v.Media)
	case *record.Archive:
		if !needed || v.Stage == "" && v.Failed == "" && now.UnixMilli() < v.Until {
			names = v.Files()
		}
	case *record.CSVImports:
		for i := range v.All {
			if state := v.All[i].State; !needed || state == linnet.ImportUnconfirmed || state == linnet.ImportInProgress {
				names = append(names, v.All[i].Files()...)
			}
		}
	case *linnet.Fetched:
		if v.Card != nil && !needed {
			names = []string{v.Card.Image.Name}
		}
	case *record.Instance:
		names = []string{v.Icon.Name, v.Icon.Small, v.Thumbnail.Name, v.Thumbnail.Small}
	case *linnet.EmojiSet:
		for i := range v.All {
			names = append(names, v.All[i].Files()...)
		}
	}
	return names
}

func filesOfAll(all []linnet.Attachment) (names []string) {
	for i := range all {
		names = append(names, all[i].Files()...)
	}
	return names
}
