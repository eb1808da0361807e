package mastodon

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
	"linnet/internal/uploads"
)

const (
	maxFiles = 2 // of one request: a picture and a banner
	// maxUpload is how many bytes the body of a request with files may have.
	maxUpload = media.MaxFilmBytes + media.MaxBytes + maxBody
)

// TakesFiles reports whether requests to a path may bring files.
func TakesFiles(path string) bool {
	return strings.HasPrefix(path, "/api/v1/media") || strings.HasPrefix(path, "/api/v2/media") ||
		strings.HasPrefix(path, "/api/v1/accounts/update_credentials") || strings.HasPrefix(path, "/api/v1/profile") ||
		strings.HasPrefix(path, "/api/v1/groups/")
}

// file returns a file that was sent, nil if there is none.
func (in *input) file(name string) *uploads.File {
	v := in.get(name)
	switch {
	case v == nil || v.kind == kindText && v.text == "":
		return nil
	case v.kind != kindFile || v.file == nil:
		in.fault(name, "must be a file")
		return nil
	}
	return v.file
}

// closeFiles forgets the files that a request has brought.
func (in *input) closeFiles() {
	if in == nil {
		return
	}
	for _, v := range in.fields {
		if v != nil {
			v.file.Close()
		}
	}
}

// decodeFiles is decode for a route that takes files: they are received on the disk.
// The files of parameters within others are not looked at. admit is called with the texts
// before the first file, and may refuse the request.
func (a *API) decodeFiles(w http.ResponseWriter, r *http.Request, admit func(fields map[string]*value) error) (*input, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		in, err := decodeUpTo(w, r, maxInlineBody)
		if err == nil {
			err = a.receiveInline(in)
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
	in := newInput(map[string]*value{})
	files := 0
	root, err := readParts(http.MaxBytesReader(w, r.Body, maxUpload), params["boundary"], func(p *multipart.Part, texts map[string]*value) (*value, error) {
		if err := admit(texts); err != nil {
			return nil, err
		}
		if files++; files > maxFiles {
			return nil, linnet.Errorf(linnet.Invalid, "The request has more than %d files", maxFiles)
		}
		f, err := a.svc.Uploads.Receive(p)
		if err != nil {
			return nil, err
		}
		v := &value{kind: kindFile, file: f}
		in.fields["file "+p.FormName()] = v // until the end of the request, whatever becomes of it
		return v, nil
	})
	if err != nil {
		in.closeFiles()
		return nil, err
	}
	for name, v := range in.fields {
		root[name] = v
	}
	query, err := decodeForm(r.URL.RawQuery)
	out := newInput(root)
	if err == nil {
		maps.Copy(root, query)
		err = a.receiveInline(out)
	}
	if err != nil {
		in.closeFiles()
		out.closeFiles()
		return nil, err
	}
	return out, nil
}

// maxInlineBody is how many bytes a body may have in which a picture is a data: URI.
const maxInlineBody = media.MaxBytes/3*4 + maxBody

func isMultipart(r *http.Request) bool {
	return strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data")
}

// receiveInline replaces data: URIs by the files that they hold. RFC 2397.
func (a *API) receiveInline(in *input) error {
	for _, name := range [...]string{"avatar", "header", "file", "thumbnail"} {
		v := in.get(name)
		if v == nil || v.kind != kindText || !strings.HasPrefix(v.text, "data:") {
			continue
		}
		_, encoded, ok := strings.Cut(v.text, ";base64,")
		file, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || !ok {
			return linnet.FieldError(name, "ERR_INVALID", "is not a base64 data: URI")
		}
		f, err := a.svc.Uploads.Receive(bytes.NewReader(file))
		if err != nil {
			return err
		}
		in.fields[name] = &value{kind: kindFile, file: f}
	}
	return nil
}

// readParts reads a form of parts. It calls file for each file, with the parameters before
// it. Texts have maxBody
// bytes together at most.
func readParts(body io.Reader, boundary string, file func(p *multipart.Part, before map[string]*value) (*value, error)) (map[string]*value, error) {
	if boundary == "" {
		return nil, linnet.Errorf(linnet.Invalid, "The multipart body has no boundary")
	}
	root := &value{kind: kindObject, fields: map[string]*value{}}
	parts, left := multipart.NewReader(body, boundary), int64(maxBody)
	for count := 0; ; count++ {
		if count > maxValues {
			return nil, errTooMany()
		}
		part, err := parts.NextPart()
		if err == io.EOF { // a truncated body wraps it, and is a fault
			return root.fields, nil
		}
		if err != nil {
			return nil, brokenParts(err)
		}
		var v *value
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
			v = &value{kind: kindText, text: string(text)}
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
