package record

import (
	"strconv"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Format is the version of the records and keys that this program writes. It reads all earlier
// ones. It rises whenever an older program would misread the records. Format 2 has records that the
// first release considers inconsistent.
const Format = 2

type FormatRecord struct {
	Format int `json:"format"`
}

type Instance struct {
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Contact     string   `json:"contact,omitempty"`
	ContactUser JID      `json:"contact_user,omitempty"`
	Rules       []string `json:"rules,omitempty"`
	Open        bool     `json:"open"` // for programs that do not know Registrations
	Private     bool     `json:"private,omitempty"`
	NoTrends    bool     `json:"no_trends,omitempty"`
	Cards       bool     `json:"cards,omitempty"`

	Registrations linnet.Registrations `json:"registrations,omitempty"`
	EmailRequired bool                 `json:"email_required,omitempty"`
	StaffSecured  bool                 `json:"staff_secured,omitempty"`
	NewDays       *int                 `json:"new_days,omitempty"` // nil: linnet.DefaultNewDays
	Invites       int                  `json:"invites,omitempty"`
	Privacy       string               `json:"privacy,omitempty"`
	PrivacyAt     time.Time            `json:"privacy_at,omitzero"`
	Terms         []string             `json:"terms,omitempty"`
	AccentLight   string               `json:"accent_light,omitempty"`
	AccentDark    string               `json:"accent_dark,omitempty"`
	Style         string               `json:"style,omitempty"`        // the hash of the style sheet
	StatusChars   int                  `json:"status_chars,omitempty"` // 0: linnet.StatusChars; the same for the next two
	InviteUses    int                  `json:"invite_uses,omitempty"`
	InviteDays    int                  `json:"invite_days,omitempty"`
	Icon          Picture              `json:"icon,omitzero"`
	Thumbnail     Picture              `json:"thumbnail,omitzero"`
	ThumbnailAlt  string               `json:"thumbnail_alt,omitempty"`
	Questions     []SignUpQuestion     `json:"questions,omitempty"`
}

// SignUpQuestion is a question in the sign-up form.
type SignUpQuestion struct {
	Ask     string   `json:"ask"`
	Answers []string `json:"answers"`
}

// Picture is a picture of the instance.
type Picture struct {
	Name     string `json:"name"`
	Small    string `json:"small,omitempty"`
	Blurhash string `json:"blurhash,omitempty"`
}

func Month(t time.Time) int64 { return int64(t.UTC().Year()*100) + int64(t.UTC().Month()) }

func ActiveName(t time.Time) string { return "active." + strconv.FormatInt(Month(t), 10) }

func ActiveKey(user linnet.ID) kv.Key { return ShardKey(KindActive, user.Shard()) }

func AdminKey() kv.Key { return MetaKey("admin") }

func SetupKey() kv.Key { return ShardKey(KindSetup, 0) }

func ImportKey(name string) kv.Key { return MetaKey("import." + name) }

// Setup is the state of the initial setup.
type Setup struct {
	Hash    string    // of the current token, or ""
	Expires time.Time // of that token
	Admin   linnet.ID // 0 without an administrator
}

type SetupRecord struct {
	Hash    string `json:"hash"`
	Expires int64  `json:"expires"`
	Held    int64  `json:"held,omitempty"` // end of a running attempt
}

type Admin struct {
	User JID `json:"user"`
}

// Import records sample data that tools/seed created.
type Import struct {
	Source string `json:"source"`
	Base   int64  `json:"base"`
	Seed   uint64 `json:"seed"`
	Done   bool   `json:"done"`
}

// ImportPrefix is the prefix of the names of these records among the settings.
const ImportPrefix = "import."

// KindTerms is the kind of the terms of service.
const KindTerms = "terms"

func termsKeys() []KeyDoc {
	return []KeyDoc{{KindStyle, "value", "custom", "custom style sheet, JSON; the instance settings contain its hash (shard 0)", "20,000 bytes", "", noSecret()}, {KindTerms, "value", "day", "terms of service from that day on, JSON; the instance settings list the days (shard 0)", "50 of 20,000 characters", "", noSecret()}}
}

// KindStyle is the kind of the custom style sheet.
const KindStyle = "style"

// StyleKey is in the shard of the instance's texts, so that both are written together.
func StyleKey() kv.Key { return kv.Key{Kind: KindStyle, ID: "custom"} }

// Style is the custom style sheet.
type Style struct {
	Text string `json:"text"`
}

// TermsKey is in the shard of the instance's texts, so that both are written together.
func TermsKey(day string) kv.Key { return kv.Key{Kind: KindTerms, ID: day} }

// Terms is the text of terms of service.
type Terms struct {
	Text string `json:"text"`
}

// SignUpBlocksKey holds all sign-up blocks.
func SignUpBlocksKey() kv.Key { return MetaKey("signup-blocks") }

// SignUpBlock is a sign-up block.
type SignUpBlock struct {
	ID      JID    `json:"id"`
	Kind    string `json:"kind"`
	Value   string `json:"value"`
	Ask     bool   `json:"ask,omitempty"`
	Note    string `json:"note,omitempty"`
	By      JID    `json:"by,omitempty"`
	Expires int64  `json:"expires,omitempty"` // Unix milliseconds
}

// DecodeSignUpBlocks decodes all sign-up blocks. There may be none.
func DecodeSignUpBlocks(get *kv.Get) (all []linnet.SignUpBlock, err error) {
	if get.Version == 0 {
		return nil, nil
	}
	var rs []SignUpBlock
	err = Decode(get, &rs)
	for _, r := range rs {
		b := linnet.SignUpBlock{ID: linnet.ID(r.ID), Kind: linnet.BlockKind(r.Kind), Value: r.Value, Ask: r.Ask, Note: r.Note, By: linnet.ID(r.By)}
		if r.Expires != 0 {
			b.Expires = time.UnixMilli(r.Expires)
		}
		all = append(all, b)
	}
	return all, err
}

// EncodeSignUpBlocks encodes all sign-up blocks.
func EncodeSignUpBlocks(all []linnet.SignUpBlock) []byte {
	rs := make([]SignUpBlock, len(all))
	for i, b := range all {
		rs[i] = SignUpBlock{ID: JID(b.ID), Kind: string(b.Kind), Value: b.Value, Ask: b.Ask, Note: b.Note, By: JID(b.By)}
		if !b.Expires.IsZero() {
			rs[i].Expires = b.Expires.UnixMilli()
		}
	}
	return Encode(rs)
}

// RolesKey holds all custom roles. Its version shows whether they have changed.
func RolesKey() kv.Key { return MetaKey("roles") }

// TagRulesKey holds the rules of all restricted tags. Its version shows whether they have changed.
func TagRulesKey() kv.Key { return MetaKey("tag-rules") }

// TagRule restricts a tag.
type TagRule struct {
	Name     string `json:"name"`
	Unusable bool   `json:"unusable,omitempty"`
	Unlisted bool   `json:"unlisted,omitempty"`
}

// DecodeTagRules decodes the rules of all restricted tags. There may be none.
func DecodeTagRules(get *kv.Get) (*linnet.TagRules, error) {
	set := &linnet.TagRules{Version: get.Version}
	if get.Version == 0 {
		return set, nil
	}
	var rs []TagRule
	err := Decode(get, &rs)
	for _, r := range rs {
		set.Rules = append(set.Rules, linnet.TagRule(r))
	}
	return set, err
}

// EncodeTagRules encodes the rules of all restricted tags.
func EncodeTagRules(all []linnet.TagRule) []byte {
	rs := make([]TagRule, len(all))
	for i, r := range all {
		rs[i] = TagRule(r)
	}
	return Encode(rs)
}

// CustomRole is a custom role.
type CustomRole struct {
	ID          JID               `json:"id"`
	Name        string            `json:"name"`
	Colour      string            `json:"colour,omitempty"`
	Highlighted bool              `json:"highlighted,omitempty"`
	Permissions linnet.Permission `json:"permissions,omitempty"`
}

// DecodeRoles decodes all custom roles. There may be none.
func DecodeRoles(get *kv.Get) (*linnet.RoleSet, error) {
	set := &linnet.RoleSet{Version: get.Version}
	if get.Version == 0 {
		return set, nil
	}
	var rs []CustomRole
	err := Decode(get, &rs)
	for _, r := range rs {
		set.Roles = append(set.Roles, linnet.CustomRole{ID: linnet.ID(r.ID), Name: r.Name, Colour: r.Colour, Highlighted: r.Highlighted, Permissions: r.Permissions})
	}
	return set, err
}

// EncodeRoles encodes all custom roles.
func EncodeRoles(all []linnet.CustomRole) []byte {
	rs := make([]CustomRole, len(all))
	for i, r := range all {
		rs[i] = CustomRole{JID(r.ID), r.Name, r.Colour, r.Highlighted, r.Permissions}
	}
	return Encode(rs)
}
