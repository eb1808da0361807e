package page

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
	"linnet/internal/web/paths"
)

// maxForm is the size of the largest form body accepted, in bytes.
const maxForm = 96 << 10

// tokenField is the form field with the form token.
const tokenField = "form_token"

// readForm reads the body of a form.
func readForm(c *Context) error {
	kind, _, err := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	if err == nil && kind == "multipart/form-data" && paths.TakesFiles(c.Pattern) {
		return readParts(c)
	}
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return &Error{Code: http.StatusBadRequest, Msg: "The form wasn't sent as form data."}
	}
	most := int64(maxForm)
	if LogsIn(c.Pattern) || c.Pattern == paths.SwitchAccount {
		most *= 3 // with the form that is shown again after the login
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, most)
	err = c.Request.ParseForm()
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return errLargeForm()
	case err != nil:
		return &Error{Code: http.StatusBadRequest, Msg: "The form data couldn't be read."}
	}
	return nil
}

func errLargeForm() error {
	return &Error{Code: http.StatusRequestEntityTooLarge, Msg: "The form data exceeds 96 KiB. Shorten your text."}
}

// FormToken returns the token of the page's forms: a MAC with a key in a cookie that only this
// browser has and no page can read. It needs no secret of the server, so all servers accept it.
// With a login the key is the session, so that the token expires with it. Its end names the user,
// see FormUser. Without a login the key is a random cookie, set here on first use.
func (c *Context) FormToken() string {
	if c.SessionToken != "" {
		if c.mac == "" {
			c.mac = formMAC(c.SessionToken) + "." + c.Me.ID.String()
		}
		return c.mac
	}
	if c.formKey == "" {
		c.formKey = Cookie(c, formCookie)
	}
	if len(c.formKey) < 26 { // not one of ours
		c.formKey = rand.Text()
		c.SetCookie(formCookie, c.formKey, 0)
	}
	return formMAC(c.formKey)
}

// formTokenFits reports whether the form contains the token that FormToken returned to this
// browser.
func formTokenFits(c *Context) bool {
	if key := Cookie(c, formCookie); c.SessionToken == "" && key == "" {
		return false
	}
	return hmac.Equal([]byte(c.Request.PostForm.Get(tokenField)), []byte(c.FormToken()))
}

