package admin

import (
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/moderation"
)

// blockHandler handles sign-up blocks. Without federation there are no blocks of domains.
// https://docs.joinmastodon.org/methods/admin/ip_blocks/
type blockHandler struct {
	core       *core.Service
	moderation *moderation.Service
}

func (h *blockHandler) routes() []request.Route {
	var all []request.Route
	add := func(pattern, scope string, handle request.Handler) {
		all = append(all, request.Handle(pattern, request.User(scope), staff(h.core, linnet.ManageBlocks, handle)))
	}
	for name, k := range map[string]blockForm{"email_domain_blocks": emailBlocks(), "ip_blocks": ipBlocks(), "canonical_email_blocks": canonicalBlocks()} {
		path, read, write := " /api/v1/admin/"+name, "admin:read:"+name, "admin:write:"+name
		add("GET"+path, read, h.list(k))
		add("POST"+path, write, h.create(k))
		add("GET"+path+"/{id}", read, h.get(k))
		add("DELETE"+path+"/{id}", write, h.delete(k))
	}
	add("PUT /api/v1/admin/ip_blocks/{id}", "admin:write:ip_blocks", h.updateIP)
	add("POST /api/v1/admin/canonical_email_blocks/test", "admin:read:canonical_email_blocks", h.testEmail)
	return all
}

// blockForm decodes and encodes a kind of sign-up block.
type blockForm struct {
	kind linnet.BlockKind
	read func(in *request.Input, b *linnet.SignUpBlock, holds *time.Duration) // of a request
	wire func(b *linnet.SignUpBlock) any
}

func emailBlocks() blockForm {
	return blockForm{linnet.BlockEmail, func(in *request.Input, b *linnet.SignUpBlock, _ *time.Duration) {
		b.Value, b.Ask = in.Required("domain"), in.Flag("allow_with_approval")
	}, func(b *linnet.SignUpBlock) any {
		out := wire.EmailDomainBlock{ID: b.ID.String(), Domain: b.Value, AllowApproval: b.Ask, CreatedAt: wire.Timestamp(b.ID.Time())}
		for i := range 7 {
			day := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -i)
			out.History = append(out.History, wire.HistoryDayOf(day, 0, 0))
		}
		return out
	}}
}

func ipBlocks() blockForm {
	return blockForm{linnet.BlockAddress, func(in *request.Input, b *linnet.SignUpBlock, holds *time.Duration) {
		b.Value, b.Note = in.Required("ip"), in.String("comment")
		b.Ask = severity(in, in.Required("severity"))
		*holds = time.Duration(in.Number("expires_in")) * time.Second
	}, func(b *linnet.SignUpBlock) any {
		out := wire.IPBlock{ID: b.ID.String(), IP: b.Value, Severity: wire.SeverityBlock, Comment: b.Note, CreatedAt: wire.Timestamp(b.ID.Time()), ExpiresAt: wire.OptionalTime(b.Expires)}
		if b.Ask {
			out.Severity = wire.SeverityApproval
		}
		return out
	}}
}

// severity parses a severity. It returns true if a moderator decides about sign-ups.
func severity(in *request.Input, s string) (ask bool) {
	if s != "" && s != wire.SeverityApproval && s != wire.SeverityBlock {
		in.Fault("severity", "must be sign_up_requires_approval or sign_up_block")
	}
	return s == wire.SeverityApproval
}

func canonicalBlocks() blockForm {
	return blockForm{linnet.BlockCanonical, func(in *request.Input, b *linnet.SignUpBlock, _ *time.Duration) {
		if b.Value = in.String("email"); b.Value == "" {
			b.Value = in.Required("canonical_email_hash")
		}
	}, func(b *linnet.SignUpBlock) any { return wire.CanonicalEmailBlock{ID: b.ID.String(), Hash: b.Value} }}
}

