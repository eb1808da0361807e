package request

import (
	"cmp"
	"net/http"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// serve makes a route's handler one of HTTP: it authenticates, counts, decodes,
// calls and encodes.
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
			return cmp.Or(s.throttle(r, core.RateGeneral), err)
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

// readAndAdmit reads a request whose token may be a parameter of its body (RFC 6750 section
// 2.2). Files are received only behind a good token.
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
		return cmp.Or(admit(nil), err)
	}
	return admit(r.In.Fields)
}

// accessNow is what a route asks of its caller at this moment.
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

// membersOnly guards a route beside the table while the installation is private.
func (s *Server) MembersOnly(pattern string, token func(*http.Request) string, h http.HandlerFunc) http.HandlerFunc {
	if s.public[pattern] != "" {
		return h
	}
	return func(w http.ResponseWriter, r *http.Request) {
		private, err := s.core.Private(r.Context())
		if err == nil && private {
			err = s.member(r, token(r))
			if err != nil { // who tries tokens is counted as everywhere else
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

// member returns an error unless a token speaks for a user. Also that of a
// browser's log-in does: what is guarded here only shows something.
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
