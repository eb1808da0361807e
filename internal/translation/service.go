package translation

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"linnet/internal/cache"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/view"
)

const (
	auto = "auto" // the language is unknown

	translatingAtOnce = 4
	cacheBytes        = 16 << 20       // of translations
	cacheTTL          = 24 * time.Hour // a translation
	languagesFor      = time.Hour      // until the list of languages is fetched again
	languagesAgain    = time.Minute    // the same after it didn't respond
	mostAsked         = 120            // translations for one person in askedIn
	askedIn           = 5 * time.Minute
)

// Service translates statuses. It is safe for concurrent use.
type Service struct {
	core  *core.Service
	view  *view.Service
	opt   core.Options
	now   func() time.Time
	libre *libre // nil if translation is off

	cached *cache.Cache[string, translated] // by status, version and language
	once   singleflight.Group
	room   chan struct{}

	mu      sync.Mutex
	pairs   pairs // what the server can; nil: not known
	pairsAt time.Time
}

// New returns a Service.
func New(b core.Base, c *core.Service, v *view.Service) *Service {
	s := &Service{core: c, view: v, opt: b.Options, now: b.Store.Now, room: make(chan struct{}, translatingAtOnce)}
	if b.Options.Translate.URL != "" {
		s.libre = newLibre(b.Options.Translate.URL, b.Options.Translate.Key)
		s.cached = cache.New(cache.Options[string, translated]{Max: cacheBytes, Weigh: weight,
			TTL: cacheTTL})
	}
	return s
}

func weight(_ string, t translated) uint32 {
	n := 200
	for _, text := range t.texts {
		n += len(text) + 16
	}
	return uint32(n)
}

// Close ends what cleans up the cache, which answers as before.
func (s *Service) Close() {
	if s.cached != nil {
		s.cached.Close()
	}
}

// Enabled reports whether the operator has named a server that translates.
func (s *Service) Enabled() bool { return s.libre != nil }

// Languages returns the target languages of each language, sorted. The key "und" is for texts
// without a language. It returns an empty map if translation is off or the translation server
// hasn't responded yet.
// https://docs.joinmastodon.org/methods/instance/#translation_languages
func (s *Service) Languages(ctx context.Context) map[string][]string {
	out := map[string][]string{}
	if !s.Enabled() {
		return out
	}
	known, err := s.known(ctx)
	if err != nil {
		return out
	}
	all := map[string]bool{}
	for from, to := range known {
		out[from] = slices.Sorted(slices.Values(to))
		for _, t := range to {
			all[t] = true
		}
	}
	out["und"] = slices.Sorted(maps.Keys(all))
	return out
}

// known returns the pairs of languages. The last known ones apply while the server is down.
func (s *Service) known(ctx context.Context) (pairs, error) {
	s.mu.Lock()
	known, due := s.pairs, !s.now().Before(s.pairsAt)
	s.mu.Unlock()
	if !due {
		if known == nil {
			return nil, unavailable()
		}
		return known, nil
	}
	answer := s.once.DoChan("languages", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
		defer cancel()
		asked, err := s.libre.languages(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		if err != nil {
			s.opt.Log.Warn("cannot read languages of translation server", "err", err)
			s.pairsAt = s.now().Add(languagesAgain)
			return s.pairs, nil
		}
		s.pairs, s.pairsAt = asked, s.now().Add(languagesFor)
		return asked, nil
	})
	if known != nil {
		return known, nil // valid until the response arrives
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case a := <-answer:
		if known = a.Val.(pairs); known == nil {
			return nil, unavailable()
		}
		return known, nil
	}
}

// Status translates a status, or the original of a boost, into the first available one of languages
// that isn't its own. Without languages it uses the viewer's posting language, or English. It
// returns NotFound if translation is off or the viewer can't see the status, Forbidden if it isn't
// public or no language is available, Unavailable if the translation server doesn't respond, and
// TooMany after mostAsked requests in askedIn. The viewer must be logged in.
// https://docs.joinmastodon.org/methods/statuses/#translate
func (s *Service) Status(ctx context.Context, viewer, id linnet.ID, languages ...string) (linnet.Translation, error) {
	if !s.Enabled() {
		return linnet.Translation{}, linnet.Errorf(linnet.NotFound, "Translation isn't available on this server.")
	}
	v, err := s.view.Original(ctx, viewer, id)
	if err != nil {
		return linnet.Translation{}, err
	}
	if !v.Translatable() {
		return linnet.Translation{}, linnet.Errorf(linnet.Forbidden, "Only public and unlisted posts can be translated.")
	}
	known, err := s.known(ctx)
	if err != nil {
		return linnet.Translation{}, err
	}
	if len(languages) == 0 {
		if languages, err = s.ownOf(ctx, viewer); err != nil {
			return linnet.Translation{}, err
		}
	}
	from, to, err := known.choose(v.Language, languages)
	if err != nil {
		return linnet.Translation{}, err
	}
	if _, _, err := s.core.Allow(ctx, "translate", viewer.String(), mostAsked, askedIn); err != nil {
		return linnet.Translation{}, err
	}
	said, err := s.said(ctx, &v.Status, from, to)
	if err != nil {
		return linnet.Translation{}, err
	}
	t := linnet.Translation{From: said.from, By: s.libre.host,
		StatusVersion: s.view.Version(inOther(&v.Status, said.texts), v.VersionAt(len(v.Edits)))}
	t.Language = to
	if v.Language != "" {
		t.From = v.Language
	}
	return t, nil
}

