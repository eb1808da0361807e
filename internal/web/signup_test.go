package web_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/linnet"
)

func TestSignUpClosed(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.browser()
	want(t, b.get("/signup"), http.StatusForbidden, "Sign-up is closed", `href="/login"`)
	b.get("/login")
	want(t, b.post("/signup", "login", "eve", "password", password, "again", password), http.StatusForbidden)
	if _, err := w.svc.View.UserByLogin(t.Context(), 0, "eve"); err == nil {
		t.Error("the account was made")
	}
}

func TestSignUp(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("taken")
	w.open("Be kind", "Sing softly")
	b := w.browser()
	want(t, b.get("/signup"), http.StatusOK, "Be kind", "Sing softly", "I agree to these rules")

	want(t, b.post("/signup", "login", "bob", "password", password, "again", password),
		http.StatusUnprocessableEntity, `id="agreed-wrong"`, `value="bob"`)
	want(t, b.post("/signup", "login", "Taken", "password", password, "again", password, "agreed", "1"),
		http.StatusUnprocessableEntity, `id="login-wrong"`, "taken")
	wantTo(t, b.post("/signup", "login", "bob", "password", password, "again", password, "agreed", "1"), "/")
	want(t, b.get("/"), http.StatusOK, "@bob</bdi></a>", "Log out")
}

// TestDirectoryIsChosen checks that new accounts appear in the directory only if their owners
// choose so.
func TestDirectoryIsChosen(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open()
	for login, listed := range map[string]string{"hidden": "", "listed": "1"} {
		b := w.browser()
		want(t, b.get("/signup"), http.StatusOK, `name="discoverable" value="1" aria`)
		wantTo(t, b.post("/signup", "login", login, "password", password, "again", password, "discoverable", listed), "/")
		u, err := w.svc.View.UserByLogin(t.Context(), 0, login)
		if err != nil || u.Discoverable != (listed != "") {
			t.Errorf("%s is listed: %v, %v", login, u.Discoverable, err)
		}
	}
}

// signUpShowsAllFaults checks that the sign-up form shows all errors at once.
func signUpShowsAllFaults(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("taken")
	approval, rules, questions := linnet.RegisterApproval, []string{"Be kind"}, []string{"What sings? = a bird"}
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Registrations: &approval, Rules: &rules, Questions: &questions}); err != nil {
		t.Fatal(err)
	}
	b := w.browser()
	b.get("/signup")
	all := []string{`id="login-wrong"`, `id="password-wrong"`, `id="again-wrong"`, `id="reason-wrong"`, `id="answer-wrong"`, `id="agreed-wrong"`}
	for _, row := range []struct {
		fields []string
		absent string
	}{
		{[]string{"login", "tak en", "password", "short", "again", "other"}, ""},
		{[]string{"login", "taken", "password", "short", "again", "other", "answer", "a fish"}, ""},
		{[]string{"login", "newcomer", "password", "short", "again", "other", "answer", "a fish"}, all[0]},
		{[]string{"login", "taken", "password", password, "again", "other"}, all[1]},
		{[]string{"login", "taken", "password", "short", "again", "short"}, all[2]},
		{[]string{"login", "taken", "password", "short", "again", "other", "reason", "I like birds."}, all[3]},
		{[]string{"login", "taken", "password", "short", "again", "other", "agreed", "1"}, all[5]},
	} {
		a := b.post("/signup", row.fields...)
		want(t, a, http.StatusUnprocessableEntity)
		for _, mark := range all {
			if strings.Contains(a.body, mark) == (mark == row.absent) {
				t.Errorf("%q: %s is shown: %v", row.fields, mark, mark == row.absent)
			}
		}
	}
	token := w.setupToken()
	b.get("/setup/" + token)
	want(t, b.post("/setup/"+token, "login", "ta ken", "password", "short", "again", "other"), http.StatusUnprocessableEntity, all[0], all[1], all[2])
}

func TestSignUpWithoutRules(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open()
	b := w.browser()
	b.get("/signup")
	wantTo(t, b.post("/signup", "login", "bob", "password", password, "again", password), "/")
}

func TestSignUpThrottled(t *testing.T) {
	w := newLimitedWorld(t, loopbackURL, apptest.Window(), core.Rates{})
	w.open()
	for i := range 5 {
		b := w.browser()
		b.get("/signup")
		want(t, b.post("/signup", "login", "bob"+strconv.Itoa(i), "password", password, "again", password), http.StatusSeeOther)
	}
	b := w.browser()
	b.get("/signup")
	a := b.post("/signup", "login", "bobby", "password", password, "again", password)
	want(t, a, http.StatusTooManyRequests)
	if a.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

// TestSignUpByApproval checks that sign-up by approval asks for a reason. The account cannot log in
// until it is approved.
func TestSignUpByApproval(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.register(linnet.RegisterApproval)
	b := w.browser()
	want(t, b.get("/signup"), http.StatusOK, "Moderators review each sign-up. Until your account is approved, you can't log in, and only this server's staff can see it.", `name="reason"`, "Request account")
	want(t, b.post("/signup", "login", "bob", "password", password, "again", password), http.StatusUnprocessableEntity, `id="reason-wrong"`)
	want(t, b.post("/signup", "login", "bob", "password", password, "again", password, "reason", "I like birds."),
		http.StatusOK, "@bob", "The moderators will review your request")
	b.get("/login")
	want(t, b.post("/login", "login", "bob", "password", password), http.StatusUnprocessableEntity, "Your account is waiting for approval by a moderator.")
	want(t, b.get("/@bob"), http.StatusNotFound)
	w.operate("bob", linnet.Measure{Act: linnet.Approve})
	b.get("/login")
	wantTo(t, b.post("/login", "login", "bob", "password", password), "/")
}

// TestSignUpQuestion checks that the sign-up form asks a question. A wrong answer shows another one
// and keeps the other values, and a right answer survives other errors.
func TestSignUpQuestion(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open()
	questions := []string{"What do linnets eat? = seeds", "What do they sing? = songs"}
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Questions: &questions}); err != nil {
		t.Fatal(err)
	}
	b := w.browser()
	a := b.get("/signup")
	want(t, a, http.StatusOK, `name="answer"`)
	drawn := func(a answer) (id, other string) {
		t.Helper()
		eat, _ := linnet.ParseSignUpQuestion(questions[0])
		sing, _ := linnet.ParseSignUpQuestion(questions[1])
		if id, other = eat.ID(), sing.ID(); strings.Contains(a.body, sing.Ask) {
			id, other = other, id
		}
		want(t, a, a.StatusCode, `name="question" value="`+id+`"`)
		return id, other
	}
	id, other := drawn(a)
	try := func(question, answer, again string) answer {
		return b.post("/signup", "login", "bob", "password", password, "again", again, "question", question, "answer", answer)
	}
	a = try(id, "stones", password)
	want(t, a, http.StatusUnprocessableEntity, `id="answer-wrong"`, "is incorrect", `value="bob"`)
	if now, _ := drawn(a); now != other {
		t.Error("the question is the one that was answered wrongly")
	}
	right := map[bool]string{true: "Seeds", false: "Songs"}[strings.Contains(a.body, "eat?")]
	a = try(other, right, "differs")
	want(t, a, http.StatusUnprocessableEntity, `id="again-wrong"`, `value="`+right+`"`)
	if now, _ := drawn(a); now != other {
		t.Error("the question that was answered went")
	}
	wantTo(t, try(other, right, password), "/")
}
