package backup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"linnet/internal/blob"
	"linnet/internal/kv"
)

const (
	shards = kv.Shards
	// A chunk ends at a key if the key's hash selects it, which is one in cutEvery, and the chunk
	// has at least minChunk bytes. It always ends at maxChunk.
	minChunk = 32 << 10
	maxChunk = 4 << 20
	cutEvery = 256
	// writers is the number of chunks compressed and written at a time.
	writers = 2
	// listed is the number of files per chunk of the list.
	listed = 10_000
	// closeWithin is the time limit of Close.
	closeWithin = 10 * time.Second
)

// Writer writes a backup.
type Writer struct {
	location *Location
	m        *Manifest
	zip      *zstd.Encoder
	bare     int64               // size of encrypted empty data
	marker   string              // path of the marker of the running backup
	files    map[string][]string // existing files: hashes of the contents by hash of the name
	taken    map[string]File     // files of the backup by name
	written  atomic.Int64        // bytes that were not stored before

	mu    sync.Mutex
	there map[string]int64 // existing data by path, with its size
}

// File is a media file of a backup.
type File struct {
	Name  string `json:"name"`
	Hash  string `json:"hash"` // hash of its content
	Bytes int64  `json:"bytes"`
	// Withheld files are not served, see blob.Store.
	Withheld bool `json:"withheld,omitempty"`
}

// NewWriter starts a backup. about has the fields of its manifest for the program and the records.
// Close must be called.
func (p *Location) NewWriter(ctx context.Context, about Manifest) (*Writer, error) {
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(writers))
	if err != nil {
		return nil, fmt.Errorf("set up compression: %w", err)
	}
	about.Format, about.Shards, about.Names = p.format(), make([]Shard, shards), hex.EncodeToString(p.seal.names)
	w := &Writer{location: p, m: &about, zip: zip, marker: runningDir + rand.Text(), files: map[string][]string{}, taken: map[string]File{}}
	if w.bare, err = p.seal.copy(io.Discard, strings.NewReader("")); err != nil {
		return nil, err
	}
	if err := p.put(ctx, w.marker, []byte(time.Now().UTC().Format(time.RFC3339)+"\n")); err != nil {
		return nil, err
	}
	if w.there, err = p.sizes(ctx); err != nil {
		w.Close()
		return nil, err
	}
	for path := range w.there {
		_, last, _ := strings.Cut(strings.TrimPrefix(path, fileDir), "/")
		if name, hash, ok := strings.Cut(last, "."); ok && isHash(name) && isHash(hash) {
			w.files[name] = append(w.files[name], hash)
		}
	}
	return w, nil
}

// Close ends the backup, finished or not, even if ctx has ended. If it fails, Prune waits for a
// day.
func (w *Writer) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	_ = w.location.remove(ctx, w.marker)
}

// has reports whether an existing piece has the right size. A piece with another size was truncated
// and must be written again, because later backups would rely on it.
func (w *Writer) has(path string, bytes int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	is, ok := w.there[path]
	return ok && is == bytes
}

// takes returns the stored size of some bytes.
func (w *Writer) takes(bytes int64) int64 {
	if !w.location.sealed {
		return bytes
	}
	return w.bare + sealedBeyond(bytes)
}

// wrote records that a piece now exists.
func (w *Writer) wrote(path string, bytes int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.there[path] = bytes
	w.written.Add(bytes)
}

// Shard writes a shard of a copy. Shards can be written in any order, but only one at a time.
func (w *Writer) Shard(ctx context.Context, c kv.Copy, shard uint16) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(writers)
	b := &builder{flush: func(chunk []byte) Chunk {
		made := w.location.seal.chunkOf(chunk)
		g.Go(func() error { return w.chunk(ctx, made.Hash, chunk) })
		return made
	}}
	var d kv.Digest
	err := c.Shard(ctx, shard, func(x *kv.Entry) error {
		d.Add(x)
		b.add(x)
		return ctx.Err()
	})
	b.end()
	if err = errors.Join(g.Wait(), err); err != nil {
		return fmt.Errorf("back up shard %d: %w", shard, err)
	}
	w.m.Shards[shard] = Shard{Digest: d.String(), Entries: b.entries, Chunks: b.chunks}
	return nil
}

func (s *sealing) chunkOf(data []byte) Chunk {
	return Chunk{Hash: s.hashOf(data), Bytes: int64(len(data))}
}

// chunk writes a chunk unless it exists. It compresses it in any case, to compare the size without
// reading the existing one.
func (w *Writer) chunk(ctx context.Context, hash string, data []byte) error {
	path, packed := chunkPath(hash), w.zip.EncodeAll(data, nil)
	if w.has(path, w.takes(int64(len(packed)))) {
		return nil
	}
	n, err := w.location.putSealed(ctx, path, packed)
	if err == nil {
		w.wrote(path, n)
	}
	return err
}

// builder cuts entries into chunks.
type builder struct {
	flush   func([]byte) Chunk
	buf     []byte
	last    kv.Entry
	entries int64
	chunks  []Chunk
}

func (b *builder) add(x *kv.Entry) {
	if len(b.buf) >= maxChunk || len(b.buf) >= minChunk && x.Key != b.last.Key && cutsAt(x.Key) {
		b.end()
	}
	last := &b.last
	if len(b.buf) == 0 {
		last = nil
	}
	b.buf = kv.AppendEntry(b.buf, last, x)
	b.last.Key = x.Key
	b.entries++
}

