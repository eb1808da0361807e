package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// somePage returns a page of statuses like a home timeline. Some have mentions and tags, and each
// fifth is a boost.
func somePage(n int) []linnet.StatusView {
	people := make([]linnet.SharedUser, 8)
	for i := range people {
		login := fmt.Sprintf("person%d", i)
		people[i].UserView = linnet.UserView{
			User: linnet.User{ID: linnet.MakeID(time.UnixMilli(1.6e12), uint16(i), 1), Login: login, Name: "Person " + login,
				Note: "n", Fields: []linnet.ProfileField{{Name: "Home", Value: "https://example.org"}}},
			Followers: 100, Following: 50, Statuses: 2000, LastStatusAt: time.UnixMilli(1.7e12),
			NoteHTML: "<p>" + strings.Repeat("about me ", 12) + "</p>", URL: "https://example.com/@" + login,
			FieldsHTML: []string{`<a href="https://example.org" rel="nofollow">example.org</a>`},
		}
	}
	page := make([]linnet.StatusView, n)
	for i := range page {
		by := &people[i%len(people)]
		v := linnet.StatusView{Favourited: i%2 == 0, SharedStatus: &linnet.SharedStatus{
			Status: linnet.Status{ID: linnet.MakeID(time.UnixMilli(1.7e12+int64(i)), 1, 1), Author: by.ID, Language: "en"},
			By:     by, HTML: "<p>" + strings.Repeat("some words & more, ", 12) + "</p>",
			Replies: 3, Favourites: 7, Memo: new(linnet.Memo),
		}}
		v.URL = by.URL + "/" + v.ID.String()
		v.URI = v.URL
		if i%3 == 0 {
			v.Tags, v.MentionsOf = []string{"Tag"}, []linnet.UserView{people[0].UserView}
		}
		if i%5 == 4 {
			original := page[i-1]
			v.Repost, v.RepostOf = &original, original.ID
		}
		page[i] = v
	}
	return page
}

// requireds returns the members that the strictest clients require.
func requireds() map[string][]string {
	return map[string][]string{
		"status": strings.Fields(`id uri created_at account content visibility sensitive spoiler_text media_attachments mentions
			tags emojis reblogs_count favourites_count replies_count reblog in_reply_to_id in_reply_to_account_id language url
			poll card edited_at`),
		"account": strings.Fields(`id username acct display_name note uri url avatar avatar_static header header_static locked bot
			group indexable discoverable emojis fields created_at statuses_count followers_count following_count last_status_at`),
		"relationship": strings.Fields(`id following showing_reblogs notifying followed_by blocking blocked_by muting
			muting_notifications requested requested_by domain_blocking endorsed note languages`),
		"notification": strings.Fields("id type created_at account group_key"),
		"list":         strings.Fields("id title replies_policy exclusive"),
		"filter":       strings.Fields("id title context expires_at filter_action keywords statuses"),
		"v1 filter":    strings.Fields("id phrase context whole_word expires_at irreversible"),
		"tag":          strings.Fields("id name url history"),
		"token":        strings.Fields("access_token token_type scope created_at"),
		"app": strings.Fields(`id name website client_id client_secret client_secret_expires_at redirect_uri redirect_uris
			scopes vapid_key`),
		"source": strings.Fields("privacy sensitive language note fields follow_requests_count"),
		"search": strings.Fields("accounts statuses hashtags"),
		"instance_v1": strings.Fields(`uri title short_description description email version urls stats thumbnail languages
			registrations approval_required invites_enabled configuration contact_account rules`),
		"instance_v2": strings.Fields(`domain title version source_url description usage thumbnail icon languages configuration
			registrations contact rules api_versions`),
	}
}

// TestRequiredMembers checks that an empty entity of each kind has every required member, and that
// no list is null.
func TestRequiredMembers(t *testing.T) {
	a := &Encoder{base: "https://example.com", viewerStates: viewerStateTexts()}
	nobody := &linnet.SharedUser{}
	nothing := linnet.StatusView{SharedStatus: &linnet.SharedStatus{By: nobody}}
	entities := map[string]any{
		"status": OneStatus{1, &nothing}, "account": a.Account(&linnet.UserView{}),
		"relationship": RelationshipOf(&linnet.Relationship{}), "notification": OneNotification{1, &linnet.NotificationView{By: nobody}},
		"list": ListOf(&linnet.List{}), "filter": FilterOf(&linnet.Filter{}), "v1 filter": FilterV1Of(&linnet.Filter{}, &linnet.FilterKeyword{}),
		"tag": Tag{History: []HistoryDay{}}, "token": TokenOf(linnet.Token{}),
		"app": CredentialApplication{Application: ApplicationOf(&linnet.App{}, "")}, "source": a.CredentialAccount(&linnet.UserView{}).Source,
		"search": Search{Accounts: []Account{}, Hashtags: []Tag{}, Collections: []Collection{}}, "instance_v1": InstanceV1{}, "instance_v2": InstanceV2{},
	}
	lists := strings.Fields("context keywords statuses emojis fields mentions tags media_attachments filtered roles scopes redirect_uris history")
	for name, members := range requireds() {
		var doc map[string]any
		if err := a.Encode(entities[name], func(b []byte) {
			if err := json.Unmarshal(b, &doc); err != nil {
				t.Fatal(err)
			}
		}); err != nil {
			t.Fatal(err)
		}
		for _, m := range members {
			if _, ok := doc[m]; !ok {
				t.Errorf("%s has no %s", name, m)
			}
		}
		for _, m := range lists {
			if v, ok := doc[m]; ok && v == nil {
				t.Errorf("%s.%s is null", name, m)
			}
		}
	}
}

func TestStatusWithoutViewer(t *testing.T) {
	a := &Encoder{base: "https://example.com", viewerStates: viewerStateTexts()}
	var anon, mine bytes.Buffer
	_ = a.Encode(OneStatus{0, &somePage(5)[4]}, func(b []byte) { anon.Write(b) })
	_ = a.Encode(OneStatus{7, &somePage(5)[4]}, func(b []byte) { mine.Write(b) })
	if bytes.Contains(anon.Bytes(), []byte("favourited\"")) || !bytes.Contains(mine.Bytes(), []byte(`"favourited":true`)) {
		t.Errorf("marks: without viewer %s, with viewer %s", &anon, &mine)
	}
	if !bytes.Contains(anon.Bytes(), []byte("some words & more")) {
		t.Error("HTML is escaped a second time")
	}
}

// BenchmarkEncodePage writes a page of 20 whose statuses were written before.
func BenchmarkEncodePage(b *testing.B) {
	a := &Encoder{base: "https://example.com", viewerStates: viewerStateTexts()}
	page := somePage(20)
	b.ReportAllocs()
	for b.Loop() {
		_ = a.Encode(StatusList{1, page}, func([]byte) {})
	}
}

// BenchmarkEncodeNewPage encodes a page of 20 without caches, as after a restart.
func BenchmarkEncodeNewPage(b *testing.B) {
	a := &Encoder{base: "https://example.com", viewerStates: viewerStateTexts()}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		page := somePage(20)
		b.StartTimer()
		_ = a.Encode(StatusList{1, page}, func([]byte) {})
	}
}
