package backup

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"github.com/klauspost/compress/zstd"

	"linnet/internal/blob"
	"linnet/internal/kv"
)

// Reader reads a backup and verifies everything it returns.
type Reader struct {
	*Manifest
	location *Location
	seal     sealing
	zip      *zstd.Decoder
}

// NewReader opens a backup of a location, or the newest one for "". It returns ErrIdentity if it is
// encrypted for other recipients.
func (p *Location) NewReader(ctx context.Context, name string) (*Reader, error) {
	m, err := p.Manifest(ctx, name)
	if err != nil {
		return nil, err
	}
	seal := p.seal
	if seal.names, err = hex.DecodeString(m.Names); err != nil || len(seal.names) == 0 {
		seal.names = nil
	}
	zip, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4*maxChunk))
	if err != nil {
		return nil, fmt.Errorf("set up decompression: %w", err)
	}
	return &Reader{Manifest: m, location: p, seal: seal, zip: zip}, nil
}

// Close releases the resources of the reader.
func (r *Reader) Close() { r.zip.Close() }

// Missing returns some of the chunks and files that the backup needs but the location doesn't have.
// It reads only the list of files.
func (r *Reader) Missing(ctx context.Context) (some []string, err error) {
	const most = 5
	there, err := r.location.sizes(ctx)
	if err != nil {
		return nil, err
	}
	look := func(path string) {
		if _, ok := there[path]; !ok && len(some) < most {
			some = append(some, path)
		}
	}
	if r.pieces(&r.seal, nil, look); len(some) > 0 {
		return some, nil
	}
	files, err := r.List(ctx)
	for _, f := range files {
		look(filePath(r.seal.hashOf([]byte(f.Name)), f.Hash))
	}
	return some, err
}

// chunk reads a chunk.
func (r *Reader) chunk(ctx context.Context, c Chunk) ([]byte, error) {
	path := chunkPath(c.Hash)
	packed, err := r.location.readSealed(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("read a chunk: %w", ofBackup(path, err))
	}
	data, err := r.zip.DecodeAll(packed, make([]byte, 0, c.Bytes))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	}
	if r.seal.chunkOf(data) != c {
		return nil, fmt.Errorf("%s: %w: the checksum does not match", path, ErrDamaged)
	}
	return data, nil
}

// ofBackup converts an error of data in the manifest. Missing data, and data that can't be
// decrypted, is damage.
func ofBackup(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrIdentity) {
		return fmt.Errorf("%s: %w: %v", path, ErrDamaged, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Entries calls each with all entries of a shard, in order. The entry is valid only during the
// call. It compares the digest at the end and returns ErrDamaged if it differs.
func (r *Reader) Entries(ctx context.Context, shard uint16, each func(*kv.Entry) error) error {
	s := r.Shards[shard]
	var d kv.Digest
	n := int64(0)
	for _, c := range s.Chunks {
		data, err := r.chunk(ctx, c)
		if err != nil {
			return err
		}
		err = kv.Entries(data, func(x *kv.Entry) error {
			if x.Key.Shard != shard {
				return fmt.Errorf("%w: unexpected key %v in shard %d", ErrDamaged, x.Key, shard)
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
		return fmt.Errorf("shard %d: %w: found %d entries with digest %v, expected %d with digest %s", shard, ErrDamaged, n, &d, s.Entries, s.Digest)
	}
	return nil
}

// List returns the files of the backup by name.
func (r *Reader) List(ctx context.Context) ([]File, error) {
	var out []File
	for _, c := range r.Files.List {
		some, err := r.listed(ctx, c)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// listed returns the files in a chunk of the list.
func (r *Reader) listed(ctx context.Context, c Chunk) (out []File, err error) {
	data, err := r.chunk(ctx, c)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(data) {
		var f File
		if err := json.Unmarshal(line, &f); err != nil || !blob.Valid(f.Name) || !isHash(f.Hash) {
			return nil, fmt.Errorf("read the list of files: %w: invalid line %.60q", ErrDamaged, line)
		}
		out = append(out, f)
	}
	return out, nil
}

// Damaged reads the whole backup and returns the paths of missing and damaged data. If a list of
// files is damaged, its files are unknown.
func (r *Reader) Damaged(ctx context.Context) ([]string, error) {
	found := map[string]bool{}
	look := func(path string, err error) error {
		if errors.Is(err, ErrDamaged) {
			found[path], err = true, nil
		}
		return errors.Join(err, ctx.Err())
	}
	for _, s := range r.Shards {
		for _, c := range s.Chunks {
			_, err := r.chunk(ctx, c)
			if err := look(chunkPath(c.Hash), err); err != nil {
				return nil, err
			}
		}
	}
	for _, c := range r.Files.List {
		files, err := r.listed(ctx, c)
		if err := look(chunkPath(c.Hash), err); err != nil {
			return nil, err
		}
		for _, f := range files {
			if err := look(filePath(r.seal.hashOf([]byte(f.Name)), f.Hash), r.Check(ctx, f)); err != nil {
				return nil, err
			}
		}
	}
	return sortedNames(found), nil
}

// Discard deletes data, so that the next backup writes it again. A running backup notices this at
// its end.
func (r *Reader) Discard(ctx context.Context, paths []string) error {
	for _, path := range paths {
		if err := r.location.remove(ctx, path); err != nil {
			return fmt.Errorf("remove damaged data: %w", err)
		}
	}
	return nil
}

// Copy writes a file of the backup to w. It returns ErrDamaged if the content is wrong.
func (r *Reader) Copy(ctx context.Context, w io.Writer, f File) error {
	path := filePath(r.seal.hashOf([]byte(f.Name)), f.Hash)
	in, err := r.location.open(ctx, path)
	if err != nil {
		return fmt.Errorf("open a file of the backup: %w", ofBackup(path, err))
	}
	defer in.Close()
	lies := &watched{r: in}
	plain := io.Reader(lies)
	if r.location.sealed {
		if plain, err = r.seal.open(lies); err != nil {
			return errors.Join(lies.err, ofBackup(path, err))
		}
	}
	sum, into := r.seal.hash(), &counting{w: w}
	_, err = io.Copy(io.MultiWriter(into, sum), plain)
	switch {
	case lies.err != nil:
		return fmt.Errorf("read %s: %w", path, lies.err)
	case into.err != nil:
		return into.err
	case err != nil:
		return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	case into.n != f.Bytes || hex.EncodeToString(sum.Sum(nil)) != f.Hash:
		return fmt.Errorf("%s: %w: the checksum does not match", path, ErrDamaged)
	}
	return nil
}

// Check reads and verifies a file of the backup.
func (r *Reader) Check(ctx context.Context, f File) error { return r.Copy(ctx, io.Discard, f) }

// watched records read errors, to distinguish them from damage.
type watched struct {
	r   io.Reader
	err error
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}

func sortedNames[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
