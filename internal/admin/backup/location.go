package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"linnet/internal/blob"
)

// Format is the newest version of the format, which encrypted backups have. All earlier versions
// can be read.
const Format = 2

const (
	plainFormat = 1

	formatFile  = "LINNET-BACKUP"
	formatTitle = "linnet backup, format "
	sealedTitle = "encrypted with age (age-encryption.org/v1)"
	chunkDir    = "chunks/"
	fileDir     = "files/"
	runningDir  = "running/"
)

var (
	// ErrNoBackup is returned for a location without backups.
	ErrNoBackup = errors.New("no backup found")
	// ErrForeign is returned for a location with other data.
	ErrForeign = errors.New("the location contains other files but no backups: choose another one")
	// ErrNewer is returned for a backup by a newer program.
	ErrNewer = errors.New("written by a newer version of linnet: use that version")
	// ErrDamaged is returned if data is missing or has changed.
	ErrDamaged = errors.New("damaged")
	// ErrSealed is returned for a location with encrypted backups if no recipients were given.
	ErrSealed = errors.New("the location contains encrypted backups: set backup.recipients or pass --recipient, or choose another location")
	// ErrPlain is returned for a location with unencrypted backups if recipients were given.
	ErrPlain = errors.New("the location contains unencrypted backups: choose another location for encrypted backups")
)

// Target is the location of backups: a directory, or a bucket with a prefix.
type Target struct {
	Dir     string             // absolute path; "" for a bucket
	Bucket  blob.BucketOptions // its prefix, if any, has no trailing slash
	Scratch string             // directory for temporary files; "" for the system's
}

// String returns the location in the form that users enter: DIR or s3://BUCKET/PREFIX.
func (t Target) String() string {
	if t.Dir != "" {
		return t.Dir
	}
	return "s3://" + path.Join(t.Bucket.Bucket, t.Bucket.Prefix)
}

func (t Target) open(ctx context.Context) (files, error) {
	if t.Dir != "" {
		return dir{t.Dir}, nil
	}
	opt := t.Bucket
	if opt.Prefix != "" {
		opt.Prefix += "/"
	}
	o, err := blob.OpenObjects(ctx, opt)
	if err != nil {
		return nil, err
	}
	return bucket{o, t.Scratch}, nil
}

// files is a location for backups. Paths have slashes.
type files interface {
	// prepare prepares the location for writing.
	prepare() error
	// open opens a file. It returns fs.ErrNotExist if there is none.
	open(ctx context.Context, path string) (io.ReadCloser, error)
	// write writes a file completely or not at all.
	write(ctx context.Context, path string, by func(io.Writer) error) error
	// remove deletes a file. It returns no error if there is none.
	remove(ctx context.Context, path string) error
	// walk calls each for every file whose path has a prefix, in any order. It stops at an error
	// and returns it.
	walk(ctx context.Context, begin string, each func(fileInfo) error) error
	// sync makes written files durable.
	sync() error
}

type fileInfo struct {
	path    string
	bytes   int64
	written time.Time
}

// Location is a location of backups. Only its owner can read it.
type Location struct {
	files
	name   string
	sealed bool // the backups are encrypted
	seal   sealing
}

// Create opens a location for a new backup and creates it if necessary. It returns ErrForeign if it
// contains other data and ErrNewer if a newer program uses it. With recipients everything is
// encrypted for them. It returns ErrPlain or ErrSealed if the existing backups differ in that.
// names is the secret by which existing data is recognized: 32 bytes, always the same for a store.
func Create(ctx context.Context, t Target, recipients Recipients, names []byte) (*Location, error) {
	f, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	p := &Location{files: f, name: t.String(), sealed: len(recipients) > 0, seal: recipients.sealing(names)}
	sealed, err := p.known(ctx)
	switch {
	case errors.Is(err, ErrNoBackup):
		if err = f.prepare(); err == nil {
			text := formatTitle + strconv.Itoa(p.format()) + "\n"
			if p.sealed {
				text += sealedTitle + "\n"
			}
			err = p.put(ctx, formatFile, []byte(text))
		}
		return p, err
	case err != nil:
		return nil, err
	case sealed && !p.sealed:
		return nil, fmt.Errorf("%s: %w", p.name, ErrSealed)
	case !sealed && p.sealed:
		return nil, fmt.Errorf("%s: %w", p.name, ErrPlain)
	}
	return p, f.prepare()
}

