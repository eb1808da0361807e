package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"strings"

	"linnet/internal/linnet"
)

// Limits of requests.
const (
	maxBody   = 1 << 20 // bytes, of any encoding
	maxDepth  = 8       // objects and lists within each other
	maxValues = 6000    // parameters, list members and object members together
)

// Decode reads the parameters of a request. Query parameters override parameters of the body, as in
// Mastodon. DELETE may have a body, which http.Request.ParseForm would ignore. A JSON body of GET is
// read too, because some apps send one.
func Decode(w http.ResponseWriter, r *http.Request) (*Input, error) { return decodeUpTo(w, r, maxBody) }

// decodeUpTo is Decode with a limit of the body in bytes.
func decodeUpTo(w http.ResponseWriter, r *http.Request, most int64) (*Input, error) {
	var root map[string]*Value
	if readsBody(r) {
		body, err := ReadBody(w, r, most)
		if err != nil {
			return nil, err
		}
		if len(body) > 0 {
			if root, err = decodeBody(r.Header.Get("Content-Type"), body); err != nil {
				return nil, err
			}
		}
	}
	if r.URL.RawQuery != "" {
		query, err := decodeForm(r.URL.RawQuery)
		if err != nil {
			return nil, err
		}
		if root == nil {
			return newInput(query), nil
		}
		maps.Copy(root, query)
	}
	return newInput(root), nil
}

func readsBody(r *http.Request) bool {
	return r.Method != http.MethodHead && (r.Method != http.MethodGet || strings.Contains(r.Header.Get("Content-Type"), "json"))
}

// ReadBody reads the body of a request. A body of more than most bytes causes the status 413.
func ReadBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	if r.Body == nil || r.ContentLength == 0 {
		return nil, nil
	}
	if r.ContentLength > most {
		return nil, errTooLarge(most)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, errTooLarge(most)
	}
	if err != nil {
		return nil, linnet.Errorf(linnet.Invalid, "The request body is incomplete")
	}
	return body, nil
}

func errTooLarge(most int64) error {
	return &Problem{Code: http.StatusRequestEntityTooLarge,
		Body: ErrorBody{Error: fmt.Sprintf("The request body is larger than %d bytes", most)}}
}

func decodeBody(contentType string, body []byte) (map[string]*Value, error) {
	media, params, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil && contentType != "" && !errors.Is(err, mime.ErrInvalidMediaParameter):
	case media == "application/json", strings.HasSuffix(media, "+json"):
		return decodeJSON(body)
	case media == "application/x-www-form-urlencoded", media == "":
		return decodeForm(string(body))
	case media == "multipart/form-data":
		return decodeMultipart(body, params["boundary"])
	}
	return nil, &Problem{Code: http.StatusUnsupportedMediaType,
		Body: ErrorBody{Error: "The request body must be JSON, URL-encoded or multipart/form-data"}}
}

func decodeJSON(body []byte) (map[string]*Value, error) {
	if err := checkJSONSize(body); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var top any
	if err := d.Decode(&top); err != nil {
		return nil, linnet.Errorf(linnet.Invalid, "The request body is not valid JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, linnet.Errorf(linnet.Invalid, "The request body has extra data after its JSON value")
	}
	v := valueOf(top)
	switch v.Kind {
	case KindNull:
		return map[string]*Value{}, nil
	case KindObject:
		return v.fields, nil
	}
	return nil, linnet.Errorf(linnet.Invalid, "The request body must be a JSON object")
}

// checkJSONSize returns an error if JSON is nested too deep or has too many members. It runs
// before the JSON is decoded, which saves memory.
func checkJSONSize(body []byte) error {
	depth, values, quoted := 0, 1, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',':
			values++
		}
		if depth > maxDepth {
			return linnet.Errorf(linnet.Invalid, "The request body is nested deeper than %d levels", maxDepth)
		}
		if values > maxValues {
			return errTooMany()
		}
	}
	return nil
}

func errTooMany() error {
	return linnet.Errorf(linnet.Invalid, "The request has more than %d parameters", maxValues)
}

// valueOf converts a value of encoding/json.
func valueOf(v any) *Value {
	switch v := v.(type) {
	case string:
		return &Value{Kind: KindText, Text: v}
	case json.Number:
		return &Value{Kind: KindNumber, Text: v.String()}
	case bool:
		return &Value{Kind: KindBoolean, Text: fmt.Sprint(v)}
	case []any:
		list := make([]*Value, len(v))
		for i := range v {
			list[i] = valueOf(v[i])
		}
		return &Value{Kind: KindList, list: list}
	case map[string]any:
		fields := make(map[string]*Value, len(v))
		for name := range v {
			fields[name] = valueOf(v[name])
		}
		return &Value{Kind: KindObject, fields: fields}
	}
	return &Value{Kind: KindNull}
}
