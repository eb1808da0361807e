package archives

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"slices"

	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/wording"
)

// The documents of an archive, by the names of their entries, in the order of writing.
const (
	stageOutbox    = "outbox.json"
	stageLikes     = "likes.json"
	stageBookmarks = "bookmarks.json"
	stageActor     = "actor.json"
)

const (
	// itemsAtOnce is the number of statuses that a batch reads.
	itemsAtOnce = 200
	// partBytes is the number of bytes of media after which a batch ends.
	partBytes = 64 << 20
	// zipVersion is the version of the format with deflated entries.
	zipVersion = 20
	// partEnding is the extension of the files of an archive.
	partEnding = "zip"
)

// making is an archive while one of its parts is written.
type making struct {
	*Service
	u    *linnet.User
	a    *record.Archive
	made []string // files written by this batch
	most int64    // bytes of the archive; 0: no limit
}

// step writes the next part, which has a limited size.
func (m *making) step(ctx context.Context) error {
	if most := m.most; most > 0 && m.a.Bytes() > most {
		m.a.Failed = wording.Store("The archive would be larger than %d MB, which is too large to create on request. An administrator can create it from the command line.", most>>20)
		return m.end()
	}
	switch m.a.Stage {
	case stageOutbox:
		return m.document(ctx, record.PostsKey(m.u.ID), stageLikes, m.outbox)
	case stageLikes:
		return m.document(ctx, record.Favourites().OwnedKey(m.u.ID), stageBookmarks, m.uris)
	case stageBookmarks:
		return m.document(ctx, record.Bookmarks.Key(m.u.ID), stageActor, m.uris)
	}
	if err := m.actor(ctx); err != nil {
		return err
	}
	if err := m.directory(ctx); err != nil {
		return err
	}
	m.a.Made = m.st.Now().UnixMilli()
	return m.end()
}

// end sets the expiry of a complete or failed archive.
func (m *making) end() error {
	m.a.Stage = ""
	m.a.Until = m.st.Now().Add(linnet.ArchiveLife).UnixMilli()
	return nil
}

// items writes items of a document to out, and their media to the part. It returns the number of
// finished ids, and the number of finished media of the next one.
type items func(ctx context.Context, ids []linnet.ID, out *itemWriter, p *part) (done, media int, err error)

// document writes a part of a document: the items of the next members of a set.
func (m *making) document(ctx context.Context, key kv.Key, then string, write items) error {
	from := kv.Member(m.a.From)
	ids, _, err := m.st.After(ctx, key, from, itemsAtOnce)
	if err != nil {
		return core.StoreError(err)
	}
	p, err := m.newPart()
	if err != nil {
		return err
	}
	defer p.close()
	out := newItemWriter(m.a)
	done, media, err := write(ctx, ids, out, p)
	if err != nil {
		return err
	}
	m.a.Media = media
	if done > 0 {
		if _, last, err := m.st.After(ctx, key, from, done); err != nil {
			return core.StoreError(err)
		} else {
			m.a.From = record.ImportPosition(last)
		}
	}
	if len(ids) == itemsAtOnce || done < len(ids) {
		if err := m.piece(ctx, out); err != nil {
			return err
		}
		return m.addPart(ctx, p)
	}
	out.end()
	if err := m.piece(ctx, out); err != nil {
		return err
	}
	d := &m.a.Doc
	h := &zip.FileHeader{Name: m.a.Stage, Method: zip.Deflate, ReaderVersion: zipVersion, CreatorVersion: zipVersion, CRC32: d.CRC, CompressedSize64: uint64(d.Packed), UncompressedSize64: uint64(d.Bytes)}
	w, err := p.zip.CreateRaw(h)
	if err != nil {
		return fmt.Errorf("write an archive: %w", err)
	}
	for _, name := range d.Pieces {
		if err := m.copyFile(ctx, name, w); err != nil {
			return fmt.Errorf("add a document to an archive: %w", err)
		}
	}
	p.filled = true
	m.a.Stage, m.a.From, m.a.Spent, m.a.Doc = then, record.ImportPosition{}, append(m.a.Spent, m.a.Doc.Pieces...), record.Doc{}
	return m.addPart(ctx, p)
}

// itemWriter writes an ActivityStreams collection, piece by piece. Each piece ends at a whole byte,
// so the concatenated pieces form one deflated stream.
// https://www.w3.org/TR/activitystreams-vocabulary/#dfn-orderedcollection
type itemWriter struct {
	doc   *record.Doc
	stage string
	buf   bytes.Buffer
	z     *flate.Writer
	ended bool
}

func newItemWriter(a *record.Archive) *itemWriter {
	w := &itemWriter{doc: &a.Doc, stage: a.Stage}
	w.z, _ = flate.NewWriter(&w.buf, flate.DefaultCompression) // the level is valid
	if a.Doc.Bytes == 0 {
		w.text(`{"@context":"https://www.w3.org/ns/activitystreams","id":"` + a.Stage + `","type":"OrderedCollection","orderedItems":[`)
	}
	return w
}

func (w *itemWriter) text(s string) {
	_, _ = w.z.Write([]byte(s)) // writes to memory
	w.doc.CRC = crc32.Update(w.doc.CRC, crc32.IEEETable, []byte(s))
	w.doc.Bytes += int64(len(s))
}

func (w *itemWriter) item(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode an item of an archive: %w", err)
	}
	if w.doc.Items > 0 {
		w.text(",\n")
	}
	w.doc.Items++
	w.text(string(b))
	return nil
}

