package form

import (
	"net/url"
	"testing"

	"linnet/internal/linnet"
)

// A refused form has the submitted values and the errors next to their inputs, except passwords.
func TestRefused(t *testing.T) {
	c := englishContext()
	c.Request.PostForm = url.Values{"title": {"a"}, "colour": {"blue"}, "on": {"1"}, "password": {"secret"}}
	f := New(c, "/x", "Save", Field{Kind: LineField, Name: "title", Label: "Title", Value: "old"}, Field{Kind: SelectField, Name: "colour", Label: "Colour", Choices: Options("red", "red", "Red", "blue", "Blue")},
		Field{Kind: CheckField, Name: "on", Label: "On"}, Field{Kind: PasswordField, Name: "password", Label: "Password"})
	if f.Refused(linnet.Errorf(linnet.Forbidden, "You can't do this.")) || f.Fields[0].Value != "old" {
		t.Errorf("another error refills the form: %+v", f.Fields)
	}
	if !f.Refused(linnet.FieldError("title", "ERR_TOO_SHORT", "is too short")) {
		t.Fatal("an error of an input is not shown")
	}
	title, colour, on, password := f.Fields[0], f.Fields[1], f.Fields[2], f.Fields[3]
	if title.Value != "a" || title.Error != "Title is too short." || !colour.Choices[1].On || colour.Choices[0].On || !on.On || password.Value != "" {
		t.Errorf("%+v", f.Fields)
	}
}

// Buttons of a page with another hidden "do" don't submit its form.
func TestIsSubmitted(t *testing.T) {
	for do, want := range map[string][2]bool{"": {true, false}, "delete": {false, true}, "publish": {false, false}} {
		c := englishContext()
		c.Request.PostForm = url.Values{"do": {do}}
		main, button := New(c, "/x", "Save"), Button(c, "/x", "Delete", "", "do", "delete")
		if main.isSubmitted() != want[0] || button.isSubmitted() != want[1] {
			t.Errorf("do=%q: %v, %v", do, main.isSubmitted(), button.isSubmitted())
		}
	}
}
