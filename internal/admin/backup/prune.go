package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// spared is how long what no backup names is left alone, and how long a backup may be under
// way before it counts as broken off.
const spared = 24 * time.Hour

// Prune removes all backups but the newest keep and the one that is named whole, and what only
// those had, as far as it was written more than a day ago. Where whole is not in the place it
// removes nothing: any of them may have what the newest lack. While another backup is under way in the same place that
// stays: it may count on it. It returns how many backups were removed.
func (p *Place) Prune(ctx context.Context, keep int, whole string) (removed int, err error) {
	names, err := p.Names(ctx)
	if err != nil || len(names) <= keep || !slices.Contains(names, whole) {
		return 0, err
	}
	var old, stay []string
	for i, name := range names {
		if i < len(names)-keep && name != whole {
			old = append(old, name)
		} else {
			stay = append(stay, name)
		}
	}
	needed := map[string]bool{}
	for _, name := range stay {
		if err := p.needs(ctx, name, needed); err != nil {
			return 0, err // rather keep everything than remove what a damaged one may need
		}
	}
	for _, name := range old {
		for _, path := range []string{p.manifestPath(name), piecesPath(name)} {
			if err := p.remove(ctx, path); err != nil {
				return removed, fmt.Errorf("remove an old backup: %w", err)
			}
		}
		removed++
	}
	return removed, p.sweep(ctx, needed)
}

// needs enters the chunks and files that a backup has.
func (p *Place) needs(ctx context.Context, name string, needed map[string]bool) error {
	if p.sealed {
		data, err := p.read(ctx, piecesPath(name))
		if err != nil {
			return fmt.Errorf("read the files of a backup: %w", err)
		}
		return readPieces(data, needed)
	}
	r, err := p.NewReader(ctx, name)
	if err != nil {
		return err
	}
	defer r.Close()
	files, err := r.List(ctx)
	if err != nil {
		return err
	}
	byName := map[string]File{}
	for _, f := range files {
		byName[f.Name] = f
	}
	r.pieces(&p.seal, byName, func(path string) { needed[path] = true })
	return nil
}

// pieces tells of the paths of everything that a backup has.
func (m *Manifest) pieces(s *sealing, files map[string]File, each func(path string)) {
	for _, s := range append(slices.Clone(m.Shards), Shard{Chunks: m.Files.List}) {
		for _, c := range s.Chunks {
			each(chunkPath(c.Hash))
		}
	}
	for _, f := range files {
		each(filePath(s.hashOf([]byte(f.Name)), f.Hash))
	}
}

// piecesOf is the list of these, one a line, with its SHA-256 at the end.
func piecesOf(m *Manifest, s *sealing, files map[string]File) []byte {
	var lines []string
	m.pieces(s, files, func(path string) { lines = append(lines, path+"\n") })
	slices.Sort(lines)
	text := strings.Join(slices.Compact(lines), "")
	sum := sha256.Sum256([]byte(text))
	return []byte(text + hex.EncodeToString(sum[:]) + "\n")
}

// readPieces reads such a list: ErrDamaged if its checksum does not match.
func readPieces(data []byte, into map[string]bool) error {
	text, last := strings.TrimSuffix(string(data), "\n"), ""
	at := strings.LastIndexByte(text, '\n') + 1
	text, last = text[:at], text[at:]
	if sum := sha256.Sum256([]byte(text)); hex.EncodeToString(sum[:]) != last {
		return fmt.Errorf("the file list of a backup: %w", ErrDamaged)
	}
	for line := range strings.Lines(text) {
		into[strings.TrimSuffix(line, "\n")] = true
	}
	return nil
}

// sweep removes chunks and files that are not needed.
func (p *Place) sweep(ctx context.Context, needed map[string]bool) error {
	others := 0
	err := p.walk(ctx, runningDir, func(i fileInfo) error {
		if time.Since(i.written) > spared {
			return p.remove(ctx, i.path)
		}
		others++
		return nil
	})
	if err != nil || others > 0 {
		return err
	}
	for _, begin := range []string{chunkDir, fileDir} {
		err := p.walk(ctx, begin, func(i fileInfo) error {
			if needed[i.path] || time.Since(i.written) <= spared {
				return nil
			}
			return p.remove(ctx, i.path)
		})
		if err != nil {
			return fmt.Errorf("remove chunks of old backups: %w", err)
		}
	}
	return nil
}
