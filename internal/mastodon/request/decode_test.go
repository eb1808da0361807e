package request

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

const (
	asJSON = "application/json"
	asForm = "application/x-www-form-urlencoded"
)

// show writes a value in a short, sorted form: a=text, b=[1 2], c={d=1}.
func show(v *Value) string {
	switch v.Kind {
	case KindText:
		return v.Text
	case KindNumber, KindBoolean:
		return "!" + v.Text
	case KindFile:
		return "file"
	case KindList:
		var parts []string
		for _, e := range v.list {
			parts = append(parts, show(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case KindObject:
		return "{" + showFields(v.fields) + "}"
	}
	return "null"
}

func showFields(fields map[string]*Value) string {
	var parts []string
	for name, v := range fields {
		parts = append(parts, name+"="+show(v))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// decoded decodes a request and shows its parameters, or the code of the error.
func decoded(method, target, contentType, body string) string {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	in, err := Decode(httptest.NewRecorder(), r)
	if err != nil {
		return fmt.Sprint(ProblemOf(err, locale.English()).Code)
	}
	return showFields(in.Fields)
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, method, target, contentType, body, want string }{
		{"nothing", "POST", "/", "", "", ""},
		{"query", "GET", "/?a=1&b=x+y%21&c", "", "", "a=1 b=x y! c="},
		{"lists in the query", "GET", "/?id[]=1&id[]=2&any%5B%5D=x", "", "", "any=[x] id=[1 2]"},
		{"the body of GET is left alone", "GET", "/?a=1", asForm, "a=2&b=3", "a=1"},
		{"form", "POST", "/", asForm, "status=a%26b&sensitive=True", "sensitive=True status=a&b"},
		{"form with a charset", "POST", "/", asForm + "; charset=UTF-8", "a=1", "a=1"},
		{"form without a type", "POST", "/", "", "a=1", "a=1"},
		{"form of DELETE", "DELETE", "/", asForm, "account_ids[]=1&account_ids[]=2", "account_ids=[1 2]"},
		{"json of DELETE", "DELETE", "/", asJSON, `{"account_ids":["1","2"]}`, "account_ids=[1 2]"},
		{"list in a list", "POST", "/", asForm, "id[][]=1&id[][]=2", "id=[[1] [2]]"},
		{"the query wins", "PUT", "/?a=query", asForm, "a=body&b=body", "a=query b=body"},
		{"list without members", "POST", "/?id[]=", asForm, "account_ids[]=&f[][name]=&g[a][]=&h[]=&h[]=1", "f=[{name=}] h=[1]"},
		{"nested", "POST", "/", asForm, "poll[options][]=x&poll[options][]=y&poll[multiple]=true", "poll={multiple=true options=[x y]}"},
		{"numbered", "PATCH", "/", asForm, "f[0][name]=a&f[0][value]=b&f[1][name]=c", "f={0={name=a value=b} 1={name=c}}"},
		{"list of objects", "PATCH", "/", asForm, "f[][name]=a&f[][value]=b&f[][name]=c&f[][value]=d", "f=[{name=a value=b} {name=c value=d}]"},
		{"list of lists", "POST", "/", asForm, "a[][]=1&a[][]=2", "a=[[1] [2]]"},
		{"last scalar wins", "POST", "/", asForm, "a=1&a=2", "a=2"},
		{"list and scalar", "POST", "/", asForm, "a=1&a[]=2", "422"},
		{"object and list", "POST", "/", asForm, "a[b]=1&a[]=2", "422"},
		{"no closing bracket", "POST", "/", asForm, "a[b=1", "a[b=1"},
		{"junk between brackets", "POST", "/", asForm, "a[b]x[c]=1", "422"},
		{"only brackets", "POST", "/", asForm, "[]=1&[a]=2", "[]=1 [a]=2"},
		{"no name", "POST", "/", asForm, "=1&&", "=1"},
		{"bad escape", "POST", "/", asForm, "a=%zz", "422"},
		{"bad escape in the query", "GET", "/?a=1&b=%2", "", "", "422"},
		{"form too deep", "POST", "/", asForm, "a" + strings.Repeat("[b]", 9) + "=1", "422"},
		{"too many", "POST", "/", asForm, strings.Repeat("a=1&", maxValues+1), "422"},
		{"json", "POST", "/", asJSON, `{"a":"x","b":true,"c":12,"d":null,"e":[1,"y"],"f":{"g":{}}}`, "a=x b=!true c=!12 d=null e=[!1 y] f={g={}}"},
		{"json null", "POST", "/", asJSON, `null`, ""},
		{"json list", "POST", "/", asJSON, `[1]`, "422"},
		{"json text", "POST", "/", asJSON, `"a"`, "422"},
		{"json cut off", "POST", "/", asJSON, `{"a":`, "422"},
		{"json twice", "POST", "/", asJSON, `{} {}`, "422"},
		{"json with blanks", "POST", "/", asJSON + ";charset=utf-8", " {} \n", ""},
		{"json variant", "POST", "/", "application/ld+json", `{"a":"1"}`, "a=1"},
		{"json too deep", "POST", "/", asJSON, strings.Repeat(`{"a":`, 9) + "1" + strings.Repeat("}", 9), "422"},
		{"json deep enough", "POST", "/", asJSON, strings.Repeat(`{"a":`, 2) + "[1]" + strings.Repeat("}", 2), "a={a=[!1]}"},
		{"json brackets in text", "POST", "/", asJSON, `{"a":"[[[[[[[[[[\"[[[["}`, `a=[[[[[[[[[["[[[[`},
		{"json bomb", "POST", "/", asJSON, strings.Repeat("[", 1<<19), "422"},
		{"json of many", "POST", "/", asJSON, `{"a":[` + strings.Repeat("1,", maxValues) + `1]}`, "422"},
		{"large number", "POST", "/", asJSON, `{"a":116000000000000001}`, "a=!116000000000000001"},
		{"another type", "POST", "/", "text/csv", "a,b", "415"},
		{"broken type", "POST", "/", "a/b/c", "a", "415"},
		{"another type, no body", "POST", "/", "application/octet-stream", "", ""},
		{"multipart without boundary", "POST", "/", "multipart/form-data", "x", "422"},
		{"multipart cut off", "POST", "/", "multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1", "422"},
		{"too large", "POST", "/", asForm, "a=" + strings.Repeat("x", maxBody), "413"},
	} {
		if got := decoded(c.method, c.target, c.contentType, c.body); got != c.want {
			t.Errorf("%s: got %.200q, want %q", c.name, got, c.want)
		}
	}
}

func TestDecodeMultipart(t *testing.T) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, f := range [][2]string{{"display_name", "Änn"}, {"f[0][name]", "a"}, {"ids[]", "1"}, {"ids[]", "2"}} {
		if err := w.WriteField(f[0], f[1]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.CreateFormFile("avatar", "a.png"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	got := decoded("PATCH", "/?note=n", w.FormDataContentType(), b.String())
	if want := "avatar=file display_name=Änn f={0={name=a}} ids=[1 2] note=n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestChunkedTooLarge sends a body whose length is not announced.
func TestChunkedTooLarge(t *testing.T) {
	r := httptest.NewRequest("POST", "/", struct{ *strings.Reader }{strings.NewReader("a=" + strings.Repeat("x", maxBody))})
	r.ContentLength = -1
	_, err := Decode(httptest.NewRecorder(), r)
	if err == nil || ProblemOf(err, locale.English()).Code != http.StatusRequestEntityTooLarge {
		t.Errorf("got %v, want 413", err)
	}
}

func TestInput(t *testing.T) {
	read := map[string]func(in *Input) any{
		"text":   func(in *Input) any { return in.String("x") },
		"flag":   func(in *Input) any { return in.Flag("x") },
		"number": func(in *Input) any { return in.Number("x") },
		"id":     func(in *Input) any { id, ok := in.ID("x"); return fmt.Sprint(id, ok) },
		"ids":    func(in *Input) any { return in.IDs("x", 3) },
		"texts":  func(in *Input) any { return in.Strings("x") },
		"inner":  func(in *Input) any { return in.Object("x").String("y") },
		"limit":  func(in *Input) any { p := TimelinePage(in); return p.Limit },
		"max":    func(in *Input) any { return TimelinePage(in).Max },
	}
	for _, c := range []struct{ as, json, want string }{
		{"text", `{}`, ""}, {"text", `{"x":null}`, ""}, {"text", `{"x":"a"}`, "a"}, {"text", `{"x":1}`, "fault x"},
		{"text", `{"x":["a"]}`, "fault x"}, {"text", `{"x":{}}`, "fault x"}, {"text", `{"x":true}`, "fault x"},
		{"flag", `{"x":true}`, "true"}, {"flag", `{"x":"True"}`, "true"}, {"flag", `{"x":"on"}`, "true"}, {"flag", `{"x":1}`, "true"},
		{"flag", `{"x":"1"}`, "true"}, {"flag", `{"x":"0"}`, "false"}, {"flag", `{"x":"False"}`, "false"}, {"flag", `{"x":"off"}`, "false"},
		{"flag", `{"x":""}`, "false"}, {"flag", `{"x":"maybe"}`, "true"}, {"flag", `{"x":[true]}`, "fault x"}, {"flag", `{"x":{}}`, "fault x"},
		{"number", `{"x":"20"}`, "20"}, {"number", `{"x":20}`, "20"}, {"number", `{"x":-1}`, "fault x"}, {"number", `{"x":"1.5"}`, "fault x"},
		{"number", `{"x":1e3}`, "fault x"}, {"number", `{"x":"99999999999"}`, "fault x"}, {"number", `{"x":true}`, "fault x"}, {"number", `{"x":""}`, "0"},
		{"id", `{"x":"12"}`, "12 true"}, {"id", `{"x":12}`, "12 true"}, {"id", `{"x":""}`, "0 true"}, {"id", `{"x":"a"}`, "0 false"},
		{"id", `{"x":"012"}`, "0 false"}, {"id", `{"x":{}}`, "fault x"}, {"id", `{"x":"99999999999999999999"}`, "0 false"},
		{"ids", `{"x":["1",2,"a","1"]}`, "fault x"}, {"ids", `{"x":["1","a","1"]}`, "[1]"}, {"ids", `{"x":"7"}`, "[7]"},
		{"ids", `{"x":{"1":"8","0":"7"}}`, "[7 8]"}, {"ids", `{"x":{"a":"8"}}`, "fault x"}, {"ids", `{"x":[["7"],["8","7"]]}`, "[7 8]"}, {"ids", `{"x":[[["7"]]]}`, "fault x"}, {"ids", `{}`, "[]"},
		{"texts", `{"x":["a","b"]}`, "[a b]"}, {"texts", `{"x":[1]}`, "fault x"}, {"texts", `{"x":"a"}`, "[a]"},
		{"inner", `{"x":{"y":"z"}}`, "z"}, {"inner", `{"x":{"y":1}}`, "fault x.y"}, {"inner", `{"x":"z"}`, "fault x"}, {"inner", `{}`, ""},
		{"limit", `{"limit":5}`, "5"}, {"limit", `{"limit":"500"}`, "40"}, {"limit", `{"limit":"0"}`, "20"}, {"limit", `{}`, "20"},
		{"limit", `{"limit":"-5"}`, "5"}, {"limit", `{"limit":"abc"}`, "20"}, {"limit", `{"limit":"7x"}`, "7"}, {"limit", `{"limit":null}`, "20"}, {"limit", `{"limit":[5]}`, "fault limit"}, {"max", `{"max_id":"5"}`, "5"}, {"max", `{"max_id":["5"]}`, "fault max_id"},
	} {
		fields, err := decodeJSON([]byte(c.json))
		if err != nil {
			t.Fatal(c.json, err)
		}
		in := newInput(fields)
		got := fmt.Sprint(read[c.as](in))
		if err := in.Err(); err != nil {
			got = "fault " + problemFields(err)
		}
		if got != c.want {
			t.Errorf("%s of %s: got %q, want %q", c.as, c.json, got, c.want)
		}
	}
	in := newInput(map[string]*Value{"x": {Kind: KindText, Text: "a\xff"}})
	if in.String("x"); in.Err() == nil {
		t.Error("text that is not UTF-8 was taken")
	}
}

func problemFields(err error) string {
	if linnet.KindOf(err) != linnet.Invalid {
		return err.Error()
	}
	var names []string
	for name := range ProblemOf(err, locale.English()).Body.Details {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func FuzzDecode(f *testing.F) {
	f.Add(asForm, "a[0][b]=1&a[1][b]=2&c[][d]=3")
	f.Add(asJSON, `{"a":[{"b":"c"}],"d":1e9}`)
	f.Add("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a[]\"\r\n\r\n1\r\n--b--\r\n")
	f.Add(asForm, "keywords_attributes[][keyword]=a&keywords_attributes[][whole_word]=1&keywords_attributes[][keyword]=b&keywords_attributes[0][id]=1")
	f.Add(asForm, "title=t&context[]=home&expires_in=&keywords_attributes[1][_destroy]=True&keywords_attributes[0][id]=12&keywords_attributes[7][keyword]=%ff")
	f.Add(asJSON, `{"context":["home",null],"expires_in":null,"keywords_attributes":[{"keyword":"a","whole_word":"on"},{"id":5,"_destroy":1},[],7]}`)
	f.Add("", "status=%F0%9F%90%A6&x=%")
	f.Fuzz(func(t *testing.T, contentType, body string) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Header["Content-Type"] = []string{contentType}
		in, err := Decode(httptest.NewRecorder(), r)
		if err != nil {
			if code := ProblemOf(err, locale.English()).Code; code >= 500 {
				t.Fatalf("code %d: %v", code, err)
			}
			return
		}
		checkDepth(t, in.Fields, 0)
		for name := range in.Fields { // no accessor may panic for any input
			in.String(name)
			in.Flag(name)
			in.Number(name)
			in.IDs(name, 40)
			in.Strings(name)
			in.Object(name).String(name)
		}
	})
}

func checkDepth(t *testing.T, fields map[string]*Value, depth int) {
	if depth > maxDepth+1 {
		t.Fatal("nested too deep")
	}
	for _, v := range fields {
		checkDepth(t, v.fields, depth+1)
		for _, e := range v.list {
			checkDepth(t, e.fields, depth+1)
		}
	}
}
