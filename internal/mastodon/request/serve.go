package request

import (
	"net/http"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// Serve authenticates, counts and decodes a request, calls the handler, and sends the response.
func (s *Server) Serve(w http.ResponseWriter, hr *http.Request, rt *Route) {
	r := &Request{Request: hr, base: s.base, response: w.Header()}
	out, err := s.answer(w, r, rt)
	if err != nil {
		s.Fail(w, hr, err)
		return
	}
	s.writeJSON(w, hr, http.StatusOK, out)
}

func (s *Server) answer(w http.ResponseWriter, r *Request, rt *Route) (any, error) {
	x, err := s.accessNow(r.Request, rt)
	if err != nil {
		return nil, err
	}
	if r.Token = SentToken(r.Request); r.Token == "" && x.readsToken() && readsBody(r.Request) {
		err = s.readAndAdmit(w, r, rt, x)
	} else if err = s.admit(r, rt, x); err == nil {
		err = s.read(w, r, x, func(map[string]*Value) error { return nil })
	}
	if x.files {
		defer r.In.closeFiles()
	}
	if err != nil {
		return nil, err
	}
	return rt.Handle(r)
}

// admit authenticates the caller and counts the request.
func (s *Server) admit(r *Request, rt *Route, x Access) error {
	if x.readsToken() {
		who, err := s.authorize(r.Context(), r.Token, x)
		r.Session = who
		if err != nil {
			if limited := s.throttle(r, core.RateGeneral); limited != nil { // failed tokens count against rate limits
				return limited
			}
			return err
		}
	}
	return s.throttle(r, rt.limit)
}

// read decodes the parameters. It calls admit before it receives a file.
func (s *Server) read(w http.ResponseWriter, r *Request, x Access, admit func(fields map[string]*Value) error) (err error) {
	if x.files && (r.Token != "" || isMultipart(r.Request)) { // else a body of the usual size
		r.In, err = s.decodeFiles(w, r.Request, admit)
	} else {
		r.In, err = Decode(w, r.Request)
	}
	return err
}

// readAndAdmit decodes a request whose token may be a parameter of the body (RFC 6750 section
// 2.2). Files are only received with a valid token.
func (s *Server) readAndAdmit(w http.ResponseWriter, r *Request, rt *Route, x Access) error {
	admitted := false
	admit := func(fields map[string]*Value) error {
		if admitted {
			return nil
		}
		admitted, r.Token = true, newInput(fields).String(tokenParam)
		return s.admit(r, rt, x)
	}
	err := s.read(w, r, x, admit)
	if err != nil {
		if refused := admit(nil); refused != nil { // a refused caller takes precedence over a bad body
			return refused
		}
		return err
	}
	return admit(r.In.Fields)
}

// accessNow returns the access that a route requires at present, which depends on whether the
// server is private.
func (s *Server) accessNow(r *http.Request, rt *Route) (Access, error) {
	x := rt.Access
	if x.Need == UserToken || s.public[rt.Pattern] != "" {
		return x, nil
	}
	private, err := s.core.Private(r.Context())
	if err == nil && private {
		x.Need = memberToken
	}
	return x, err
}

// MembersOnly restricts a route outside the table to users while the server is private. token
// finds the token of a request.
func (s *Server) MembersOnly(pattern string, token func(*http.Request) string, h http.HandlerFunc) http.HandlerFunc {
	if s.public[pattern] != "" {
		return h
	}
	return func(w http.ResponseWriter, r *http.Request) {
		private, err := s.core.Private(r.Context())
		if err == nil && private {
			err = s.member(r, token(r))
			if err != nil { // failed tokens count against rate limits
				if terr := s.Throttle(w, r, linnet.Session{}); terr != nil {
					err = terr
				}
			}
		}
		if err != nil {
			s.Fail(w, r, err)
			return
		}
		h(w, r)
	}
}

// member returns an error unless a token belongs to a user. It accepts browser sessions too,
// because these routes only read.
func (s *Server) member(r *http.Request, token string) error {
	if token == "" {
		return ErrNoUser()
	}
	who, err := s.identity.Session(r.Context(), token)
	if err != nil && linnet.KindOf(err) != linnet.Unauthenticated {
		return err
	}
	if err != nil || who.User == 0 {
		return ErrNoUser()
	}
	return nil
}
