package mastodon_test

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

// nodeinfoDocument has the members that the schemas 2.0 and 2.1 have in common, and no others:
// both forbid additional ones but in metadata. Required members are pointers, which shows whether
// they are present.
// https://nodeinfo.diaspora.software/schema.html
type nodeinfoDocument struct {
	Version   *string
	Software  *struct{ Name, Version *string }
	Protocols *[]string
	Services  *struct{ Inbound, Outbound *[]string }
	Open      *bool `json:"openRegistrations"`
	Usage     *struct {
		Users *struct{ Total, ActiveHalfyear, ActiveMonth *int64 }

		LocalPosts, LocalComments *int64
	}
	Metadata *map[string]any
}

// nodeinfoProtocols are the protocols of both schemas.
var nodeinfoProtocols = strings.Fields("activitypub buddycloud dfrn diaspora libertree ostatus pumpio tent xmpp zot")

// nodeinfoFaults returns violations of the schema of a version in a document.
func nodeinfoFaults(body []byte, version string) (faults []string) {
	expect := func(ok bool, fault string) {
		if !ok {
			faults = append(faults, fault)
		}
	}
	var d nodeinfoDocument
	in := json.NewDecoder(bytes.NewReader(body))
	in.DisallowUnknownFields()
	if err := in.Decode(&d); err != nil {
		return []string{err.Error()}
	}
	if _, err := in.Token(); err != io.EOF {
		faults = append(faults, "more than one document")
	}
	expect(d.Version != nil && *d.Version == version, "version")
	expect(d.Software != nil && d.Software.Name != nil && regexp.MustCompile(`^[a-z0-9-]+$`).MatchString(*d.Software.Name), "software.name")
	expect(d.Software != nil && d.Software.Version != nil, "software.version")
	expect(d.Protocols != nil && len(*d.Protocols) > 0 &&
		!slices.ContainsFunc(*d.Protocols, func(p string) bool { return !slices.Contains(nodeinfoProtocols, p) }), "protocols")
	// Linnet passes nothing on to others and takes nothing from them.
	expect(d.Services != nil && d.Services.Inbound != nil && len(*d.Services.Inbound) == 0, "services.inbound")
	expect(d.Services != nil && d.Services.Outbound != nil && len(*d.Services.Outbound) == 0, "services.outbound")
	expect(d.Open != nil, "openRegistrations")
	expect(d.Metadata != nil, "metadata")
	if d.Usage == nil || d.Usage.Users == nil {
		return append(faults, "usage.users")
	}
	for _, n := range []*int64{d.Usage.Users.Total, d.Usage.Users.ActiveHalfyear, d.Usage.Users.ActiveMonth, d.Usage.LocalPosts, d.Usage.LocalComments} {
		expect(n == nil || *n >= 0, "a count below 0")
	}
	return faults
}

func TestPlainVersion(t *testing.T) {
	for plain, want := range map[bool][3]string{false: {"4.6.0 (compatible; Linnet 0.1.0)", "linnet", "0.1.0"}, true: {"4.6.0", "mastodon", "4.6.0"}} {
		w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{Plain: plain})
		w.run([]step{{do: "GET /api/v1/instance", want: []string{"version=" + want[0]}}, {do: "GET /api/v2/instance", want: []string{"version=" + want[0]}},
			{do: "GET /nodeinfo/2.0", want: []string{"software.name=" + want[1], "software.version=" + want[2]}},
			{do: "GET /nodeinfo/2.1", want: []string{"software.name=" + want[1], "software.version=" + want[2]}}})
	}
}

// Both versions of the document follow their schemas, on an empty, a used and a closed server.
// The check also finds invalid documents.
func TestNodeinfoIsValid(t *testing.T) {
	for _, private := range []bool{false, true} {
		w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann")
		if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Private: &private}); err != nil {
			t.Fatal(err)
		}
		for _, doors := range []bool{true, false} {
			openDoors(doors)(w)
			w.run([]step{{as: "ann", do: "POST /api/v1/statuses", body: "status=x"}})
			for _, version := range []string{"2.0", "2.1"} {
				w.call("", "GET /nodeinfo/"+version, "", "")
				if faults := nodeinfoFaults(w.last.Body.Bytes(), version); len(faults) > 0 {
					t.Errorf("%s (private: %v): %v in %s", version, private, faults, w.last.Body)
				}
			}
		}
	}
	good := `{"version":"2.1","software":{"name":"a","version":"1"},"protocols":["zot"],"services":{"inbound":[],"outbound":[]},"openRegistrations":true,"usage":{"users":{}},"metadata":{}}`
	if faults := nodeinfoFaults([]byte(good), "2.1"); len(faults) > 0 {
		t.Errorf("what is valid: %v", faults)
	}
	for _, change := range [][2]string{{`"2.1"`, `"2.0"`}, {`"a"`, `"A b"`}, {`"zot"`, ``}, {`"zot"`, `"mastodon"`}, {`"inbound":[],`, ``}, {`"openRegistrations":true,`, ``},
		{`"users":{}`, `"users":{"total":-1}`}, {`"users":{}`, `"users":{"total":1.5}`}, {`"users":{}`, ``}, {`,"metadata":{}`, ``}, {`"metadata":{}`, `"metadata":{},"more":1`}, {`"version":"1"`, `"version":"1","homepage":{}`}} {
		if bad := strings.Replace(good, change[0], change[1], 1); len(nodeinfoFaults([]byte(bad), "2.1")) == 0 {
			t.Errorf("nothing is found in %s", bad)
		}
	}
}
