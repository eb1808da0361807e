package request

import (
	"bytes"
	"errors"
	"mime/multipart"
	"net/url"
	"strings"

	"linnet/internal/linnet"
)

// decodeForm reads urlencoded parameters of a query or a body. Names are nested as in Rails:
// a[]=1, a[b]=1, a[0][b]=1, a[][b]=1.
func decodeForm(s string) (map[string]*Value, error) {
	root := &Value{Kind: KindObject, fields: map[string]*Value{}}
	count := 0
	for pair := range strings.SplitSeq(s, "&") {
		if pair == "" {
			continue
		}
		if count++; count > maxValues {
			return nil, errTooMany()
		}
		name, text, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(name)
		text, err2 := url.QueryUnescape(text)
		if err := errors.Join(err1, err2); err != nil {
			return nil, linnet.Errorf(linnet.Invalid, "The parameters are not correctly URL-encoded: %v", err)
		}
		if emptyList(name, text) {
			continue
		}
		if err := root.put(name, &Value{Kind: KindText, Text: text}); err != nil {
			return nil, err
		}
	}
	return root.fields, nil
}

// decodeMultipart reads a multipart form. It ignores the contents of files.
func decodeMultipart(body []byte, boundary string) (map[string]*Value, error) {
	return readParts(bytes.NewReader(body), boundary, func(*multipart.Part, map[string]*Value) (*Value, error) { return &Value{Kind: KindFile}, nil })
}

// emptyList reports whether a parameter is an empty list in a form, "a[]=", which counts as
// absent.
func emptyList(name, text string) bool { return text == "" && strings.HasSuffix(name, "[]") }

// put stores v under a nested name in the object root.
func (root *Value) put(name string, v *Value) error {
	head, rest := name, ""
	if i := strings.IndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		head, rest = name[:i], name[i:]
	}
	at, key := root, head
	for depth := 1; rest != ""; depth++ {
		if depth > maxDepth {
			return linnet.Errorf(linnet.Invalid, "The parameter %q is nested deeper than %d levels", name, maxDepth)
		}
		end := strings.IndexByte(rest, ']')
		if end < 0 || rest[0] != '[' {
			return linnet.Errorf(linnet.Invalid, "The parameter name %q has no closing bracket", name)
		}
		next := rest[1:end]
		rest = rest[end+1:]
		child, err := at.child(key, next, rest, name)
		if err != nil {
			return err
		}
		at, key = child, next
	}
	if at.Kind == KindList {
		at.list = append(at.list, v)
	} else {
		at.fields[key] = v
	}
	return nil
}

// child returns the list or object at a key, and creates it if it is missing. It is a list if the
// rest of the name is "[]". In a list of objects, a repeated name starts the next object.
func (at *Value) child(key, next, rest, name string) (*Value, error) {
	want := KindObject
	if next == "" {
		want = KindList
	}
	var child *Value
	if at.Kind == KindList {
		if n := len(at.list); n > 0 && want == KindObject && at.list[n-1].lacks(next, rest) {
			child = at.list[n-1]
		}
	} else {
		child = at.fields[key]
	}
	if child == nil {
		child = &Value{Kind: want}
		if want == KindObject {
			child.fields = map[string]*Value{}
		}
		if at.Kind == KindList {
			at.list = append(at.list, child)
		} else {
			at.fields[key] = child
		}
	}
	if child.Kind != want {
		return nil, linnet.Errorf(linnet.Invalid, "The parameter %q is used with two different types", name)
	}
	return child, nil
}

// lacks reports whether an object can still take a member: it has none of that name, or one that
// the rest of the name extends.
func (v *Value) lacks(name, rest string) bool {
	return v.Kind == KindObject && (v.fields[name] == nil || rest != "")
}