func (w *itemWriter) end() {
	w.text(fmt.Sprintf(`],"totalItems":%d}`, w.doc.Items))
	w.ended = true
}

// piece stores the written part of a document.
func (m *making) piece(ctx context.Context, w *itemWriter) error {
	end := w.z.Flush
	if w.ended {
		end = w.z.Close
	}
	if err := end(); err != nil {
		return fmt.Errorf("compress a part of an archive: %w", err)
	}
	name, err := m.put(ctx, bytes.NewReader(w.buf.Bytes()))
	if err != nil {
		return err
	}
	m.a.Doc.Pieces = append(m.a.Doc.Pieces, name)
	m.a.Doc.Packed += int64(w.buf.Len())
	return nil
}

func (m *making) put(ctx context.Context, data blob.Source) (string, error) {
	name := blob.NewName(partEnding)
	if err := m.opt.Files.Put(ctx, name, "application/zip", data); err != nil {
		return "", fmt.Errorf("store a part of an archive: %w", err)
	}
	m.made = append(m.made, name)
	return name, nil
}

func (m *making) copyFile(ctx context.Context, name string, to io.Writer) error {
	f, err := m.opt.Files.Open(ctx, name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(to, f)
	return err
}

// media adds an uploaded file to a part, under a path. It counts and skips missing files.
func (m *making) media(ctx context.Context, p *part, name, as string) error {
	f, err := m.opt.Files.Open(ctx, name)
	if errors.Is(err, blob.ErrAbsent) {
		m.a.Missing++
		return nil
	}
	if err != nil {
		return fmt.Errorf("open a picture for an archive: %w", err)
	}
	defer f.Close()
	w, err := p.zip.CreateHeader(&zip.FileHeader{Name: as, Method: zip.Store, Modified: f.Info.Written.UTC()})
	if err == nil {
		_, err = io.Copy(w, f)
	}
	if err != nil {
		return fmt.Errorf("add a picture to an archive: %w", err)
	}
	p.filled = true
	return nil
}

// outbox writes the posts and boosts of the user.
func (m *making) outbox(ctx context.Context, ids []linnet.ID, out *itemWriter, p *part) (int, int, error) {
	all, err := m.view.Statuses(ctx, m.u.ID, ids)
	if err != nil {
		return 0, 0, err
	}
	taken := m.a.Media
	for done, id := range ids {
		i := slices.IndexFunc(all, func(v linnet.StatusView) bool { return v.ID == id })
		if i < 0 {
			continue
		}
		v := &all[i]
		for ; taken < len(v.Media); taken++ {
			if p.bytes() > partBytes {
				return done, taken, nil
			}
			if err := m.media(ctx, p, v.Media[taken].Name, mediaPath(v.Media[taken].Name)); err != nil {
				return 0, 0, err
			}
		}
		taken = 0
		act, err := m.activity(ctx, v)
		if err == nil {
			err = out.item(act)
		}
		if err != nil {
			return 0, 0, err
		}
		m.a.Posts++
	}
	return len(ids), 0, nil
}

// mediaPath returns the path of a media file in the archive.
func mediaPath(name string) string { return "media_attachments/files/" + name }

// uris writes the URIs of statuses that the user can still see.
func (m *making) uris(ctx context.Context, ids []linnet.ID, out *itemWriter, _ *part) (int, int, error) {
	all, err := m.view.Statuses(ctx, m.u.ID, ids)
	for i := range all {
		if err == nil {
			err = out.item(all[i].URI)
		}
	}
	return len(ids), 0, err
}

// actor puts the profile and its pictures into a part.
func (m *making) actor(ctx context.Context) error {
	p, err := m.newPart()
	if err != nil {
		return err
	}
	defer p.close()
	v, err := m.view.User(ctx, m.u.ID, m.u.ID)
	if err != nil {
		return err
	}
	for _, picture := range []struct{ name, as string }{{v.Avatar, "avatar"}, {v.Banner, "header"}} {
		if picture.name != "" {
			if err := m.media(ctx, p, picture.name, picture.as+path.Ext(picture.name)); err != nil {
				return err
			}
		}
	}
	a := actor{Context: streams, ID: m.actorURI(v.Login), Type: "Person", Outbox: stageOutbox, Likes: stageLikes, Bookmarks: stageBookmarks,
		PreferredUsername: v.Login, Name: v.Name, Summary: v.NoteHTML, URL: v.URL, Locked: v.Locked, Discoverable: v.Discoverable, Indexable: v.Indexable,
		Published: iso(v.ID.Time()), Attachment: []line{}, Icon: pictureOf(v.Avatar, "avatar"), Image: pictureOf(v.Banner, "header")}
	if v.Bot {
		a.Type = "Service"
	}
	for i, f := range v.Fields {
		a.Attachment = append(a.Attachment, line{"PropertyValue", f.Name, v.FieldsHTML[i]})
	}
	b, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("encode a profile: %w", err)
	}
	strikes, err := m.strikes(ctx)
	if err != nil {
		return err
	}
	for _, doc := range []struct {
		name string
		data []byte
	}{{stageActor, b}, {strikesFile, strikes}} {
		w, err := p.zip.Create(doc.name)
		if err == nil {
			_, err = w.Write(doc.data)
		}
		if err != nil {
			return fmt.Errorf("write an archive: %w", err)
		}
	}
	p.filled = true
	if err := m.collections(ctx, p); err != nil {
		return err
	}
	return m.addPart(ctx, p)
}
