// Package translationtest is a LibreTranslate server for tests. Its translation is the text with
// the target language as a prefix.
package translationtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Server is a server that translates between English, German and French. It is safe for
// concurrent use.
type Server struct {
	URL, Key string

	mu     sync.Mutex
	asked  [][]string
	answer func(http.ResponseWriter) // response instead of a translation, nil for none
	gate   chan struct{}             // requests wait until it is closed, nil if they do not wait
}

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	s := &Server{Key: "a key"}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// Asked returns the texts of each translation request.
func (s *Server) Asked() [][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Answer replaces translations with another response, until it is called with nil.
func (s *Server) Answer(f func(http.ResponseWriter)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

// Hold makes requests wait until release is called.
func (s *Server) Hold() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gate := make(chan struct{})
	s.gate = gate
	return func() { close(gate) }
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	type language struct {
		Code    string   `json:"code"`
		Targets []string `json:"targets"`
	}
	if r.URL.Path == "/languages" {
		json.NewEncoder(w).Encode([]language{{"de", []string{"de", "en", "fr"}}, {"en", []string{"de", "en"}}, {"pt-BR", []string{"en"}}})
		return
	}
	var ask struct {
		Q                              []string
		Source, Target, Format, APIKey string
		Key                            string `json:"api_key"`
	}
	if json.NewDecoder(r.Body).Decode(&ask) != nil || r.URL.Path != "/translate" || ask.Key != s.Key || ask.Format != "text" {
		http.Error(w, `{"error":"Invalid request"}`, http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, ask.Q)
	answer, gate := s.answer, s.gate
	s.mu.Unlock()
	if gate != nil {
		<-gate
	}
	if answer != nil {
		answer(w)
		return
	}
	out := map[string]any{}
	var texts []string
	var guesses []map[string]any
	for _, q := range ask.Q {
		texts = append(texts, strings.ToUpper(ask.Target)+": "+q)
		guesses = append(guesses, map[string]any{"confidence": 90, "language": "de"})
	}
	out["translatedText"] = texts
	if ask.Source == "auto" {
		out["detectedLanguage"] = guesses
	}
	json.NewEncoder(w).Encode(out)
}
