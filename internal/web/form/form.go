package form

import (
	"cmp"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

// Form is a POST form. It starts with the current values. After an error it has the submitted ones.
type Form struct {
	Action string
	Button string
	Label  string // accessible name of the button if its text isn't enough; "" otherwise
	Small  bool   // a button without a frame
	Grave  bool   // the action can't be undone, or harms a user
	Hidden [][2]string
	Fields []Field
	Inputs map[string]page.FormField // inputs by the field names of the service, where these differ
	Errors page.FieldErrors

	C *page.Context
}

// New returns a form that sends its fields to action.
func New(c *page.Context, action, button string, fields ...Field) *Form {
	return &Form{Action: action, Button: button, Fields: fields, C: c}
}

// Button returns a form with one button and hidden values.
func Button(c *page.Context, action, text, label string, sends ...string) *Form {
	f := &Form{Action: action, Button: text, Label: label, Small: true, C: c}
	for i := 0; i+1 < len(sends); i += 2 {
		f.Hidden = append(f.Hidden, [2]string{sends[i], sends[i+1]})
	}
	return f
}

// Kinds of field.
const (
	LineField     = "line"
	PasswordField = "password" // of the reader; never filled in again
	AreaField     = "area"
	NumberField   = "number"
	TimeField     = "time" // in UTC
	CheckField    = "check"
	SelectField   = "select"
	ChecksField   = "checks" // several checkboxes with the same name
	FileField     = "file"   // a picture, unless Accept says otherwise
	HeadingField  = "head"   // heading of a section, with Label
)

// Field is an input and its label.
type Field struct {
	Kind, Name, Label, Hint string
	Value                   string
	On                      bool // whether the checkbox is checked
	Choices                 []Choice
	Most                    int // maximum number of characters, or maximum of a number; 0 for none
	Rows                    int
	Required                bool
	Accept                  string // media types that a file dialogue offers
	Frame                   string // how a picture is cropped: circle, square, banner or link (as in link previews); "" for none
	Picture                 string // address of the current picture in the frame
	Half                    bool   // shares a line with the next field if there is room
	Error                   string
}

// Choice is an option of a select, or one of several checkboxes.
type Choice struct {
	Value, Label string
	On           bool
	Foreign      bool // Label isn't in the reader's language, such as a rule; only for checkboxes
}

// ID returns the id of the input on the page.
func (f Field) ID() string { return "f-" + f.Name }

// accepts returns the media types that a file dialogue offers.
func (f Field) accepts() string { return cmp.Or(f.Accept, ui.PictureTypes) }

// described links the input to its hint and its error.
func (f Field) described() templ.OrderedAttributes {
	return ui.DescribedBy(f.ID(), f.Hint != "", f.Error)
}

// Options returns the choices of a select from pairs of value and label, with the current one
// selected.
func Options(now string, pairs ...string) (out []Choice) {
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, Choice{Value: pairs[i], Label: pairs[i+1], On: pairs[i] == now})
	}
	return out
}

// fieldGroup has the fields below a heading. The fields before the first heading have none.
type fieldGroup struct {
	Head   Field
	Fields []Field
}

// groups splits the fields at the headings.
func (f *Form) groups() (out []fieldGroup) {
	for _, x := range f.Fields {
		if x.Kind == HeadingField {
			out = append(out, fieldGroup{Head: x})
			continue
		}
		if len(out) == 0 {
			out = append(out, fieldGroup{})
		}
		last := &out[len(out)-1]
		last.Fields = append(last.Fields, x)
	}
	return out
}

// hasSections reports whether the form has sections.
func (f *Form) hasSections() bool {
	return slices.ContainsFunc(f.Fields, func(x Field) bool { return x.Kind == HeadingField })
}

// invalidFields returns the fields with an error.
func (f *Form) invalidFields() (out []Field) {
	for _, x := range f.Fields {
		if x.Error != "" {
			out = append(out, x)
		}
	}
	return out
}

// hasFileInput reports whether the form has a file input.
func (f *Form) hasFileInput() bool {
	return slices.ContainsFunc(f.Fields, func(x Field) bool { return x.Kind == FileField })
}

// Refill sets the submitted values and their errors.
func (f *Form) Refill(typed url.Values, errs page.FieldErrors) {
	f.Errors = errs
	for i := range f.Fields {
		x := &f.Fields[i]
		x.Error = errs[x.Name]
		switch x.Kind {
		case PasswordField, FileField, HeadingField:
		case CheckField:
			x.On = typed.Get(x.Name) != ""
		case SelectField, ChecksField:
			for j := range x.Choices {
				x.Choices[j].On = slices.Contains(typed[x.Name], x.Choices[j].Value)
			}
		default:
			x.Value = typed.Get(x.Name)
		}
	}
}

// Refused reports whether err is about the submitted values. If so, it refills the form with them.
func (f *Form) Refused(err error) bool {
	var errs page.FieldErrors
	if !errors.As(err, &errs) {
		errs = page.FieldErrors{}
		inputs := map[string]page.FormField{}
		for _, x := range f.Fields {
			inputs[x.Name] = page.FormField{Name: x.Name, Subject: x.Label}
		}
		maps.Copy(inputs, f.Inputs)
		if !errs.Add(f.C, err, inputs) {
			return false
		}
	}
	f.Refill(f.C.Request.PostForm, errs)
	return true
}

// isSubmitted reports whether the request submits this form. If a page has several forms, they
// differ in the hidden value "do".
func (f *Form) isSubmitted() bool {
	do := ""
	for _, h := range f.Hidden {
		if h[0] == "do" {
			do = h[1]
		}
	}
	return f.C.Typed("do") == do
}

// Checked reports whether a checkbox of the submitted form is checked.
func Checked(c *page.Context, name string) *bool {
	on := c.Request.PostForm.Get(name) != ""
	return &on
}

// Text returns a submitted text without surrounding blanks.
func Text(c *page.Context, name string) *string {
	s := c.Typed(name)
	return &s
}

// Number parses a submitted number; "" is 0. It adds an error to errs for anything else.
func Number(c *page.Context, name string, errs page.FieldErrors) int {
	s := c.Typed(name)
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		errs[name] = c.Tr("This isn't a number.")
		return 0
	}
	return n
}

// AtMostCharacters returns the text about a maximum length.
func AtMostCharacters(c *page.Context, most int64) string {
	return c.Trn(most, "At most %s character.", "At most %s characters.")
}
