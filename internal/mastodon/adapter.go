package mastodon

import (
	"cmp"
	"net/http"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// need says who may call a route.
type need uint8

const (
	needNothing need = iota // a token is not even looked at
	needNobody              // without a token; one that is sent must be good
	needToken               // any good token, also an app's own
	needUser                // a token of a user
	needMember              // the same, of a route that is for everybody unless the installation is private
)

// access is what a route asks of its caller: a token of a kind with one of the
// scopes (separated by blanks).
type access struct {
	need   need
	scopes string

	pending bool // also for whoever waits for approval
	files   bool // it takes files
}

func open() access                  { return access{need: needNothing} }
func anyone(scopes string) access   { return access{need: needNobody, scopes: scopes} }
func ofApp(scopes string) access    { return access{need: needToken, scopes: scopes} }
func user(scopes string) access     { return access{need: needUser, scopes: scopes} }
func verifying() access             { return access{need: needToken, pending: true} }
func awaiting(s string) access      { return access{need: needUser, scopes: s, pending: true} }
func uploading(x access) access     { x.files = true; return x }
func (x access) looksAtToken() bool { return x.need != needNothing }

// handler answers a request with a value to be sent as JSON. It reads its
// parameters from r.in, and checks r.in.err() before it acts.
type handler func(a *API, r *request) (any, error)

// route is a line of the route table.
type route struct {
	pattern string
	access  access
	limit   core.RateClass // beyond the general ones
	handle  handler
}

// request is a call on its way through its handler.
type request struct {
	*http.Request
	api    *API
	token  string         // as sent, "" if there is none
	who    linnet.Session // zero if no token was needed or sent
	in     *input         // parameters of query and body
	header http.Header    // of the answer

	values [4]string // of headers, see setHeader
	filled int
}

// me is the user who asks, 0 if nobody is logged in.
func (r *request) me() linnet.ID { return r.who.User }

// by is the user who asks, where staff alone may.
func (r *request) by() linnet.Actor { return linnet.By(r.me()) }

// setHeader sets a header of the answer. The name has to be spelt as net/http
// spells it.
func (r *request) setHeader(name, value string) {
	i := r.filled
	if i == len(r.values) {
		r.header.Set(name, value)
		return
	}
	r.filled++
	r.values[i] = value
	r.header[name] = r.values[i : i+1 : i+1]
}

// serve makes a route's handler one of HTTP: it authenticates, counts, decodes,
// calls and encodes.
func (a *API) serve(w http.ResponseWriter, hr *http.Request, rt *route) {
	r := &request{Request: hr, api: a, header: w.Header()}
	out, err := a.answer(w, r, rt)
	if err != nil {
		a.fail(w, hr, err)
		return
	}
	a.writeJSON(w, hr, http.StatusOK, out)
}

func (a *API) answer(w http.ResponseWriter, r *request, rt *route) (any, error) {
	x, err := a.accessNow(r.Request, rt)
	if err != nil {
		return nil, err
	}
	if r.token = sentToken(r.Request); r.token == "" && x.looksAtToken() && readsBody(r.Request) {
		err = a.readAndAdmit(w, r, rt, x)
	} else if err = a.admit(r, rt, x); err == nil {
		err = a.read(w, r, x, func(map[string]*value) error { return nil })
	}
	if x.files {
		defer r.in.closeFiles()
	}
	if err != nil {
		return nil, err
	}
	return rt.handle(a, r)
}

// admit authenticates the caller and counts the request.
func (a *API) admit(r *request, rt *route, x access) error {
	if x.looksAtToken() {
		who, err := a.authorize(r.Context(), r.token, x)
		r.who = who
		if err != nil {
			return cmp.Or(a.throttle(r, noLimit), err)
		}
	}
	return a.throttle(r, rt.limit)
}

// read decodes the parameters. It calls admit before it receives a file.
func (a *API) read(w http.ResponseWriter, r *request, x access, admit func(fields map[string]*value) error) (err error) {
	if x.files && (r.token != "" || isMultipart(r.Request)) { // else a body of the usual size
		r.in, err = a.decodeFiles(w, r.Request, admit)
	} else {
		r.in, err = decode(w, r.Request)
	}
	return err
}

// readAndAdmit reads a request whose token may be a parameter of its body (RFC 6750 section
// 2.2). Files are received only behind a good token.
func (a *API) readAndAdmit(w http.ResponseWriter, r *request, rt *route, x access) error {
	admitted := false
	admit := func(fields map[string]*value) error {
		if admitted {
			return nil
		}
		admitted, r.token = true, newInput(fields).text(tokenParam)
		return a.admit(r, rt, x)
	}
	err := a.read(w, r, x, admit)
	if err != nil {
		return cmp.Or(admit(nil), err)
	}
	return admit(r.in.fields)
}
