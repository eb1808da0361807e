package rediskv

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"linnet/internal/kv"
)

// tempFile stores records as they are read, in any order and with repeats, and returns them by
// shard, each in its last version. It uses a file, and one page of each shard in memory.
type tempFile struct {
	file   *os.File
	named  bool  // the open file could not be removed
	end    int64 // of the file
	shards [kv.Shards]shardRecords
}

// shardRecords has the records of a shard: pieces in the file, and the part in memory.
type shardRecords struct {
	pieces []filePiece
	tail   []byte
}

type filePiece struct {
	at   int64
	size int
}

// maxTail limits how much of a shard is in memory, plus one record.
const maxTail = 32 << 10

func newTempFile(dir string) (*tempFile, error) {
	f, err := os.CreateTemp(dir, ".linnet-copy-*")
	if err != nil {
		return nil, fmt.Errorf("create a temporary file: %w", err)
	}
	return &tempFile{file: f, named: os.Remove(f.Name()) != nil}, nil
}

// put stores the record of a key. Without entries, the key does not exist.
func (s *tempFile) put(k kv.Key, entries []kv.Entry) error {
	var body []byte
	var last *kv.Entry
	for i := range entries {
		body = kv.AppendEntry(body, last, &entries[i])
		last = &entries[i]
	}
	shard := &s.shards[k.Shard]
	text := k.String()
	shard.tail = append(binary.AppendUvarint(shard.tail, uint64(len(text))), text...)
	shard.tail = append(binary.AppendUvarint(shard.tail, uint64(len(body))), body...)
	if len(shard.tail) < maxTail {
		return nil
	}
	if _, err := s.file.WriteAt(shard.tail, s.end); err != nil {
		return fmt.Errorf("write the temporary file: %w", err)
	}
	shard.pieces = append(shard.pieces, filePiece{s.end, len(shard.tail)})
	s.end += int64(len(shard.tail))
	shard.tail = shard.tail[:0]
	return nil
}

// records returns the last versions of the records of a shard, in order.
func (s *tempFile) records(shard uint16) ([]tempRecord, error) {
	last := map[string][]byte{}
	of := &s.shards[shard]
	for _, p := range of.pieces {
		b := make([]byte, p.size)
		if _, err := s.file.ReadAt(b, p.at); err != nil {
			return nil, fmt.Errorf("read the temporary file: %w", err)
		}
		if err := addPiece(b, last); err != nil {
			return nil, err
		}
	}
	if err := addPiece(of.tail, last); err != nil {
		return nil, err
	}
	out := make([]tempRecord, 0, len(last))
	for text, body := range last {
		k, err := kv.ParseKey(text)
		if err != nil {
			return nil, err
		}
		out = append(out, tempRecord{k, body})
	}
	slices.SortFunc(out, func(a, b tempRecord) int {
		return cmp.Or(cmp.Compare(a.key.Kind, b.key.Kind), cmp.Compare(a.key.ID, b.key.ID))
	})
	return out, nil
}

type tempRecord struct {
	key  kv.Key
	body []byte
}

// addPiece adds the records of a piece.
func addPiece(b []byte, into map[string][]byte) error {
	r := bufio.NewReader(bytes.NewReader(b))
	for {
		text, err := encodeRecord(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			into[string(text)], err = encodeRecord(r)
		}
		if err != nil {
			return fmt.Errorf("read the temporary file: %w", err)
		}
	}
}

func encodeRecord(r *bufio.Reader) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, fmt.Errorf("read a truncated record: %w", io.ErrUnexpectedEOF)
	}
	return text, nil
}

func (s *tempFile) close() error {
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

// replica is a kv.Copy of a temporary file.
type replica struct {
	temp   *tempFile
	moment time.Time
}

// Moment implements kv.Copy.
func (r *replica) Moment() time.Time { return r.moment }

// Close implements kv.Copy.
func (r *replica) Close() error { return r.temp.close() }

// Shard implements kv.Copy.
func (r *replica) Shard(ctx context.Context, shard uint16, each func(*kv.Entry) error) error {
	records, err := r.temp.records(shard)
	if err != nil {
		return fmt.Errorf("copy shard %d: %w", shard, err)
	}
	for _, record := range records {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("copy shard %d: %w", shard, err)
		}
		err := kv.Entries(record.body, func(x *kv.Entry) error {
			if !x.Until.IsZero() && !r.moment.Before(x.Until) {
				return nil
			}
			return each(x)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
