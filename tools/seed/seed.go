package seed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"linnet/internal/app"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/accounts"
	"linnet/internal/store/db"
	"linnet/internal/text"
)

// Options configure an import. Follows or Users is required.
type Options struct {
	Follows   string                              // file of lines "follower<TAB>followee" with numbers from 0; can be gzip
	Posts     string                              // file with one status per line; can be gzip
	Generated bool                                // random follows and sentences among Users replace the files
	Users     int                                 // minimum number of users; more if Follows has more
	Prefix    string                              // prefix of the logins, before the number; "" for "u"
	PerUser   int                                 // statuses per user, from the lines in turn; 0 for each line once by a random user
	Days      int                                 // period of the statuses; 0 for 30
	Seed      uint64                              // seed of the random choices
	Until     time.Time                           // end of all dates; zero for the time of the first run
	Password  string                              // password of all users; "" for none, which prevents logins
	Report    func(phase string, done, total int) // receives the progress; nil for none
	Retrying  func(error)                         // receives the error of a busy store before a retry; called concurrently; nil for none
	Workers   int                                 // concurrent transactions; 0 for 32
	Pause     time.Duration                       // delay before the first retry when the store is busy; 0 for 100 ms
}

// Result has the total numbers of an import.
type Result struct {
	Users   int
	Follows int
	Posts   int
	Left    int  // skipped lines: follows of oneself, repetitions, invalid statuses
	Already bool // an earlier run had completed it
	Took    time.Duration
}

// Fill creates users, follows and statuses, from files or at random. The same files and options
// create the same store, except for dates, which are before Until. Fill can be interrupted, and
// continues with the same files and options. Users can log in when it is complete. It retries calls
// to a busy store for about half a minute. It uses about 40 bytes of memory per user and 4 bytes
// per follow. It returns Invalid for wrong options or lines, and Conflict if a login is taken or
// another import with the prefix exists.
func Fill(ctx context.Context, svc *app.App, opt Options) (Result, error) {
	began := time.Now()
	im, err := prepare(svc, opt)
	if err != nil {
		return Result{}, err
	}
	var m mark
	if err := im.bulk.patient(ctx, func() (err error) {
		m, err = beginImport(ctx, svc.Store().Engine(), im.opt.Prefix, mark{
			source: im.source(), base: im.opt.Until, seed: opt.Seed})
		return err
	}); err != nil {
		return im.did, err
	}
	if m.source != im.source() {
		return im.did, linnet.Errorf(linnet.Conflict, "users named %s… were imported with other files or options: choose another prefix", im.opt.Prefix)
	}
	im.did.Already = m.done
	im.lots = lots{seed: m.seed, base: m.base, days: time.Duration(im.opt.Days) * 24 * time.Hour}
	if !m.done {
		if err := im.bulk.patient(ctx, func() error {
			return svc.Moderation.LogCommand(ctx, linnet.Operator(), core.ImportWorld, im.opt.Prefix)
		}); err != nil {
			return im.did, err
		}
		if err = im.run(ctx); err == nil {
			err = im.bulk.patient(ctx, func() error { return endImport(ctx, svc.Store().Engine(), im.opt.Prefix, m) })
		}
	}
	im.did.Took = time.Since(began)
	return im.did, err
}

// importer is a running import.
type importer struct {
	opt   Options
	svc   *app.App
	bulk  *bulk
	graph *graph // has no lines if there is no file
	posts *postFile
	lots  lots
	ids   []linnet.ID
	order []int // users by shard, so that transactions are full
	did   Result

	phase       string // current one, with its finished and total steps
	done, total int
}

// start begins a phase with a number of steps.
func (im *importer) start(phase string, total int) {
	im.phase, im.done, im.total = phase, 0, total
}

// add reports n more finished steps.
func (im *importer) add(n int) {
	im.done += n
	im.opt.Report(im.phase, im.done, im.total)
}

// prepare checks the options and reads the files for the first time.
func prepare(svc *app.App, opt Options) (*importer, error) {
	if opt.Prefix == "" {
		opt.Prefix = "u"
	}
	if opt.Days == 0 {
		opt.Days = 30
	}
	if opt.Workers == 0 {
		opt.Workers = 32
	}
	if opt.Until.IsZero() {
		opt.Until = svc.Store().Now()
	}
	if opt.Pause == 0 {
		opt.Pause = 100 * time.Millisecond
	}
	if opt.Report == nil {
		opt.Report = func(string, int, int) {}
	}
	if opt.Retrying == nil {
		opt.Retrying = func(error) {}
	}
	im := &importer{opt: opt, svc: svc, bulk: newBulk(svc.Store(), opt), graph: &graph{}, posts: &postFile{}}
	if opt.Days < 1 || opt.Days > 3650 || opt.PerUser < 0 || opt.PerUser > 10_000 || opt.Users < 0 || opt.Users > mostImported {
		return nil, linnet.Errorf(linnet.Invalid, "days must be 1 to 3,650, posts per user at most 10,000, and users at most %d", mostImported)
	}
	if opt.Password != "" {
		if e := svc.Identity.CheckPassword(opt.Password, ""); e != nil {
			return nil, e
		}
	}
	var err error
	if opt.Follows != "" {
		if im.graph, err = readGraph(followsIn(opt.Follows)); err != nil {
			return nil, fmt.Errorf("read follows: %w", err)
		}
	}
	if opt.Generated {
		if im.graph, err = readGraph(heavyTailed(opt.Users, opt.Seed)); err != nil {
			return nil, fmt.Errorf("generate follows: %w", err)
		}
		im.posts = madePosts()
	}
	if opt.Posts != "" {
		if im.posts, err = readPosts(opt.Posts); err != nil {
			return nil, fmt.Errorf("read posts: %w", err)
		}
	}
	im.graph.grow(opt.Users)
	if im.graph.users == 0 {
		return nil, linnet.Errorf(linnet.Invalid, "no users: pass a file of follows, or a number of users")
	}
	if login := im.login(im.graph.users - 1); !text.ValidLogin(login) || identity.Reserved(login) {
		return nil, linnet.Errorf(linnet.Invalid, "%q can't be a username: use 1 to %d letters, digits and underscores, and no reserved name", login, linnet.MaxLogin)
	}
	return im, nil
}