// ownOf returns the languages of a reader who names none.
func (s *Service) ownOf(ctx context.Context, me linnet.ID) ([]string, error) {
	u, err := s.view.User(ctx, me, me)
	if err != nil {
		return nil, err
	}
	if u.Posting.Language == "" {
		return []string{"en"}, nil
	}
	return []string{u.Posting.Language, "en"}, nil
}

// choose picks the pair of languages for a status in one language, "" if it does not say,
// and readers of some.
func (p pairs) choose(language string, wanted []string) (from, to string, err error) {
	sources := slices.Sorted(maps.Keys(p))
	from, ok := match(sources, language)
	var targets []string
	if ok {
		targets = slices.Clone(p[from])
	} else {
		from = auto
		for _, t := range p {
			targets = append(targets, t...)
		}
	}
	slices.Sort(targets) // so that the choice between "pt-BR" and "pt-PT" is stable
	for _, w := range wanted {
		if language != "" && core.BaseLanguage(w) == core.BaseLanguage(language) {
			continue
		}
		if to, ok := match(targets, w); ok {
			return from, to, nil
		}
	}
	return "", "", linnet.Errorf(linnet.Forbidden, "Can't translate from %s into %s. Available languages: %s.",
		cmp.Or(language, "its language"), strings.Join(wanted, ", "), strings.Join(slices.Compact(targets), ", "))
}

// match finds a language among codes: the very code, else one of the same language.
func match(codes []string, language string) (string, bool) {
	if language == "" {
		return "", false
	}
	if slices.Contains(codes, language) {
		return language, true
	}
	for _, c := range codes {
		if core.BaseLanguage(c) == core.BaseLanguage(language) {
			return c, true
		}
	}
	return "", false
}

// said returns the texts of a status in another language. Concurrent requests share one response.
func (s *Service) said(ctx context.Context, st *linnet.Status, from, to string) (translated, error) {
	key := fmt.Sprintf("%v %d %s", st.ID, st.LastEdit(), to)
	if t, ok := s.cached.Get(key); ok {
		return t, nil
	}
	texts := textsOf(st)
	answer := s.once.DoChan(key, func() (any, error) {
		if t, ok := s.cached.Get(key); ok { // the answer came after the look above
			return t, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
		defer cancel()
		select {
		case s.room <- struct{}{}:
			defer func() { <-s.room }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		t, err := s.libre.translate(ctx, texts, from, to)
		if err == nil {
			s.cached.Set(key, t)
		}
		return t, err
	})
	select {
	case <-ctx.Done():
		return translated{}, ctx.Err()
	case a := <-answer:
		if a.Err != nil {
			s.opt.Log.Warn("cannot translate post", "status", st.ID, "from", from, "to", to, "err", a.Err)
			return translated{}, unavailable()
		}
		return a.Val.(translated), nil
	}
}

// textsOf returns the visible texts of a status, without empty ones. inOther replaces them.
func textsOf(st *linnet.Status) (texts []string) {
	eachText(st, func(text string) string {
		texts = append(texts, text)
		return text
	})
	return texts
}

// inOther returns a status with other texts in the order of textsOf.
func inOther(st *linnet.Status, texts []string) *linnet.Status {
	return eachText(st, func(string) string {
		text := texts[0]
		texts = texts[1:]
		return text
	})
}

// eachText returns a copy of a status with each text replaced by the result of become.
func eachText(st *linnet.Status, become func(string) string) *linnet.Status {
	out := *st
	change := func(text *string) {
		if *text != "" {
			*text = become(*text)
		}
	}
	change(&out.Warning)
	change(&out.Text)
	if st.Poll != nil {
		poll := *st.Poll
		poll.Options = slices.Clone(poll.Options)
		for i := range poll.Options {
			change(&poll.Options[i])
		}
		out.Poll = &poll
	}
	out.Media = slices.Clone(st.Media)
	for i := range out.Media {
		change(&out.Media[i].Description)
	}
	return &out
}