// Open opens a location with backups. It returns ErrNoBackup for other locations. Encrypted backups
// need identities.
func Open(ctx context.Context, t Target, identities Identities) (*Location, error) {
	f, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	p := &Location{files: f, name: t.String(), seal: sealing{identities: identities.list}}
	p.sealed, err = p.known(ctx)
	return p, err
}

// format returns the format version of the location.
func (p *Location) format() int {
	if p.sealed {
		return Format
	}
	return plainFormat
}

// known reads the format version, and whether the backups are encrypted.
func (p *Location) known(ctx context.Context) (sealed bool, err error) {
	text, err := p.read(ctx, formatFile)
	if errors.Is(err, fs.ErrNotExist) {
		err := p.walk(ctx, "", func(fileInfo) error { return ErrForeign })
		if err == nil {
			err = ErrNoBackup
		}
		return false, fmt.Errorf("%s: %w", p.name, err)
	}
	if err != nil {
		return false, fmt.Errorf("open a backup location: %w", err)
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	digits, ok := strings.CutPrefix(first, formatTitle)
	n, err := strconv.Atoi(digits)
	switch {
	case !ok || err != nil || n < 1:
		return false, fmt.Errorf("%s: %w: %s contains no format version", p.name, ErrDamaged, formatFile)
	case n > Format:
		return false, fmt.Errorf("%s has format %d: %w", p.name, n, ErrNewer)
	case n > plainFormat && rest != sealedTitle:
		return false, fmt.Errorf("%s: %w: %s specifies an unknown encryption method", p.name, ErrDamaged, formatFile)
	}
	return n > plainFormat, nil
}

// read reads a small file unchanged.
func (p *Location) read(ctx context.Context, path string) ([]byte, error) {
	in, err := p.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(in)
}

// put writes a small file unencrypted.
func (p *Location) put(ctx context.Context, path string, data []byte) error {
	return p.write(ctx, path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// putSealed writes a small file, encrypted if the location is.
func (p *Location) putSealed(ctx context.Context, path string, data []byte) (written int64, err error) {
	err = p.write(ctx, path, func(w io.Writer) error {
		written, err = p.seal.copy(w, bytes.NewReader(data))
		return err
	})
	return written, err
}

// readSealed reads a file of putSealed.
func (p *Location) readSealed(ctx context.Context, path string) ([]byte, error) {
	data, err := p.read(ctx, path)
	if err != nil || !p.sealed {
		return data, err
	}
	in, err := p.seal.open(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if data, err = io.ReadAll(in); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return data, nil
}

// sizes returns the sizes of the stored chunks and files by path.
func (p *Location) sizes(ctx context.Context) (map[string]int64, error) {
	out := map[string]int64{}
	for _, begin := range []string{chunkDir, fileDir} {
		err := p.walk(ctx, begin, func(i fileInfo) error {
			out[i.path] = i.bytes
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", p.name, err)
		}
	}
	return out, nil
}

const manifestStart, manifestEnd = "manifest-", ".json"

func (p *Location) manifestPath(name string) string {
	if p.sealed {
		return manifestStart + name + manifestEnd + ".age"
	}
	return manifestStart + name + manifestEnd
}

// Names returns the names of the backups, oldest first.
func (p *Location) Names(ctx context.Context) ([]string, error) {
	var out []string
	err := p.walk(ctx, manifestStart, func(i fileInfo) error {
		name, _, _ := strings.Cut(strings.TrimPrefix(i.path, manifestStart), manifestEnd)
		if i.path == p.manifestPath(name) {
			out = append(out, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list backups: %w", err)
	}
	slices.Sort(out)
	return out, nil
}

// chunkPath returns the path of a chunk.
func chunkPath(hash string) string { return chunkDir + hash[:2] + "/" + hash }

func filePath(nameHash, hash string) string {
	return fileDir + nameHash[:2] + "/" + nameHash + "." + hash
}

// piecesPath returns the path of the unencrypted list of chunks and files of an encrypted backup.
// Pruning needs it, because it has no identity to decrypt manifests.
func piecesPath(name string) string { return "pieces-" + name }
