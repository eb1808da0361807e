package cli

import (
	"io"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestInviteWithCollection checks that an invitation can carry a collection of the inviter.
func TestInviteWithCollection(t *testing.T) {
	_, b := storeWithDeadTasks(t)
	ann, err := b.App.Moderation.CreateUser(t.Context(), linnet.Operator(), linnet.SignUp{Login: "ann", Password: "correct horse", Agreed: true})
	if err != nil {
		t.Fatal(err)
	}
	name := "Birds"
	c, err := b.App.Social.Collections.Create(t.Context(), ann.ID, linnet.CollectionChange{Name: &name}, nil)
	if err != nil {
		t.Fatal(err)
	}
	line, err := parseLine(commands(), []string{"invite", "create", "--by", "ann", "--collection", c.ID.String()})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := line.cmd.act(t.Context(), &call{line: line, stdout: &out, stderr: io.Discard}, b); err != nil {
		t.Fatal(err)
	}
	code := strings.TrimSpace(out.String()[strings.LastIndexByte(out.String(), '/')+1:])
	v, err := b.App.Invites.Check(t.Context(), code)
	if err != nil || v.Collection != c.ID {
		t.Errorf("the invitation is %+v, %v", v, err)
	}
}
