package rules

import (
	"go/ast"
	"os"
	"testing"
)

func TestActors(t *testing.T) {
	for method, bad := range map[string]bool{
		"(s *Service) Warn(ctx context.Context, by linnet.Actor, on linnet.ID) {}": false,
		"(s Service) Warn(context.Context, linnet.Actor) {}":                       false,
		"(s *Service) Warn(ctx context.Context, by linnet.ID) {}":                  true,
		"(s *Service) Warn(ctx context.Context, on linnet.ID, by linnet.Actor) {}": true,
		"(s *Service) Warn(by linnet.Actor, ctx context.Context) {}":               true,
		"(s *Service) Warn(ctx, other context.Context, by linnet.Actor) {}":        true,
		"(s *Service) Warn(ctx context.Context) {}":                                true,
		"(s *Service) Warn(on linnet.ID) {}":                                       false,
		"(s *Service) warn(ctx context.Context) {}":                                false,
		"(m *mail) Warn(ctx context.Context) {}":                                   false,
		"(m *Mail) Warn(ctx context.Context) {}":                                   true,
		"(m *Mail) Report(ctx context.Context, me linnet.ID) {}":                   true,
		"Warn(ctx context.Context) {}":                                             false,
		"(s *Service) Report(ctx context.Context, me linnet.ID) {}":                false,
		"(s *Service) Reports(ctx context.Context, me linnet.ID) {}":               true,
	} {
		src := "package moderation\nfunc " + method + "\n"
		got := breaches(t, map[string]string{"internal/moderation/a.go": src, "internal/moderation/a_test.go": src, "internal/social/a.go": src}, Actors)
		if !bad {
			want(t, got)
		} else {
			want(t, got, "internal/moderation/a.go:2: ")
		}
	}
}

// TestActorless checks that the exceptions of the rule exist and have a reason.
func TestActorless(t *testing.T) {
	files, err := Load(os.DirFS("../moderation"))
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, f := range files {
		for _, d := range f.AST.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				there[receiver(fn)+"."+fn.Name.Name] = true
			}
		}
	}
	for name, reason := range actorless() {
		if !there[name] || reason == "" {
			t.Errorf("exception %s: exists %v, reason %q", name, there[name], reason)
		}
	}
}
