package rediskv

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"linnet/internal/kv"
)

// errForeign means that a key with the prefix has data that this package never wrote.
var errForeign = errors.New("unexpected data in Redis")

// parseValue splits the stored form of a value. The data shares the memory of text.
func parseValue(text []byte) (version uint64, data []byte, err error) {
	head, data, ok := bytes.Cut(text, []byte(" "))
	if !ok || len(head) > 20 {
		return 0, nil, fmt.Errorf("%w: the value begins with %.20q", errForeign, text)
	}
	version, err = parseID(string(head))
	if err != nil {
		return 0, nil, err
	}
	return version, data, nil
}

// parseID parses a positive integer in the only form that this package writes, so that scripts can
// compare texts. A page of a feed has eighty ids, and strconv takes three times as long.
func parseID(text string) (uint64, error) {
	ok := text != "" && len(text) <= 20 && text[0] != '0'
	var id uint64
	for i := 0; ok && i < len(text); i++ {
		d := text[i] - '0'
		high, low := bits.Mul64(id, 10)
		sum, carry := bits.Add64(low, uint64(d), 0)
		id, ok = sum, d <= 9 && high|carry == 0
	}
	if !ok {
		return 0, fmt.Errorf("%w: %.30q is not a positive integer", errForeign, text)
	}
	return id, nil
}

// isHeader distinguishes the header of a feed from ids.
func isHeader(text string) bool {
	return text != "" && (text[0] == 'w' || text[0] == 'f')
}

// parseHeader parses the header of a feed. It does not return the floor of a feed that is being
// filled, because it has no effect yet.
func parseHeader(text string) (state kv.FeedState, floor uint64, err error) {
	if !isHeader(text) {
		return kv.Cold, 0, fmt.Errorf("%w: the feed begins with %.30q", errForeign, text)
	}
	if text[0] == 'f' {
		return kv.Filling, 0, nil
	}
	if text == "w0" {
		return kv.Warm, 0, nil
	}
	floor, err = parseID(text[1:])
	return kv.Warm, floor, err
}

// parseScore parses a score in the form of any Redis version, such as 1e+15.
func parseScore(text string) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n <= kv.MaxScore && n >= -kv.MaxScore {
		return n, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: invalid score %.30q", errForeign, text)
	}
	return floatScore(f)
}

func floatScore(f float64) (int64, error) {
	if f != f || f > kv.MaxScore || f < -kv.MaxScore || f != float64(int64(f)) {
		return 0, fmt.Errorf("%w: invalid score %v", errForeign, f)
	}
	return int64(f), nil
}

// parseTime parses the answer to TIME: seconds and microseconds.
func parseTime(parts []string) (time.Time, error) {
	if len(parts) != 2 {
		return time.Time{}, fmt.Errorf("%w: invalid reply to TIME: %q", errForeign, parts)
	}
	sec, err1 := strconv.ParseInt(parts[0], 10, 64)
	micro, err2 := strconv.ParseInt(parts[1], 10, 64)
	if err1 != nil || err2 != nil || micro < 0 || micro > 999_999 {
		return time.Time{}, fmt.Errorf("%w: invalid reply to TIME: %q", errForeign, parts)
	}
	return time.Unix(sec, micro*1000), nil
}

// infoField returns the value of a line "name:value" in an answer to INFO or CLUSTER INFO.
func infoField(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":"); ok && key == name {
			return value
		}
	}
	return ""
}
