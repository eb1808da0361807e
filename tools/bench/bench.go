package bench

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Options are the settings of a run.
type Options struct {
	URL      string    // scheme and host of the server
	Accounts []Account // accounts that make requests

	// Exactly one is set: the name of a mix (see Mixes) or of a measure (see Measures).
	Mix     string
	Measure string

	Rate        float64       // requests per second, 0 for a closed loop, which mixes do not have
	Connections int           // limit of concurrent requests, default 16
	Duration    time.Duration // of the measurement, default 10 s
	Warmup      time.Duration // before the measurement
	Timeout     time.Duration // of a request, default 10 s
	Limit       int           // statuses per page, default 20
	Gzip        bool          // request compressed responses
	Seed        uint64        // of all random numbers

	WriteRate  float64       // home: posts per second, and as many favourites, while homes are read
	StaleAfter time.Duration // home: maximal age of a page, default 1 s
	Authors    []string      // post, fanout, streams: authors of the posts
	Followers  int           // fanout: number of watched homes, default 10
	Poll       time.Duration // fanout: pause between two reads of a home, default 20 ms
	Rest       time.Duration // polls: minimal time between two reads of a home, default 20 s
	Page       string        // pages: one of Pages, "" for all in turn
	Password   string        // pages: password of all accounts
	Static     bool          // polls: alternate with reads of static bytes from a server that does nothing else

	Metrics string // address of the server's metrics for the cost of requests, "" for none

	// Progress is called at the interval Every during the run, never concurrently.
	Progress func(Progress)
	Every    time.Duration // default 1 s

	grace time.Duration // see span; longer in tests on busy machines
}

// Limits of Options.
const (
	maxRate        = 100_000
	maxConnections = 4096
	maxLimit       = 80
	maxWatched     = 500
)

// Measures returns the names of all measures.
func Measures() []string { return []string{"polls", "home", "post", "fanout", "streams", "pages"} }

// bench is one run.
type bench struct {
	opts      Options
	crowd     *crowd
	collector *collector
	still     *still // nil for none
}

// Run prepares the accounts, sends the requests and returns the result. It returns an error if it
// cannot begin. Later failures are part of the result. If ctx ends, it returns the result up to
// then.
func Run(ctx context.Context, opts Options) (*Result, error) {
	opts, err := opts.checked()
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(ctx)
	defer end() // ends the listeners of the run
	started := time.Now()
	connections := opts.Connections + 2*writers + opts.Followers
	b := &bench{opts: opts, collector: newCollector(), crowd: &crowd{limit: opts.Limit, password: opts.Password, run: strconv.FormatInt(started.UnixMilli(), 36),
		client: newClient(opts.URL, connections, opts.Timeout, opts.Gzip)}}
	defer b.crowd.client.close()
	for _, a := range opts.Accounts {
		b.crowd.members = append(b.crowd.members, &member{Account: a})
	}
	stop := b.report(started)
	loads, err := b.prepare(ctx)
	stop()
	if err != nil {
		return nil, fmt.Errorf("prepare the run: %w", err)
	}
	s := span{begin: time.Now(), grace: opts.grace}
	s.from = s.begin.Add(opts.Warmup)
	s.end = s.from.Add(opts.Duration)
	b.collector.begin(s.from)
	stop = b.report(s.begin)
	m := meterFrom(ctx, opts.Metrics, s.from)
	if b.still != nil {
		go b.still.begin(ctx, s.from)
	}
	drive(ctx, s, b.collector, loads)
	stop()
	r := b.result(s, time.Now(), ctx.Err() != nil)
	return r, b.costs(ctx, r, m)
}

// costs adds the cost of the requests to a result.
func (b *bench) costs(ctx context.Context, r *Result, m *meter) error {
	unit, n := "the server, a request", r.Total.Requests
	if events := b.collector.ops[opEvent]; events != nil {
		unit, n = "the server, an event", events.requests
	}
	c, err := m.cost(ctx, unit, n)
	if c != nil {
		r.Costs = append(r.Costs, *c)
	}
	if b.still != nil {
		c, stillErr := b.still.end()
		if c != nil {
			r.Costs = append(r.Costs, *c)
		}
		err = cmp.Or(err, stillErr)
	}
	return err
}

// prepare returns the loads for the options.
func (b *bench) prepare(ctx context.Context) ([]load, error) {
	switch b.opts.Measure {
	case "polls":
		return b.preparePolls(ctx)
	case "home":
		return b.prepareHome(ctx)
	case "post":
		return b.preparePost(ctx)
	case "fanout":
		return b.prepareFanout(ctx)
	case "streams":
		return b.prepareStreams(ctx)
	case "pages":
		return b.preparePages(ctx)
	}
	return b.prepareMix(ctx, mixOf(b.opts.Mix))
}

