package torture_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
)

// underOneName are flags that give two servers the same URL, so that their responses can be
// compared.
var underOneName = []string{"--public-url", "http://linnet.test"}

// TestBackupsAndRestoresThatAreKilled kills linnet backup and linnet restore at random moments and
// repeats them until they complete. A server with the restored data gives the same responses as the
// original, for each engine.
func TestBackupsAndRestoresThatAreKilled(t *testing.T) {
	random := rand.New(rand.NewPCG(randomSeed(t), 5))
	s := serve(t, 8, underOneName...)
	asks := s.live()
	s.idle()
	dir := filepath.Join(s.dir, "backups")
	took := s.took("backup", filepath.Join(s.dir, "probe"), "--reserve", "0")
	killed, _ := s.killed(random, took, either(4, 20), "backup", dir, "--reserve", "0")
	want := s.answers(asks)
	s.stop()
	alone, _ := s.killed(random, took, either(4, 20), "backup", dir, "--reserve", "0") // without a running server
	s.command("backup", dir, "--reserve", "0")
	s.command("backup", "verify", dir)
	for engine, where := range map[string]func(*testing.T) []string{
		"embedded": func(*testing.T) []string { return nil },
		"redis": func(t *testing.T) []string {
			redistest.Require(t)
			return []string{"--store", redistest.Start(t).URL()}
		},
	} {
		t.Run(engine, func(t *testing.T) {
			store := append([]string{"--reserve", "0"}, where(t)...)
			to := &server{T: t, bin: s.bin, dir: place(t), addr: "127.0.0.1:" + redistest.FreePort(t), tokens: s.tokens}
			restore := append([]string{"restore", dir}, store...)
			again, complete := to.killed(random, took, either(4, 20), restore...)
			if !complete {
				to.command(restore...)
			}
			to.start(append(slices.Clone(underOneName), store...)...)
			got := to.answers(asks)
			for _, ask := range slices.Sorted(maps.Keys(want)) {
				if got[ask] != want[ask] {
					t.Errorf("%s answers\n%s\nand answered\n%s", ask, got[ask], want[ask])
				}
			}
			if t.Logf("%d answers compared after %d kills of linnet backup, %d of it alone and %d of linnet restore", len(want), killed, alone, again); min(killed, alone, again) == 0 {
				t.Error("nothing was killed")
			}
			to.stop()
			if out := to.command(append([]string{"check"}, store...)...); !strings.Contains(out, "0 problems") {
				t.Error(out)
			}
		})
	}
}

// took returns the duration of a command.
func (s *server) took(words ...string) time.Duration {
	s.Helper()
	began := time.Now()
	s.command(words...)
	return time.Since(began)
}

// killed runs a command up to times times and kills it after a random time, which may be longer
// each time, by an eighth of took. It stops when the command completes. It returns the number of
// kills and whether the command completed.
func (s *server) killed(random *rand.Rand, took time.Duration, times int, words ...string) (kills int, complete bool) {
	s.Helper()
	for n := range times {
		cmd := exec.Command(s.bin, append(words, "--data", filepath.Join(s.dir, "data"))...)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		s.must(cmd.Start())
		timer := time.AfterFunc(time.Duration(random.Int64N(int64(took)*int64(n+1)/8)), func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		timer.Stop()
		switch {
		case err == nil:
			return kills, true
		case cmd.ProcessState.ExitCode() != -1:
			s.Fatalf("linnet %v: %v\n%s", words, err, &said)
		}
		kills++
	}
	return kills, false
}

// reply makes a request as the i-th user, which must succeed, and decodes the response.
func (s *server) reply(i int, method, path string, form url.Values, into any) {
	s.Helper()
	code, body := s.ask(method, path, s.tokens[i], form)
	if code != http.StatusOK {
		s.Fatalf("%s %s: %d %s", method, path, code, body)
	}
	if into != nil {
		s.must(json.Unmarshal([]byte(body), into))
	}
}

type withID struct {
	ID string `json:"id"`
}

// picture uploads an image as the i-th user.
func (s *server) picture(i int) (id string) {
	s.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "a.png")
	s.must(err)
	s.must(png.Encode(part, image.NewGray(image.Rect(0, 0, 64, 48))))
	s.must(form.Close())
	req, err := http.NewRequest("POST", "http://"+s.addr+"/api/v2/media", &body)
	s.must(err)
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+s.tokens[i])
	resp, err := http.DefaultClient.Do(req)
	s.must(err)
	defer resp.Body.Close()
	var made withID
	if s.must(json.NewDecoder(resp.Body).Decode(&made)); made.ID == "" {
		s.Fatalf("a picture is refused with %s", resp.Status)
	}
	return made.ID
}

