package request

import (
	"net/http"
	"strconv"
)

// writeJSON sends v. If encoding fails, it sends an internal error instead, because nothing was
// written yet.
func (s *Server) writeJSON(w http.ResponseWriter, r *http.Request, code int, v any) {
	h := w.Header()
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", "application/json; charset=utf-8")
	}
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "private, no-store")
	}
	err := s.enc.Encode(v, func(body []byte) { writeBody(w, code, body) })
	if err != nil {
		s.log.ErrorContext(r.Context(), "cannot encode response", "method", r.Method, "route", r.Pattern, "err", err)
		writeBody(w, http.StatusInternalServerError, []byte(`{"error":"Something went wrong on this server"}`))
	}
}

func writeBody(w http.ResponseWriter, code int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(code)
	_, _ = w.Write(body) // an error means that the client disconnected
}
