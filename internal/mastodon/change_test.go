package mastodon

import (
	"net/http/httptest"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
)

// FuzzChanges checks that changes of profiles and filters are read from any parameters without a
// panic, and within their limits.
func FuzzChanges(f *testing.F) {
	const form = "application/x-www-form-urlencoded"
	f.Add(form, "keywords_attributes[][keyword]=a&keywords_attributes[][whole_word]=1&keywords_attributes[][keyword]=b&keywords_attributes[0][id]=1")
	f.Add(form, "title=t&context[]=home&expires_in=&keywords_attributes[1][_destroy]=True&keywords_attributes[0][id]=12&keywords_attributes[7][keyword]=%ff")
	f.Add("application/json", `{"context":["home",null],"expires_in":null,"keywords_attributes":[{"keyword":"a","whole_word":"on"},{"id":5,"_destroy":1},[],7]}`)
	f.Add(form, "fields_attributes[0][name]=a&fields_attributes[][value]=b&source[privacy]=x&avatar=data:,x&attribution_domains[]=a.test")
	f.Fuzz(func(t *testing.T, contentType, body string) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Header["Content-Type"] = []string{contentType}
		in, err := request.Decode(httptest.NewRecorder(), r)
		if err != nil {
			return
		}
		(&profileHandler{base: "https://linnet.test"}).profileChange(in)
		if c, err := filterChange(in); err == nil && len(c.Keywords) > 2*linnet.MaxFilterKeywords {
			t.Fatalf("%d keywords", len(c.Keywords))
		}
		filterChangeV1(in)
	})
}
