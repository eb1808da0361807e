package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"

	"linnet/internal/blob"
	"linnet/internal/kv"
)

// Reader reads a backup. Everything that it gives was compared with what was written.
type Reader struct {
	*Manifest
	dir *Dir
	zip *zstd.Decoder
}

// NewReader opens a backup of a directory; name "": the newest.
func (d *Dir) NewReader(name string) (*Reader, error) {
	m, err := d.Manifest(name)
	if err != nil {
		return nil, err
	}
	zip, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4*maxChunk))
	if err != nil {
		return nil, fmt.Errorf("set up the compression: %w", err)
	}
	return &Reader{Manifest: m, dir: d, zip: zip}, nil
}

// Close gives up what the reader holds.
func (r *Reader) Close() { r.zip.Close() }

// Missing names chunks and files that the backup has and the directory has not, some of them,
// without reading any.
func (r *Reader) Missing() (some []string, err error) {
	const most = 5
	for _, s := range r.Shards {
		for _, c := range s.Chunks {
			if len(some) < most && !r.dir.has(chunkPath(c.Hash)) {
				some = append(some, chunkPath(c.Hash))
			}
		}
	}
	files, err := r.List()
	if errors.Is(err, fs.ErrNotExist) {
		return append(some, "the list of files"), nil
	}
	for _, f := range files {
		if path := filePath(hashOf(f.Name), f.Hash); len(some) < most && !r.dir.has(path) {
			some = append(some, path)
		}
	}
	return some, err
}

// chunk reads a chunk.
func (r *Reader) chunk(c Chunk) ([]byte, error) {
	path := filepath.Join(r.dir.root, chunkPath(c.Hash))
	packed, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read a chunk: %w: %w", ErrDamaged, err)
	}
	data, err := r.zip.DecodeAll(packed, make([]byte, 0, c.Bytes))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	}
	if chunkOf(data) != c {
		return nil, fmt.Errorf("%s: %w: it holds something else than was written", path, ErrDamaged)
	}
	return data, nil
}

// Entries calls each with all entries of a shard, in order. What it is given is valid only
// during the call. The digest is compared at the end: ErrDamaged.
func (r *Reader) Entries(shard uint16, each func(*kv.Entry) error) error {
	s := r.Shards[shard]
	var d kv.Digest
	n := int64(0)
	for _, c := range s.Chunks {
		data, err := r.chunk(c)
		if err != nil {
			return err
		}
		err = kv.Entries(data, func(x *kv.Entry) error {
			if x.Key.Shard != shard {
				return fmt.Errorf("%w: %v among the entries of shard %d", ErrDamaged, x.Key, shard)
			}
			d.Add(x)
			n++
			return each(x)
		})
		if errors.Is(err, kv.ErrEntries) {
			return fmt.Errorf("chunk %s: %w: %w", c.Hash, ErrDamaged, err)
		}
		if err != nil {
			return err
		}
	}
	if n != s.Entries || n > 0 && d.String() != s.Digest {
		return fmt.Errorf("shard %d: %w: it has %d entries with the digest %v, not %d with %s", shard, ErrDamaged, n, &d, s.Entries, s.Digest)
	}
	return nil
}

// List is the files of the backup, by name.
func (r *Reader) List() ([]File, error) {
	var out []File
	for _, c := range r.Files.List {
		data, err := r.chunk(c)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			var f File
			if err := json.Unmarshal(line, &f); err != nil || !blob.Valid(f.Name) || !isHash(f.Hash) {
				return nil, fmt.Errorf("list of files: %w: %.60q", ErrDamaged, line)
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// Open opens a file of the backup. The caller compares its hash with what it reads, as Check
// does.
func (r *Reader) Open(f File) (*os.File, error) {
	in, err := os.Open(filepath.Join(r.dir.root, filePath(hashOf(f.Name), f.Hash)))
	if err != nil {
		return nil, fmt.Errorf("open a file of the backup: %w: %w", ErrDamaged, err)
	}
	return in, nil
}

// Check reads a file of the backup and compares it with what was written.
func (r *Reader) Check(f File) error {
	in, err := r.Open(f)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, in)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", in.Name(), ErrDamaged, err)
	}
	if n != f.Bytes || hex.EncodeToString(sum.Sum(nil)) != f.Hash {
		return fmt.Errorf("%s: %w: it holds something else than was written", in.Name(), ErrDamaged)
	}
	return nil
}

func sortedNames[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
