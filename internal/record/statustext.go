package record

import (
	"bytes"
	"encoding/json"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// StatusText is what is written in a status: all of its record that a search looks at.
type StatusText struct {
	Author  JID    `json:"by"`
	Text    string `json:"text"`
	Warning string `json:"warning"`
}

// DecodeStatusText reads what is written in a status. A search reads thousands of records,
// so what EncodeStatus has written is looked through for these fields alone; of any other
// form it is decoded as every record is, a third of the work of such a search.
func DecodeStatusText(get *kv.Get) (t StatusText, err error) {
	if t, ok := scanStatusText(get.Data); ok {
		return t, nil
	}
	t = StatusText{}
	return t, Decode(get, &t)
}

// scanStatusText reads a JSON object without spaces between its parts, as Encode writes
// it; false: it is not of that form.
func scanStatusText(data []byte) (t StatusText, ok bool) {
	if len(data) == 0 || data[0] != '{' {
		return t, false
	}
	for rest := data[1:]; ; rest = rest[1:] {
		key, after, ok := cutString(rest)
		if !ok || len(after) < 2 || after[0] != ':' {
			return t, false
		}
		value, after, ok := cutValue(after[1:])
		if !ok || len(after) == 0 || !t.set(string(key), value) {
			return t, false
		}
		switch rest = after; {
		case len(rest) == 1 && rest[0] == '}':
			return t, t.Author != 0
		case rest[0] != ',':
			return t, false
		}
	}
}

// set takes the value of a field if it is one of these.
func (t *StatusText) set(key string, value []byte) (ok bool) {
	switch key {
	case "by":
		if len(value) < 2 {
			return false
		}
		var id linnet.ID
		id, ok = linnet.ParseID(string(value[1 : len(value)-1]))
		t.Author = JID(id)
		return ok
	case "text":
		t.Text, ok = unquote(value)
		return ok
	case "warning":
		t.Warning, ok = unquote(value)
		return ok
	}
	return true
}

// unquote is the text of a JSON string.
func unquote(value []byte) (s string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1]), true
	}
	return s, json.Unmarshal(value, &s) == nil
}

// cutString cuts a JSON string off the beginning of data. It returns what stands between
// the quotes as it is written.
func cutString(data []byte) (s, rest []byte, ok bool) {
	if len(data) == 0 || data[0] != '"' {
		return nil, nil, false
	}
	for i := 1; i < len(data); i++ {
		end := bytes.IndexByte(data[i:], '"')
		if end < 0 {
			break
		}
		i += end
		escapes := 0
		for data[i-1-escapes] == '\\' { // ends at the first quote at the latest
			escapes++
		}
		if escapes%2 == 0 {
			return data[1:i], data[i+1:], true
		}
	}
	return nil, nil, false
}

// cutValue cuts a JSON value off the beginning of data.
func cutValue(data []byte) (value, rest []byte, ok bool) {
	depth := 0
	for rest = data; len(rest) > 0; {
		switch c := rest[0]; c {
		case '"':
			if _, rest, ok = cutString(rest); !ok {
				return nil, nil, false
			}
		case ',', '}', ']':
			if depth == 0 {
				return data[:len(data)-len(rest)], rest, len(rest) < len(data)
			}
			if c != ',' {
				depth--
			}
			rest = rest[1:]
		case '{', '[':
			depth++
			rest = rest[1:]
		default:
			rest = rest[1:]
		}
	}
	return nil, nil, false
}