// cutsAt reports whether a chunk can begin with a key.
func cutsAt(k kv.Key) bool {
	h := fnv.New32a()
	io.WriteString(h, k.Kind+" "+k.ID)
	return h.Sum32()%cutEvery == 0
}

func (b *builder) end() {
	if len(b.buf) > 0 {
		b.chunks = append(b.chunks, b.flush(b.buf))
		b.buf = nil
	}
}

// Files stores the files of a store that the location lacks. It is called before the copy, so that
// files deleted in the meantime are included, and again after it, for new ones. It calls progress
// after each file.
func (w *Writer) Files(ctx context.Context, from blob.Store, progress func(int)) error {
	err := from.Walk(ctx, func(info blob.Info) error {
		defer progress(1)
		if f, known := w.taken[info.Name]; known {
			f.Withheld = info.Withheld
			w.taken[info.Name] = f
			return nil
		}
		f, there := w.existing(info)
		if !there {
			var err error
			if f, err = w.take(ctx, from, info.Name); errors.Is(err, blob.ErrAbsent) {
				return nil // deleted in the meantime
			} else if err != nil {
				return err
			}
		}
		f.Withheld = info.Withheld
		w.taken[f.Name] = f
		return nil
	})
	if err != nil {
		return fmt.Errorf("back up files: %w", err)
	}
	return nil
}

// Has reports whether the backup has a file with a name.
func (w *Writer) Has(name string) bool {
	_, ok := w.taken[name]
	return ok
}

// existing returns an existing file with the right size.
func (w *Writer) existing(info blob.Info) (File, bool) {
	nameHash := w.location.seal.hashOf([]byte(info.Name))
	for _, hash := range w.files[nameHash] {
		if w.has(filePath(nameHash, hash), w.takes(info.Bytes)) {
			return File{Name: info.Name, Bytes: info.Bytes, Hash: hash}, true
		}
	}
	return File{}, false
}

// take copies a file.
func (w *Writer) take(ctx context.Context, from blob.Store, name string) (f File, err error) {
	in, err := from.Open(ctx, name)
	if err != nil {
		return f, err
	}
	defer in.Close()
	// The hash is part of the file's name there, so it is read twice.
	f = File{Name: name}
	sum := w.location.seal.hash()
	if f.Bytes, err = io.Copy(sum, in); err != nil {
		return f, err
	}
	f.Hash = hex.EncodeToString(sum.Sum(nil))
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return f, err
	}
	path, n := filePath(w.location.seal.hashOf([]byte(name)), f.Hash), int64(0)
	if w.has(path, w.takes(f.Bytes)) {
		return f, nil
	}
	err = w.location.write(ctx, path, func(to io.Writer) error {
		n, err = w.location.seal.copy(to, in)
		return err
	})
	if err == nil {
		w.wrote(path, n)
	}
	return f, err
}

// Finish writes the manifest, which makes the backup valid, and returns it.
func (w *Writer) Finish(ctx context.Context, moment time.Time) (*Manifest, error) {
	m := w.m
	m.Moment, m.Ended = moment.UTC().Truncate(time.Millisecond), time.Now().UTC().Truncate(time.Millisecond)
	if err := w.list(ctx); err != nil {
		return nil, err
	}
	var sum kv.Digest
	for _, s := range m.Shards {
		d, err := kv.ParseDigest(s.Digest)
		if err != nil {
			return nil, err
		}
		sum.AddAll(d)
		m.Entries += s.Entries
	}
	m.Digest = sum.String()
	there, err := w.location.sizes(ctx)
	if err != nil {
		return nil, err
	}
	needs := map[string]bool{}
	w.m.pieces(&w.location.seal, w.taken, func(path string) { needs[path] = true })
	for path := range needs {
		bytes, ok := there[path]
		if !ok || bytes != w.there[path] {
			return nil, fmt.Errorf("%s: %w", path, ErrRemoved)
		}
		w.m.Bytes += bytes
	}
	w.m.Written = w.written.Load()
	data, err := m.sealed()
	if err == nil && w.location.sealed {
		err = w.location.put(ctx, piecesPath(m.Name()), piecesOf(m, &w.location.seal, w.taken))
	}
	if err == nil {
		err = w.location.sync()
	}
	if err == nil {
		_, err = w.location.putSealed(ctx, w.location.manifestPath(m.Name()), data)
	}
	if err == nil {
		err = w.location.sync()
	}
	if err == nil {
		err = w.location.noteNewest(ctx, m.Name())
	}
	if err != nil {
		return m, fmt.Errorf("write the manifest: %w", err)
	}
	return m, nil
}

// ErrRemoved is returned if data of the backup was deleted or changed while it was made.
var ErrRemoved = errors.New("the backup location changed during the backup: run the backup again")

// list writes the list of the backup's files.
func (w *Writer) list(ctx context.Context) error {
	var chunk []byte
	names := sortedNames(w.taken)
	for i, name := range names {
		f := w.taken[name]
		line, err := json.Marshal(f)
		if err != nil {
			return fmt.Errorf("encode the list of files: %w", err)
		}
		chunk = append(append(chunk, line...), '\n')
		w.m.Files.Count++
		w.m.Files.Bytes += f.Bytes
		if (i+1)%listed == 0 || i == len(names)-1 {
			made := w.location.seal.chunkOf(chunk)
			if err := w.chunk(ctx, made.Hash, chunk); err != nil {
				return err
			}
			w.m.Files.List, chunk = append(w.m.Files.List, made), nil
		}
	}
	return nil
}
