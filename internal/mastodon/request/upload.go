package request

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/media"
)

const (
	maxFiles = 2 // per request: a picture and a banner
	// maxUpload is the maximum body size of a request with files.
	maxUpload = media.MaxFilmBytes + media.MaxBytes + maxBody
)

// closeFiles removes the files of a request.
func (in *Input) closeFiles() {
	if in == nil {
		return
	}
	for _, v := range in.Fields {
		if v != nil {
			v.File.Close()
		}
	}
}

// decodeFiles is Decode for routes that accept files, which are stored on disk. Nested files are
// ignored. It calls admit with the parameters before the first file, and admit may refuse the
// request.
func (s *Server) decodeFiles(w http.ResponseWriter, r *http.Request, admit func(fields map[string]*Value) error) (*Input, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		in, err := decodeUpTo(w, r, maxInlineBody)
		if err == nil {
			err = s.receiveInline(in)
		}
		if err != nil {
			in.closeFiles()
			return nil, err
		}
		return in, nil
	}
	if r.ContentLength > maxUpload {
		return nil, errTooLarge(maxUpload)
	}
	in := newInput(map[string]*Value{})
	files := 0
	root, err := readParts(http.MaxBytesReader(w, r.Body, maxUpload), params["boundary"], func(p *multipart.Part, texts map[string]*Value) (*Value, error) {
		if err := admit(texts); err != nil {
			return nil, err
		}
		if files++; files > maxFiles {
			return nil, linnet.Errorf(linnet.Invalid, "The request has more than %d files", maxFiles)
		}
		f, err := s.uploads.Receive(p)
		if err != nil {
			return nil, err
		}
		v := &Value{Kind: KindFile, File: f}
		in.Fields["file "+p.FormName()] = v // kept until the end of the request
		return v, nil
	})
	if err != nil {
		in.closeFiles()
		return nil, err
	}
	maps.Copy(root, in.Fields)
	query, err := decodeForm(r.URL.RawQuery)
	out := newInput(root)
	if err == nil {
		maps.Copy(root, query)
		err = s.receiveInline(out)
	}
	if err != nil {
		in.closeFiles()
		out.closeFiles()
		return nil, err
	}
	return out, nil
}

// maxInlineBody is the limit in bytes of a body that contains a picture as a data: URI.
const maxInlineBody = media.MaxBytes/3*4 + maxBody

func isMultipart(r *http.Request) bool {
	return strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data")
}

// receiveInline replaces data: URIs with files (RFC 2397).
func (s *Server) receiveInline(in *Input) error {
	for _, name := range [...]string{"avatar", "header", "file", "thumbnail"} {
		v := in.Get(name)
		if v == nil || v.Kind != KindText || !strings.HasPrefix(v.Text, "data:") {
			continue
		}
		_, encoded, ok := strings.Cut(v.Text, ";base64,")
		file, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || !ok {
			return linnet.FieldError(name, "ERR_INVALID", "is not a base64 data: URI")
		}
		f, err := s.uploads.Receive(bytes.NewReader(file))
		if err != nil {
			return err
		}
		in.Fields[name] = &Value{Kind: KindFile, File: f}
	}
	return nil
}

// readParts reads a multipart form. It calls file for each file, with the parameters before it.
// All texts together are limited to maxBody bytes.
func readParts(body io.Reader, boundary string, file func(p *multipart.Part, before map[string]*Value) (*Value, error)) (map[string]*Value, error) {
	if boundary == "" {
		return nil, linnet.Errorf(linnet.Invalid, "The multipart body has no boundary")
	}
	root := &Value{Kind: KindObject, fields: map[string]*Value{}}
	parts, left := multipart.NewReader(body, boundary), int64(maxBody)
	for count := 0; ; count++ {
		if count > maxValues {
			return nil, errTooMany()
		}
		part, err := parts.NextPart()
		if err == io.EOF { // an error of a truncated body wraps io.EOF
			return root.fields, nil
		}
		if err != nil {
			return nil, brokenParts(err)
		}
		var v *Value
		if part.FileName() != "" {
			if v, err = file(part, root.fields); err != nil {
				return nil, err
			}
		} else {
			text, err := io.ReadAll(io.LimitReader(part, left+1))
			if err != nil {
				return nil, brokenParts(err)
			}
			if left -= int64(len(text)); left < 0 {
				return nil, errTooLarge(maxBody)
			}
			if emptyList(part.FormName(), string(text)) {
				continue
			}
			v = &Value{Kind: KindText, Text: string(text)}
		}
		if err := root.put(part.FormName(), v); err != nil {
			return nil, err
		}
	}
}

func brokenParts(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return errTooLarge(maxUpload)
	}
	return linnet.Errorf(linnet.Invalid, "The multipart body is malformed")
}
