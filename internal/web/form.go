package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"mime"
	"net/http"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// maxForm is the size of the largest form body accepted, in bytes.
const maxForm = 64 << 10

// tokenField is the form field that proves that the form came from us.
const tokenField = "form_token"

// readForm reads the body of a form.
func (c *call) readForm() error {
	kind, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if err == nil && kind == "multipart/form-data" && paths.TakesFiles(c.pattern) {
		return c.readParts()
	}
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return &httpError{code: http.StatusBadRequest, msg: "The form data has the wrong type."}
	}
	most := int64(maxForm)
	if logsIn(c.pattern) {
		most *= 3 // one that waits for the log-in comes along
	}
	c.r.Body = http.MaxBytesReader(c.w, c.r.Body, most)
	err = c.r.ParseForm()
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return errLargeForm()
	case err != nil:
		return &httpError{code: http.StatusBadRequest, msg: "The form data couldn't be read."}
	}
	return nil
}

func errLargeForm() error {
	return &httpError{code: http.StatusRequestEntityTooLarge, msg: "The form data exceeds 64 KiB. Shorten your text."}
}

// formToken returns the token for the page's forms: a MAC with a key in a cookie that only this
// browser has and no page can read. It needs no secret of the server, so all servers accept it.
// With a log-in the key is the session, so that the token ends with it. Otherwise it is a random
// cookie, set here on first use.
func (c *call) formToken() string {
	if c.token != "" {
		if c.mac == "" {
			c.mac = formMAC(c.token)
		}
		return c.mac
	}
	if c.formKey == "" {
		c.formKey = c.cookie(formCookie)
	}
	if len(c.formKey) < 26 { // not one of ours
		c.formKey = rand.Text()
		c.setCookie(formCookie, c.formKey, 0)
	}
	return formMAC(c.formKey)
}

// formTokenFits reports whether the form that came in holds the token that
// formToken gave to this browser.
func (c *call) formTokenFits() bool {
	key := c.token
	if key == "" {
		key = c.cookie(formCookie)
	}
	got := c.r.PostForm.Get(tokenField)
	return key != "" && hmac.Equal([]byte(got), []byte(formMAC(key)))
}

func formMAC(key string) string {
	m := hmac.New(sha256.New, []byte(key))
	m.Write([]byte("linnet form"))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// typed returns a form value without surrounding blanks.
func (c *call) typed(field string) string {
	return strings.TrimSpace(c.r.PostForm.Get(field))
}

// fieldErrors has the errors of inputs by name; "" for the whole form.
type fieldErrors map[string]string

// formField is an input as it is called in the form, and in a sentence, in the reader's language.
type formField struct{ name, subject string }

// add adds the field errors of a service. It returns false for other errors. fields maps the names
// of the service to inputs. Errors without an input are errors of the whole form.
func (f fieldErrors) add(c *call, err error, fields map[string]formField) bool {
	var e *linnet.Error
	if !errors.As(err, &e) || e.Kind != linnet.Invalid && e.Kind != linnet.Conflict {
		return false
	}
	for _, wrong := range e.Fields {
		field := fields[wrong.Name]
		if f[field.name] == "" {
			f[field.name] = c.wrong(field.subject, wrong)
		}
	}
	if len(e.Fields) == 0 {
		f[""] = c.told(e)
	}
	return true
}