func formMAC(key string) string {
	m := hmac.New(sha256.New, []byte(key))
	m.Write([]byte("linnet form"))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// Typed returns a form value without surrounding blanks.
func (c *Context) Typed(field string) string {
	return strings.TrimSpace(c.Request.PostForm.Get(field))
}

// FieldErrors has the errors of inputs by name; "" is for the whole form.
type FieldErrors map[string]string

// Error returns a text for the log. Pages show the errors next to their inputs.
func (f FieldErrors) Error() string { return fmt.Sprintf("invalid input: %v", map[string]string(f)) }

// IsInvalid reports whether err is about submitted values.
func IsInvalid(err error) bool {
	var f FieldErrors
	return errors.As(err, &f) || IsKind(err, linnet.Invalid) || IsKind(err, linnet.Conflict)
}

// FormField is an input and its name in a sentence, in the reader's language.
type FormField struct{ Name, Subject string }

// Add adds the field errors of a service. It returns false for other errors. fields maps the names
// of the service to inputs. Errors without an input are errors of the whole form.
func (f FieldErrors) Add(c *Context, err error, fields map[string]FormField) bool {
	var e *linnet.Error
	if !errors.As(err, &e) || e.Kind != linnet.Invalid && e.Kind != linnet.Conflict {
		return false
	}
	for _, wrong := range e.Fields {
		field := fields[wrong.Name]
		if f[field.Name] == "" {
			f[field.Name] = c.FieldErrorText(field.Subject, wrong)
		}
	}
	if len(e.Fields) == 0 {
		f[""] = c.ErrorText(e)
	}
	return true
}

// PendingField is the input that carries a form through the login, see package auth.
const PendingField = "kept"

// IsSecretField reports whether an input is never filled in again.
func IsSecretField(name string) bool {
	return slices.Contains([]string{tokenField, PendingField, "password", "again", "old", "new", "code", "ticket"}, name)
}

// TypedText is a text of a refused form.
type TypedText struct{ Name, Value string }

// TypedTexts returns the texts of a submitted form, for the error page. It leaves out values that
// pages fill in, such as ids.
func TypedTexts(c *Context, form url.Values) []TypedText {
	var all []TypedText
	for name, values := range form {
		if IsSecretField(name) || slices.Contains([]string{"key", "draft", "thread", "by", "act", "then", "visibility", "quoters", "language"}, name) {
			continue
		}
		for _, v := range values {
			if v = strings.TrimSpace(v); utf8.RuneCountInString(v) > 2 && strings.Trim(v, "0123456789") != "" {
				all = append(all, TypedText{c.Lang().Sentence(strings.NewReplacer("_", " ").Replace(name)), v})
			}
		}
	}
	slices.SortFunc(all, func(a, b TypedText) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// LogsIn reports whether the forms of a pattern log a user in.
func LogsIn(pattern string) bool {
	switch pattern {
	case "/login", "/login/code", paths.PasskeyLogin, paths.PasskeyLogin + "/begin":
		return true
	}
	return false
}

// InField converts an error of a file into an error of its input.
func InField(err error, name string) error {
	e := Refusal(err)
	if e == nil || len(e.Fields) == 0 {
		return err
	}
	return linnet.FieldError(name, e.Fields[0].Code, "%s", e.Fields[0].Msg)
}

// SentFile is a file of a form, or the error of receiving it.
type SentFile struct {
	File *uploads.File
	Err  error
	Name string // from the browser
}

// readParts reads a form that can contain files. Errors of a file are shown with its input, after
// the rest of the form was read.
func readParts(c *Context) error {
	most := int64(maxForm + media.MaxFilmBytes + linnet.MaxAttachments*(media.MaxBytes+1<<10))
	if c.Pattern == paths.PostsImport {
		most = maxForm + c.svc.MaxImport
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, most)
	parts, err := c.Request.MultipartReader()
	if err != nil {
		return &Error{Code: http.StatusBadRequest, Msg: "The form wasn't sent as form data."}
	}
	c.Request.PostForm, c.Files = url.Values{}, map[string][]SentFile{}
	left := int64(maxForm)
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err == nil && part.FileName() != "" {
			err = receive(c, part)
		} else if err == nil && part.Header.Get("Content-Type") == "" { // an empty file input has a type
			var text []byte
			text, err = io.ReadAll(io.LimitReader(part, left+1))
			if left -= int64(len(text)); left < 0 {
				return errLargeForm()
			}
			c.Request.PostForm.Add(part.FormName(), string(text))
		}
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge) && c.Pattern == paths.PostsImport:
			return &Error{Code: http.StatusRequestEntityTooLarge, Msg: "The archive is too large (maximum is %s). An administrator can import it from the command line or raise the limit.", Args: []any{c.FileSize(c.svc.MaxImport)}}
		case errors.As(err, &tooLarge):
			return &Error{Code: http.StatusRequestEntityTooLarge, Msg: "The files are too large to upload together. Upload fewer at a time."}
		case err != nil:
			return &Error{Code: http.StatusBadRequest, Msg: "The form data couldn't be read."}
		}
	}
}

// receive stores a file of a form.
func receive(c *Context, part *multipart.Part) error {
	name := part.FormName()
	if len(c.Files[name]) == linnet.MaxAttachments {
		c.Files[name][0].Err = linnet.Errorf(linnet.Invalid, "You can upload at most %d files at a time.", linnet.MaxAttachments)
		return nil
	}
	take := c.svc.Uploads.Receive
	switch c.Pattern {
	case paths.Imports:
		take = c.svc.Uploads.ReceiveList
	case paths.PostsImport:
		take = c.svc.Uploads.ReceiveArchive
	}
	f, err := take(part)
	if err != nil {
		_, _ = io.Copy(io.Discard, part) // the rest of a file that is too large; the body has its own limit
	}
	c.Files[name] = append(c.Files[name], SentFile{f, err, part.FileName()})
	return nil
}