// live performs each kind of act once. It returns the requests to compare: the number of the user
// and the path.
func (s *server) live() (asks []string) {
	s.Helper()
	people := make([]string, len(s.tokens))
	for i := range people {
		var me withID
		s.reply(i, "GET", "/api/v1/accounts/verify_credentials", nil, &me)
		people[i] = me.ID
	}
	var statuses []string
	for n := range 200 {
		var st withID
		s.reply(n%len(people), "POST", "/api/v1/statuses", url.Values{"status": {fmt.Sprintf("post %d of #birds for @u%d", n, n*3%len(people))}}, &st)
		statuses = append(statuses, st.ID)
	}
	var answer, pictured, list withID
	at := func(id, what string) string { return "/api/v1/statuses/" + id + what }
	s.reply(1, "POST", "/api/v1/statuses", url.Values{"status": {"an answer"}, "in_reply_to_id": {statuses[0]}}, &answer)
	s.reply(2, "POST", "/api/v1/statuses", url.Values{"status": {"with a picture"}, "media_ids[]": {s.picture(2)}}, &pictured)
	s.reply(1, "POST", "/api/v1/statuses", url.Values{"status": {"@u2 between us"}, "visibility": {"direct"}}, nil)
	s.reply(3, "POST", "/api/v1/statuses", url.Values{"status": {"a question"}, "poll[options][]": {"yes", "no"}, "poll[expires_in]": {"86400"}}, nil)
	s.reply(2, "POST", at(statuses[0], "/favourite"), nil, nil)
	s.reply(2, "POST", at(statuses[9], "/bookmark"), nil, nil)
	s.reply(2, "POST", at(statuses[3], "/reblog"), nil, nil)
	s.reply(1, "POST", "/api/v1/accounts/"+people[2]+"/follow", nil, nil)
	s.reply(2, "POST", "/api/v1/accounts/"+people[1]+"/follow", nil, nil)
	s.reply(2, "POST", "/api/v1/accounts/"+people[4]+"/mute", nil, nil)
	s.reply(2, "POST", "/api/v1/accounts/"+people[5]+"/block", nil, nil)
	s.reply(2, "POST", "/api/v1/lists", url.Values{"title": {"Friends"}}, &list)
	s.reply(2, "POST", "/api/v1/lists/"+list.ID+"/accounts", url.Values{"account_ids[]": {people[1]}}, nil)
	s.reply(1, "PUT", at(answer.ID, ""), url.Values{"status": {"an answer, edited"}}, nil)
	s.reply(1, "DELETE", at(statuses[1], ""), nil, nil)
	for i := range 3 {
		for _, path := range []string{"/api/v1/accounts/verify_credentials", "/api/v1/timelines/home?limit=40", "/api/v1/timelines/public?limit=40", "/api/v1/timelines/tag/birds?limit=40",
			"/api/v1/notifications?limit=40", "/api/v1/conversations", "/api/v1/lists", "/api/v1/favourites", "/api/v1/bookmarks", "/api/v1/mutes", "/api/v1/blocks",
			"/api/v2/search?type=accounts&q=u2", "/api/v1/accounts/search?q=u", at(statuses[0], ""), at(statuses[0], "/context"), at(statuses[0], "/favourited_by"),
			at(statuses[1], ""), at(answer.ID, "/history"), at(pictured.ID, "")} {
			asks = append(asks, fmt.Sprint(i, " ", path))
		}
		for _, id := range people {
			at := "/api/v1/accounts/" + id
			asks = append(asks, fmt.Sprint(i, " ", at), fmt.Sprint(i, " ", at, "/statuses?limit=40"), fmt.Sprint(i, " ", at, "/followers"), fmt.Sprint(i, " ", at, "/following"),
				fmt.Sprint(i, " /api/v1/accounts/relationships?id[]=", id))
		}
	}
	return append(asks, "2 /api/v1/timelines/list/"+list.ID, "2 /api/v1/lists/"+list.ID+"/accounts")
}

// idle waits until no tasks are left.
func (s *server) idle() {
	s.Helper()
	if !within(time.Minute, func() bool { return strings.Contains(s.command("check", "--reserve", "0"), "\n0 problems, 0 pending") }) {
		s.Fatal("the work that is left over does not end")
	}
}

var pictureIn = regexp.MustCompile(`"url":"http://linnet\.test(/media/[^"]+)"`)

// answers returns the responses to the requests, and the images in them.
func (s *server) answers(asks []string) map[string]string {
	s.Helper()
	out, pictures := map[string]string{}, 0
	for _, ask := range asks {
		who, path, _ := strings.Cut(ask, " ")
		code, body := s.ask("GET", path, s.tokens[who[0]-'0'], nil)
		out[ask] = fmt.Sprint(code, " ", body)
		for _, m := range pictureIn.FindAllStringSubmatch(body, -1) {
			if _, known := out[m[1]]; !known {
				code, data := s.ask("GET", m[1], "", nil)
				out[m[1]] = fmt.Sprint(code, " ", data)
				pictures++
			}
		}
		if code != http.StatusOK && (code != http.StatusNotFound || !strings.Contains(path, "/statuses/")) {
			s.Errorf("%s: %d %s", ask, code, body)
		}
	}
	if pictures == 0 {
		s.Error("no answer shows a picture")
	}
	return out
}
