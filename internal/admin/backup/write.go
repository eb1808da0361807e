package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"linnet/internal/blob"
	"linnet/internal/kv"
)

const (
	shards = kv.Shards
	// Chunks end at a key by whose hash one in cutEvery does, once they have minChunk bytes,
	// and anywhere with maxChunk.
	minChunk = 32 << 10
	maxChunk = 4 << 20
	cutEvery = 256
	// writers is how many chunks are compressed and written at a time.
	writers = 2
	// listed is how many files a chunk of the list names.
	listed = 10_000
)

// Writer makes a backup.
type Writer struct {
	dir   *Dir
	m     *Manifest
	zip   *zstd.Encoder
	files map[string]string // of files that are there: SHA-256 of the name -> of what it holds
	taken map[string]File   // by name

	written atomic.Int64 // bytes that were not there before
}

// File is a picture of a backup.
type File struct {
	Name  string `json:"name"`
	Hash  string `json:"hash"` // SHA-256
	Bytes int64  `json:"bytes"`
}

// NewWriter begins a backup in a directory. about says what stands in its manifest of the
// program and the records.
func (d *Dir) NewWriter(about Manifest) (*Writer, error) {
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(writers))
	if err != nil {
		return nil, fmt.Errorf("set up the compression: %w", err)
	}
	about.Format, about.Shards = Format, make([]Shard, shards)
	w := &Writer{dir: d, m: &about, zip: zip, files: map[string]string{}, taken: map[string]File{}}
	return w, w.look()
}

// look finds the files that are there.
func (w *Writer) look() error {
	return filepath.WalkDir(filepath.Join(w.dir.root, fileDir), func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("look for files in the backup: %w", err)
		}
		if name, hash, ok := strings.Cut(e.Name(), "."); ok && isHash(name) && isHash(hash) {
			w.files[name] = hash
		}
		return nil
	})
}

// Shard writes what a copy has of a shard. It may be called for shards in any order, but not
// for two at a time.
func (w *Writer) Shard(ctx context.Context, c kv.Copy, shard uint16) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(writers)
	b := &builder{flush: func(chunk []byte) Chunk {
		made := chunkOf(chunk)
		g.Go(func() error { return w.chunk(made.Hash, chunk) })
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

func chunkOf(data []byte) Chunk {
	sum := sha256.Sum256(data)
	return Chunk{Hash: hex.EncodeToString(sum[:]), Bytes: int64(len(data))}
}

// chunk writes a chunk, unless it is there.
func (w *Writer) chunk(hash string, data []byte) error {
	if w.dir.reuse(chunkPath(hash)) {
		return nil
	}
	packed := w.zip.EncodeAll(data, nil)
	w.written.Add(int64(len(packed)))
	return w.dir.write(chunkPath(hash), packed)
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

// cutsAt says whether a chunk may begin with a key.
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

// Files takes in the files of a store that are not there yet. It is called before the copy is
// begun, so that what is deleted meanwhile is there, and again when it was made, for what
// came meanwhile. tell is called after each file.
func (w *Writer) Files(ctx context.Context, from blob.Store, tell func(int)) error {
	err := from.Walk(ctx, func(info blob.Info) error {
		defer tell(1)
		if _, known := w.taken[info.Name]; known {
			return nil
		}
		nameHash := hashOf(info.Name)
		f := File{Name: info.Name, Bytes: info.Bytes, Hash: w.files[nameHash]}
		if f.Hash == "" || !w.dir.reuse(filePath(nameHash, f.Hash)) {
			var err error
			if f, err = w.take(ctx, from, info.Name); errors.Is(err, blob.ErrAbsent) {
				return nil // removed meanwhile
			} else if err != nil {
				return err
			}
		}
		w.taken[f.Name] = f
		return nil
	})
	if err != nil {
		return fmt.Errorf("back up files: %w", err)
	}
	return nil
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// take copies a file.
func (w *Writer) take(ctx context.Context, from blob.Store, name string) (f File, err error) {
	in, err := from.Open(ctx, name)
	if err != nil {
		return f, err
	}
	defer in.Close()
	// Its hash is part of its name there, so it is read twice.
	f = File{Name: name}
	sum := sha256.New()
	if f.Bytes, err = io.Copy(sum, in); err != nil {
		return f, err
	}
	f.Hash = hex.EncodeToString(sum.Sum(nil))
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return f, err
	}
	return f, w.dir.writeBy(filePath(hashOf(name), f.Hash), func(to io.Writer) error {
		n, err := io.Copy(to, in)
		w.written.Add(n)
		return err
	})
}

// Finish makes the backup count, and returns what it is.
func (w *Writer) Finish(moment time.Time) (*Manifest, error) {
	m := w.m
	m.Moment, m.Ended = moment.UTC().Truncate(time.Millisecond), time.Now().UTC().Truncate(time.Millisecond)
	if err := w.list(); err != nil {
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
	if err := w.size(); err != nil {
		return nil, err
	}
	return m, w.dir.finish(m)
}

// size adds up what the backup takes on disk.
func (w *Writer) size() error {
	seen := map[string]bool{}
	chunks := append([]Chunk{}, w.m.Files.List...)
	for _, s := range w.m.Shards {
		chunks = append(chunks, s.Chunks...)
	}
	for _, c := range chunks {
		if seen[c.Hash] {
			continue
		}
		seen[c.Hash] = true
		info, err := os.Stat(filepath.Join(w.dir.root, chunkPath(c.Hash)))
		if err != nil {
			return fmt.Errorf("look at what was written: %w", err)
		}
		w.m.Bytes += info.Size()
	}
	w.m.Bytes += w.m.Files.Bytes
	w.m.Written = w.written.Load()
	return nil
}

// list writes which files the backup has.
func (w *Writer) list() error {
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
			made := chunkOf(chunk)
			if err := w.chunk(made.Hash, chunk); err != nil {
				return err
			}
			w.m.Files.List, chunk = append(w.m.Files.List, made), nil
		}
	}
	return nil
}