// checked sets the defaults and refuses invalid options.
func (o Options) checked() (Options, error) {
	o.Connections = orDefault(o.Connections, 16)
	o.Duration = orDefault(o.Duration, 10*time.Second)
	o.Timeout = orDefault(o.Timeout, 10*time.Second)
	o.Limit = orDefault(o.Limit, 20)
	o.StaleAfter = orDefault(o.StaleAfter, time.Second)
	o.Followers = orDefault(o.Followers, 10)
	o.Poll = orDefault(o.Poll, 20*time.Millisecond)
	o.Rest = orDefault(o.Rest, 20*time.Second)
	o.Every = orDefault(o.Every, time.Second)
	o.grace = orDefault(o.grace, grace)
	base, err := baseOf(o.URL)
	o.URL = base
	if err != nil {
		return o, err
	}
	return o, o.refuse()
}

func orDefault[T comparable](v, usual T) T {
	var zero T
	if v == zero {
		return usual
	}
	return v
}

// baseOf checks the URL of a server and removes a trailing slash.
func baseOf(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return "", fmt.Errorf("%q is not the address of a server: use http://host or https://host:port", text)
	}
	return u.Scheme + "://" + u.Host, nil
}

// refuse returns an error for the first invalid option.
func (o Options) refuse() error {
	mix := o.Measure == ""
	for _, r := range []struct {
		wrong bool
		text  string
	}{
		{(o.Mix == "") == (o.Measure == ""), "choose either a mix or a measure"},
		{o.Mix != "" && !slices.Contains(Mixes(), o.Mix), fmt.Sprintf("there is no mix %q: choose one of %s", o.Mix, strings.Join(Mixes(), ", "))},
		{!mix && !slices.Contains(Measures(), o.Measure), fmt.Sprintf("there is no measure %q: choose one of %s", o.Measure, strings.Join(Measures(), ", "))},
		{mix && len(o.Accounts) < 2, "a mix needs at least two accounts"},
		{len(o.Accounts) < 1, "at least one account is needed"},
		{mix && o.Rate == 0, "a mix needs a rate"},
		{o.Measure == "polls" && len(o.Accounts) < 2, "the measure polls needs at least two accounts"},
		{o.Measure == "polls" && o.Rate == 0, "the measure polls needs a rate"},
		{o.Measure == "polls" && o.Rate*o.Rest.Seconds() > float64(len(o.Accounts)), fmt.Sprintf("at %v home timelines per second %d accounts poll again within %v: use at least %.0f accounts, a lower rate or a shorter rest",
			o.Rate, len(o.Accounts), o.Rest, o.Rate*o.Rest.Seconds())},
		{o.Static && o.Measure != "polls", "static responses are only for the measure polls"},
		{o.Measure == "pages" && (len(o.Accounts) < 2 || o.Password == ""), "the measure pages needs at least two accounts and their password"},
		{o.Measure != "pages" && (o.Page != "" || o.Password != ""), "a page and a password are only for the measure pages"},
		{o.Page != "" && !slices.Contains(Pages(), o.Page), fmt.Sprintf("there is no page %q: choose one of %s", o.Page, strings.Join(Pages(), ", "))},
		{o.Rate < 0 || o.Rate > maxRate, fmt.Sprintf("the rate %v is not between 0 and %d", o.Rate, maxRate)},
		{o.WriteRate < 0 || o.WriteRate > maxRate, fmt.Sprintf("the write rate %v is not between 0 and %d", o.WriteRate, maxRate)},
		{o.WriteRate > 0 && o.Measure != "home", "a write rate is only for the measure home"},
		{len(o.Authors) > 0 && !slices.Contains([]string{"post", "fanout", "streams"}, o.Measure), "authors are only for the measures post, fanout and streams"},
		{len(o.Authors) > 1 && o.Measure != "post", "the measures fanout and streams use a single author"},
		{o.Connections < 1 || o.Connections > maxConnections, fmt.Sprintf("the number of connections %d is not between 1 and %d", o.Connections, maxConnections)},
		{o.Limit < 1 || o.Limit > maxLimit, fmt.Sprintf("the limit %d is not between 1 and %d", o.Limit, maxLimit)},
		{o.Followers < 1 || o.Followers > maxWatched, fmt.Sprintf("the number of followers %d is not between 1 and %d", o.Followers, maxWatched)},
		{o.Duration < 0 || o.Warmup < 0 || o.Timeout < 0 || o.StaleAfter < 0 || o.Poll < 0 || o.Every < 0, "a duration is negative"},
	} {
		if r.wrong {
			return fmt.Errorf("%s", r.text)
		}
	}
	return nil
}
