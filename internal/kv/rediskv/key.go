package rediskv

import (
	"strconv"
	"strings"
	"time"
	"unsafe"

	"linnet/internal/kv"
)

// texts collects the texts of one pipeline in one piece of memory. It is made
// anew for each pipeline and never used again: the client may still be writing
// a pipeline that its caller has given up.
type texts struct {
	prefix string
	life   time.Duration // of a feed that nobody reads; 0: for ever
	buf    []byte
}

func (e *Engine) newTexts() texts { return texts{prefix: e.opts.Prefix, life: e.opts.FeedTTL} }

// cutOff returns what was added since start. Growing leaves earlier texts in
// the old memory, unchanged.
func (t *texts) cutOff(start int) string {
	b := t.buf[start:]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// grow makes sure that n more bytes lie in one piece.
func (t *texts) grow(n int) {
	if cap(t.buf)-len(t.buf) < n {
		t.buf = make([]byte, 0, max(4096, n))
	}
}

func (t *texts) key(k kv.Key) string {
	t.grow(len(t.prefix) + len(k.Kind) + len(k.ID) + 8)
	start := len(t.buf)
	t.buf = append(t.buf, t.prefix...)
	t.buf = k.Append(t.buf)
	return t.cutOff(start)
}

func (t *texts) keys(ks []kv.Key) []string {
	out := make([]string, len(ks))
	for i, k := range ks {
		out[i] = t.key(k)
	}
	return out
}

func (t *texts) uint(n uint64) string {
	if n < 100 {
		return strconv.FormatUint(n, 10) // of memory that is shared anyway
	}
	t.grow(20)
	start := len(t.buf)
	t.buf = strconv.AppendUint(t.buf, n, 10)
	return t.cutOff(start)
}

func (t *texts) int(n int64) string {
	if n >= 0 {
		return t.uint(uint64(n))
	}
	t.grow(20)
	start := len(t.buf)
	t.buf = strconv.AppendInt(t.buf, n, 10)
	return t.cutOff(start)
}

// value is the form in which a Put lies in Redis.
func (t *texts) value(c kv.Put) string {
	t.grow(21 + len(c.Data))
	start := len(t.buf)
	t.buf = strconv.AppendUint(t.buf, c.Version, 10)
	t.buf = append(t.buf, ' ')
	t.buf = append(t.buf, c.Data...)
	return t.cutOff(start)
}

// ids writes ids with spaces between.
func (t *texts) ids(ids []uint64) string {
	t.grow(21 * len(ids))
	start := len(t.buf)
	for i, id := range ids {
		if i > 0 {
			t.buf = append(t.buf, ' ')
		}
		t.buf = strconv.AppendUint(t.buf, id, 10)
	}
	return t.cutOff(start)
}

// millis rounds a lifetime up to what Redis can hold, so that a short one is
// not taken for none.
func (t *texts) millis(ttl time.Duration) string {
	return t.int(int64((ttl + time.Millisecond - 1) / time.Millisecond))
}

// shardOf returns the shard of a key, by its text.
func (e *Engine) shardOf(text string) uint16 {
	k, _ := kv.ParseKey(strings.TrimPrefix(text, e.opts.Prefix)) // it was made of one
	return k.Shard
}

const meterPrefix = "meter:"

// meterKey is the text under which a meter lies. No key of another shape can
// have it: that would go on with a brace.
func (e *Engine) meterKey(key string) string {
	if strings.HasPrefix(key, "{") || strings.HasPrefix(key, "/") {
		key = "/" + key
	}
	return e.opts.Prefix + meterPrefix + key
}

func isMeter(text string) bool {
	rest, ok := strings.CutPrefix(text, meterPrefix)
	return ok && !strings.HasPrefix(rest, "{")
}