// blocks returns the blocks of a kind.
func (h *blockHandler) blocks(r *request.Request, kind linnet.BlockKind) ([]linnet.SignUpBlock, error) {
	all, err := h.moderation.SignUpBlocks.List(r.Context(), r.Actor())
	all = slices.DeleteFunc(slices.Clone(all), func(b linnet.SignUpBlock) bool { return b.Kind != kind })
	return all, err
}

// list returns the handler that lists the blocks of a kind. They are few enough to be read
// together.
func (h *blockHandler) list(k blockForm) request.Handler {
	return func(r *request.Request) (any, error) {
		all, err := h.blocks(r, k.kind)
		if err != nil {
			return nil, err
		}
		all, err = idPage(r, all, func(b *linnet.SignUpBlock) linnet.ID { return b.ID })
		return wire.Each(all, k.wire), err
	}
}

func (h *blockHandler) create(k blockForm) request.Handler {
	return func(r *request.Request) (any, error) {
		b, holds := linnet.SignUpBlock{Kind: k.kind}, time.Duration(0)
		k.read(r.In, &b, &holds)
		if err := r.In.Err(); err != nil {
			return nil, err
		}
		made, err := h.moderation.SignUpBlocks.Add(r.Context(), r.Actor(), b, holds)
		if err != nil {
			return nil, err
		}
		return k.wire(&made), nil
	}
}

// block returns the block in the path if it is of a kind.
func (h *blockHandler) block(r *request.Request, kind linnet.BlockKind) (linnet.SignUpBlock, error) {
	id, err := r.PathID()
	if err != nil {
		return linnet.SignUpBlock{}, err
	}
	b, err := h.moderation.SignUpBlocks.Get(r.Context(), r.Actor(), id)
	if err == nil && b.Kind != kind {
		err = request.ErrNotFound()
	}
	return b, err
}

func (h *blockHandler) get(k blockForm) request.Handler {
	return func(r *request.Request) (any, error) {
		b, err := h.block(r, k.kind)
		if err != nil {
			return nil, err
		}
		return k.wire(&b), nil
	}
}

func (h *blockHandler) delete(k blockForm) request.Handler {
	return func(r *request.Request) (any, error) {
		b, err := h.block(r, k.kind)
		if err != nil {
			return nil, err
		}
		return wire.Empty{}, h.moderation.SignUpBlocks.Remove(r.Context(), r.Actor(), b.ID)
	}
}

// updateIP changes the parameters that are present.
// https://docs.joinmastodon.org/methods/admin/ip_blocks/#update
func (h *blockHandler) updateIP(r *request.Request) (any, error) {
	was, err := h.block(r, linnet.BlockAddress)
	if err != nil {
		return nil, err
	}
	ip, comment, how := r.In.OptString("ip"), r.In.OptString("comment"), r.In.OptString("severity")
	var holds *time.Duration
	if r.In.Has("expires_in") {
		holds = new(time.Duration(r.In.Number("expires_in")) * time.Second)
	}
	if how != nil {
		severity(r.In, *how)
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	b, err := h.moderation.SignUpBlocks.Change(r.Context(), r.Actor(), was.ID, holds, func(b *linnet.SignUpBlock) {
		if ip != nil {
			b.Value = *ip
		}
		if comment != nil {
			b.Note = *comment
		}
		if how != nil && *how != "" {
			b.Ask = *how == wire.SeverityApproval
		}
	})
	if err != nil {
		return nil, err
	}
	return ipBlocks().wire(&b), nil
}

// testEmail lists the blocks that match an e-mail address.
// https://docs.joinmastodon.org/methods/admin/canonical_email_blocks/#test
func (h *blockHandler) testEmail(r *request.Request) (any, error) {
	email := r.In.Required("email")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	all, err := h.blocks(r, linnet.BlockCanonical)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(b linnet.SignUpBlock) bool { return !b.Applies(&linnet.SignUp{Email: email}) })
	return wire.Each(all, canonicalBlocks().wire), nil
}
