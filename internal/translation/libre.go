package translation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"linnet/internal/linnet"
)

const (
	askTime   = 20 * time.Second // for one request; loading a model takes part of it
	mostBytes = 1 << 20          // of an answer
)

// libre is a server that speaks the protocol of LibreTranslate.
// https://docs.libretranslate.com/
type libre struct {
	url, key string
	host     string
	http     http.Client
}

// newLibre returns a client. The address has no slash at its end. It follows no redirects, because
// the key is for one server.
func newLibre(address, key string) *libre {
	l := &libre{url: address, key: key, http: http.Client{Timeout: askTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	if u, err := url.Parse(address); err == nil {
		l.host = u.Host
	}
	return l
}

// pairs says into which languages each language can be translated.
type pairs map[string][]string

func (l *libre) languages(ctx context.Context) (pairs, error) {
	var known []struct {
		Code    string   `json:"code"`
		Targets []string `json:"targets"`
	}
	if err := l.call(ctx, http.MethodGet, "/languages", nil, &known); err != nil {
		return nil, err
	}
	out := pairs{}
	for _, k := range known {
		for _, to := range k.Targets {
			if to != k.Code {
				out[k.Code] = append(out[k.Code], to)
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("the translation server lists no languages")
	}
	return out, nil
}

// translated has the translations of some texts in order, and their original language.
type translated struct {
	texts []string
	from  string
}

// translate translates texts; from can be "auto".
func (l *libre) translate(ctx context.Context, texts []string, from, to string) (translated, error) {
	ask := struct {
		Texts  []string `json:"q"`
		Source string   `json:"source"`
		Target string   `json:"target"`
		Format string   `json:"format"`
		Key    string   `json:"api_key,omitempty"`
	}{texts, from, to, "text", l.key}
	var answer struct {
		Texts    []string        `json:"translatedText"`
		Detected json.RawMessage `json:"detectedLanguage"` // of each text, or of all
	}
	if err := l.call(ctx, http.MethodPost, "/translate", ask, &answer); err != nil {
		return translated{}, err
	}
	if len(answer.Texts) != len(texts) {
		return translated{}, fmt.Errorf("the translation server returned %d translations for %d texts", len(answer.Texts), len(texts))
	}
	out := translated{answer.Texts, from}
	if from == auto {
		out.from = guessed(answer.Detected)
	}
	return out, nil
}

// guessed parses a detected language. There is one for all texts, or one for each, of which it
// returns the first. It returns "" if there is none.
func guessed(raw json.RawMessage) string {
	type guess struct {
		Language string `json:"language"`
	}
	var each []guess
	if json.Unmarshal(raw, &each) == nil && len(each) > 0 {
		return each[0].Language
	}
	var one guess
	if json.Unmarshal(raw, &one) == nil {
		return one.Language
	}
	return ""
}

func (l *libre) call(ctx context.Context, method, path string, ask, answer any) error {
	var body io.Reader
	if ask != nil {
		raw, err := json.Marshal(ask)
		if err != nil {
			return err
		}
		body = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(ctx, method, l.url+path, body)
	if err != nil {
		return err
	}
	if ask != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := l.http.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, mostBytes+1))
	switch {
	case err != nil:
		return err
	case len(raw) > mostBytes:
		return fmt.Errorf("the translation server returned more than %d bytes", mostBytes)
	case resp.StatusCode != http.StatusOK:
		return &refused{resp.StatusCode, reason(raw)}
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return fmt.Errorf("the translation server returned invalid JSON: %w", err)
	}
	return nil
}

// refused is the error for a response without a translation.
type refused struct {
	status int
	why    string
}

func (e *refused) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("the translation server returned status %d: %s", e.status, e.why), ": ")
}

// reason returns the text of a refusal, shortened for logs.
func reason(raw []byte) string {
	var said struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(raw, &said) != nil {
		return ""
	}
	return said.Error[:min(len(said.Error), 200)]
}

// unavailable is the error for readers if the translation server doesn't respond.
func unavailable() error {
	e := linnet.Errorf(linnet.Unavailable, "The translation service isn't responding. Please try again later.")
	e.RetryAfter = time.Minute
	return e
}