func (im *importer) login(i int) string { return im.opt.Prefix + strconv.Itoa(i) }

// source returns a checksum of the files and options.
func (im *importer) source() string {
	h := sha256.New()
	fmt.Fprintf(h, "%x %x %d %d %d", im.graph.sum, im.posts.sum, im.graph.users, im.opt.PerUser, im.opt.Days)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func (im *importer) run(ctx context.Context) error {
	if err := im.users(ctx); err != nil {
		return err
	}
	for _, back := range []bool{false, true} {
		if err := im.follows(ctx, back); err != nil {
			return err
		}
	}
	if err := im.statuses(ctx); err != nil {
		return err
	}
	return im.finish(ctx)
}

// usersAtOnce is the number of users written by one call.
const usersAtOnce = 8192

func (im *importer) users(ctx context.Context) error {
	n := im.graph.users
	im.ids = make([]linnet.ID, n)
	im.start("users", n)
	for first := 0; first < n; first += usersAtOnce {
		part := make([]linnet.User, min(usersAtOnce, n-first))
		for i := range part {
			part[i] = linnet.User{Login: im.login(first + i), Discoverable: true, Version: 1}
		}
		err := im.bulk.users(ctx, part, func(i, attempt int) linnet.ID { return im.lots.user(first+i, attempt) })
		if errors.Is(err, accounts.ErrTaken) {
			return linnet.Errorf(linnet.Conflict, "%v belongs to another user: choose another prefix", err)
		}
		if err != nil {
			return fmt.Errorf("create users: %w", err)
		}
		for i, u := range part {
			im.ids[first+i] = u.ID
		}
		im.did.Users += len(part)
		im.add(len(part))
	}
	im.order = make([]int, n)
	for i := range im.order {
		im.order[i] = i
	}
	slices.SortStableFunc(im.order, func(a, b int) int { return int(im.ids[a].Shard()) - int(im.ids[b].Shard()) })
	return nil
}

// followsAtOnce is the approximate number of follows written by one call.
const followsAtOnce = 200_000

// follows writes the follows, by follower or with back by followee.
func (im *importer) follows(ctx context.Context, back bool) error {
	if im.graph.lines == 0 {
		return nil
	}
	side, err := im.graph.side(back)
	if err != nil {
		return fmt.Errorf("read follows: %w", err)
	}
	im.did.Follows = side.total
	what := "following"
	if back {
		what = "followers"
	} else {
		im.did.Left += im.graph.lines - side.total
	}
	im.start(what, side.total)
	var sides []bulkSide
	size := 0
	for at, i := range im.order {
		if others := side.of(i); len(others) > 0 {
			sides, size = append(sides, im.side(i, others, back)), size+len(others)
		}
		if size == 0 || size < followsAtOnce && at < len(im.order)-1 {
			continue
		}
		if err := im.bulk.edges(ctx, record.Follows(), back, sides); err != nil {
			return fmt.Errorf("create follows: %w", err)
		}
		im.add(size)
		sides, size = sides[:0], 0
	}
	return nil
}

func (im *importer) side(i int, others []uint32, back bool) bulkSide {
	s := bulkSide{ID: im.ids[i], Members: make([]db.Entry, len(others))}
	for n, o := range others {
		a, b := uint32(i), o
		if back {
			a, b = o, uint32(i)
		}
		s.Members[n] = db.Entry{ID: im.ids[o], Score: im.lots.follow(a, b)}
	}
	return s
}

// finish drops feeds that were built from incomplete data, and enables logins.
func (im *importer) finish(ctx context.Context) error {
	if err := im.bulk.trimGlobal(ctx); err != nil {
		return fmt.Errorf("trim the global timeline: %w", err)
	}
	hash := ""
	if im.opt.Password != "" {
		var err error
		if hash, err = im.svc.Identity.Hash(ctx, im.opt.Password); err != nil {
			return err
		}
	}
	im.start("finish", len(im.ids))
	for part := range slices.Chunk(im.ids, usersAtOnce) {
		if err := im.bulk.forgetHomes(ctx, part); err != nil {
			return fmt.Errorf("delete home timelines: %w", err)
		}
		if hash != "" {
			if err := im.bulk.secrets(ctx, part, hash); err != nil {
				return fmt.Errorf("set passwords: %w", err)
			}
		}
		im.add(len(part))
	}
	if err := im.bulk.directory(ctx, im.ids); err != nil {
		return err
	}
	if err := im.bulk.patient(ctx, func() error { return im.svc.Discovery.RebuildIndex(ctx) }); err != nil {
		return fmt.Errorf("queue the statuses for indexing: %w", err)
	}
	return nil
}
