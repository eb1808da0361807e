package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Manifest is one backup.
type Manifest struct {
	Format  int       `json:"format"`
	Program string    `json:"program"` // version of the program
	Schema  int       `json:"schema"`  // format version of the records
	Engine  string    `json:"engine"`  // engine of the store
	Moment  time.Time `json:"moment"`  // time of the backup
	Ended   time.Time `json:"ended"`
	Digest  string    `json:"digest"` // digest of all entries, see linnet digest
	Entries int64     `json:"entries"`
	Bytes   int64     `json:"bytes"`   // size on disk, including data shared with other backups
	Written int64     `json:"written"` // bytes that were not stored before
	Shards  []Shard   `json:"shards"`  // all shards in order
	Files   Files     `json:"files"`
	Names   string    `json:"names,omitempty"` // base16 key of the hashes, if they are keyed
	Seal    string    `json:"seal"`            // SHA-256 of the manifest with an empty Seal
}

// Shard describes a shard in a backup.
type Shard struct {
	Digest  string  `json:"digest"`
	Entries int64   `json:"entries"`
	Chunks  []Chunk `json:"chunks"`
}

// Chunk is a piece of the backup.
type Chunk struct {
	Hash  string `json:"hash"`  // SHA-256 of its content, or HMAC-SHA256 if encrypted
	Bytes int64  `json:"bytes"` // size before compression
}

// Files are the media files of a backup.
type Files struct {
	Count int64   `json:"count"`
	Bytes int64   `json:"bytes"`
	List  []Chunk `json:"list"` // chunks of lines, each a File in JSON
}

// manifestTime is the format of the time in the name of a manifest.
const manifestTime = "20060102T150405.000Z"

// Name returns the name of the backup, which is its time.
func (m *Manifest) Name() string { return NameOf(m.Moment) }

// NameOf returns the name of a backup with a time.
func NameOf(moment time.Time) string { return moment.UTC().Format(manifestTime) }

func (m Manifest) sealed() ([]byte, error) {
	m.Seal = ""
	bare, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode the manifest: %w", err)
	}
	sum := sha256.Sum256(bare)
	m.Seal = hex.EncodeToString(sum[:])
	return json.Marshal(m)
}

// newestFile contains the name of the newest backup, so that a missing manifest is noticed.
const newestFile = "LINNET-NEWEST"

// noteNewest writes newestFile, unless it contains a newer backup.
func (p *Location) noteNewest(ctx context.Context, name string) error {
	noted, err := p.newest(ctx)
	if err != nil || noted >= name {
		return err
	}
	if err := p.put(ctx, newestFile, []byte(name+"\n")); err != nil {
		return err
	}
	return p.sync()
}

// newest reads newestFile. Locations that only earlier programs have written to don't have it.
func (p *Location) newest(ctx context.Context) (string, error) {
	text, err := p.read(ctx, newestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// bareName returns the name of a backup from that name or the file name of its manifest.
func bareName(name string) string {
	name, _, _ = strings.Cut(path.Base(name), manifestEnd)
	return strings.TrimPrefix(name, manifestStart)
}

// Manifest reads a backup's manifest, or the newest one if name is "". It returns ErrNoBackup if
// there is none, and ErrIdentity if it is encrypted for other recipients.
func (p *Location) Manifest(ctx context.Context, name string) (*Manifest, error) {
	names, err := p.Names(ctx)
	if err != nil {
		return nil, err
	}
	if name != "" {
		name = bareName(name)
	} else if name, err = p.newestOf(ctx, names); err != nil {
		return nil, err
	}
	if !slices.Contains(names, name) {
		if len(names) == 0 {
			return nil, fmt.Errorf("%s: %w: all backups here are incomplete", p.name, ErrNoBackup)
		}
		return nil, noSuchBackup{p.name, name, names}
	}
	file := p.manifestPath(name)
	data, err := p.readSealed(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("read the manifest %s: %w", file, err)
	}
	m, err := parseManifest(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// newestOf returns the last of some names. It returns an error if the newest backup is missing.
func (p *Location) newestOf(ctx context.Context, names []string) (string, error) {
	noted, err := p.newest(ctx)
	if err != nil {
		return "", err
	}
	last := ""
	if len(names) > 0 {
		last = names[len(names)-1]
	}
	if noted > last {
		return "", fmt.Errorf("%s: %w: the manifest of the newest backup, %s, is missing: name an older backup with --at, or create a new backup", p.name, ErrDamaged, p.manifestPath(noted))
	}
	return last, nil
}

// noSuchBackup is an ErrNoBackup for a location with other backups.
type noSuchBackup struct {
	location, name string
	there          []string
}

func (e noSuchBackup) Error() string {
	return fmt.Sprintf("%s: there is no backup %q: choose one of %s", e.location, e.name, strings.Join(e.there, ", "))
}

func (noSuchBackup) Is(target error) bool { return target == ErrNoBackup }

// parseManifest parses a manifest. It returns ErrNewer or ErrDamaged if it isn't in this format.
func parseManifest(data []byte) (*Manifest, error) {
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if head.Format > Format {
		return nil, fmt.Errorf("format %d: %w", head.Format, ErrNewer)
	}
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	again, err := m.sealed()
	if err != nil {
		return nil, err
	}
	var seal struct {
		Seal string `json:"seal"`
	}
	if err := json.Unmarshal(again, &seal); err != nil || seal.Seal != m.Seal || m.Format < 1 {
		return nil, fmt.Errorf("%w: the checksum does not match", ErrDamaged)
	}
	if m.Names != "" && !isHash(m.Names) {
		return m, fmt.Errorf("%w: invalid name key", ErrDamaged)
	}
	if len(m.Shards) != shards {
		return m, fmt.Errorf("%w: the manifest lists %d shards, expected %d", ErrDamaged, len(m.Shards), shards)
	}
	all := slices.Clone(m.Files.List)
	for _, s := range m.Shards {
		all = append(all, s.Chunks...)
	}
	for _, c := range all {
		if !isHash(c.Hash) || c.Bytes < 0 || c.Bytes > 2*maxChunk {
			return m, fmt.Errorf("%w: invalid chunk %q of %d bytes", ErrDamaged, c.Hash, c.Bytes)
		}
	}
	return m, nil
}
