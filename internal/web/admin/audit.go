package admin

import (
	"cmp"
	"strconv"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
	"linnet/internal/wording"
)

func (h *Pages) auditLog(c *page.Context) (*form.Page, error) {
	list, err := h.Moderation.Acts(c.Request.Context(), c.Actor(), form.ListPage(c))
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Audit log"), Head: []string{c.Tr("When"), c.Tr("Who"), c.Tr("Action"), c.TrIn("object of an act", "Target"), c.Tr("Details"), c.Tr("Reason")}, Empty: c.Tr("No entries yet.")}
	words := actWords(c)
	for _, a := range list.Items {
		by, on, detail := form.MessageCell(c.Tr("command line")), form.TextCell(""), detailCell(c, a.Detail)
		if a.By != 0 {
			by = accountCell(c, a.ByUser)
		}
		if a.On != 0 {
			on = accountCell(c, a.OnUser)
		}
		if a.Report != 0 {
			detail = detail.With(form.LinkCell(c.TrIn("noun", "Report"), paths.AdminReports+"/"+a.Report.String()))
		}
		t.Rows = append(t.Rows, []form.Cell{form.TimeCell(a.At), by, form.MessageCell(cmp.Or(words[a.Act.Act], strings.ReplaceAll(string(a.Act.Act), "_", " "))), on, detail, form.TextCell(a.Reason)})
	}
	return &form.Page{Title: c.Tr("Audit log"), Path: "/admin/audit", Lead: c.Tr("Actions by moderators and administrators, newest first. The last 20,000 actions are stored."),
		Parts: []form.Section{{Table: t, Older: form.OlderPath(c, list.Last)}}}, nil
}

// detailCell returns the detail of an action in the reader's language. Those of earlier releases
// are English.
func detailCell(c *page.Context, detail string) form.Cell {
	m := wording.Message(detail)
	if _, _, said := m.Parts(); said {
		return form.MessageCell(c.Message(m))
	}
	return form.TextCell(detail)
}

// actWords returns the actions of staff in words.
func actWords(c *page.Context) map[linnet.Moderation]string {
	return map[linnet.Moderation]string{
		linnet.Note:                c.TrIn("act", "add note"),
		linnet.Warn:                c.TrIn("act", "warn"),
		linnet.DeletePosts:         c.TrIn("act", "delete posts"),
		linnet.MarkSensitive:       c.TrIn("act", "mark posts as sensitive"),
		linnet.RemovePicture:       c.TrIn("act", "remove picture"),
		linnet.ApproveAppeal:       c.TrIn("act", "approve appeal"),
		linnet.RejectAppeal:        c.TrIn("act", "reject appeal"),
		linnet.Suspend:             c.TrIn("act", "suspend"),
		linnet.Unsuspend:           c.TrIn("act", "unsuspend"),
		linnet.Silence:             c.TrIn("act", "silence"),
		linnet.Unsilence:           c.TrIn("act", "undo silence"),
		linnet.Sensitize:           c.TrIn("act", "mark as sensitive"),
		linnet.Unsensitize:         c.TrIn("act", "unmark as sensitive"),
		linnet.Disable:             c.TrIn("act", "disable"),
		linnet.Enable:              c.TrIn("act", "enable"),
		linnet.Approve:             c.TrIn("act", "approve"),
		linnet.Reject:              c.TrIn("act", "reject"),
		linnet.GiveRole:            c.TrIn("act", "assign role"),
		linnet.Remove:              c.TrIn("act", "delete account"),
		linnet.EditGroup:           c.TrIn("act", "edit group"),
		linnet.HideTrend:           c.TrIn("act", "hide trend"),
		linnet.ShowTrend:           c.TrIn("act", "show trend"),
		core.ActSettings:           c.TrIn("act", "change settings"),
		core.ActCreate:             c.TrIn("act", "create account"),
		core.ActInvite:             c.TrIn("act", "create invitation"),
		core.ActRevoke:             c.TrIn("act", "revoke invitation"),
		core.ActRetry:              c.TrIn("act", "retry task"),
		core.ActDrop:               c.TrIn("act", "discard task"),
		core.ActBackup:             c.TrIn("act", "back up"),
		core.ActPassword:           c.TrIn("act", "set password"),
		core.ActTwoFactor:          c.TrIn("act", "turn off two-factor authentication"),
		core.ActResetLink:          c.TrIn("act", "create password reset link"),
		core.ActTwoFactorLink:      c.TrIn("act", "create 2FA reset link"),
		core.ActAddEmoji:           c.TrIn("act", "add emoji"),
		core.ActChangeEmoji:        c.TrIn("act", "change emoji"),
		core.ActDeleteEmoji:        c.TrIn("act", "delete emoji"),
		core.ActAnnounce:           c.TrIn("act", "announce"),
		core.ActEditAnnouncement:   c.TrIn("act", "edit announcement"),
		core.ActPublish:            c.TrIn("act", "publish announcement"),
		core.ActUnpublish:          c.TrIn("act", "unpublish announcement"),
		core.ActDeleteAnnouncement: c.TrIn("act", "delete announcement"),
		core.ActExport:             c.TrIn("act", "export data"),
		core.ActImport:             c.TrIn("act", "import posts"),
		core.ActBlockSignUp:        c.TrIn("act", "block sign-up"),
		core.ActUnblockSignUp:      c.TrIn("act", "unblock sign-up"),
		core.ActAddRole:            c.TrIn("act", "add role"),
		core.ActChangeRole:         c.TrIn("act", "change role"),
		core.ActDeleteRole:         c.TrIn("act", "delete role"),
		core.ActChangeTag:          c.TrIn("act", "change hashtag"),
		core.IssueTokens:           c.TrIn("act", "issue tokens"),
		core.ImportWorld:           c.TrIn("act", "import data"),
	}
}

func (h *Pages) tasks(c *page.Context) (*form.Page, error) {
	waiting, dead, err := h.Moderation.Server.Tasks(c.Request.Context(), c.Actor())
	if err != nil {
		return nil, err
	}
	kinds := &form.Table{Caption: c.Tr("Waiting tasks"), Head: []string{c.Tr("Type"), c.Tr("Waiting"), c.Tr("Next due")}, Empty: c.Tr("No tasks are waiting.")}
	for _, q := range waiting {
		kinds.Rows = append(kinds.Rows, []form.Cell{form.TextCell(q.Kind), form.CountCell(int64(q.Tasks)), form.TimeCell(q.Oldest.At)})
	}
	gone := &form.Table{Caption: c.Tr("Failed tasks"), Head: []string{c.Tr("Type"), c.Tr("Details"), c.Tr("Attempts"), c.Tr("Last error"), c.Tr("Since"), ""}, Empty: c.Tr("No failed tasks.")}
	for _, t := range dead {
		sends := []string{"task", t.ID, "shard", strconv.Itoa(int(t.Shard))}
		gone.Rows = append(gone.Rows, []form.Cell{form.TextCell(t.Kind), form.TextCell(ui.Truncate(string(t.Args), 200)), form.CountCell(int64(t.Tries)), form.TextCell(ui.Truncate(t.Cause, 500)), form.TimeCell(t.At),
			{Forms: []*form.Form{form.Button(c, "/admin/tasks", c.Tr("Retry"), c.Tr("Retry task %s", t.ID), append(sends, "do", "retry")...),
				form.Button(c, "/admin/tasks", c.Tr("Discard"), c.Tr("Discard task %s", t.ID), append(sends, "do", "drop")...)}}})
	}
	return &form.Page{Title: c.Tr("Tasks"), Path: "/admin/tasks", Lead: c.Tr("Background tasks of all servers. At most 500 waiting and 500 failed tasks are shown."),
		Parts: []form.Section{{Title: c.Tr("Waiting"), Table: kinds}, {Title: c.Tr("Failed after 5 attempts"), Table: gone}}}, nil
}

func (h *Pages) resolveTask(c *page.Context) (string, error) {
	shard, err := strconv.ParseUint(c.Typed("shard"), 10, 16)
	if err != nil {
		return "", page.NotFound()
	}
	do := h.Moderation.Server.RetryTask
	switch c.Typed("do") {
	case "retry":
	case "drop":
		do = h.Moderation.Server.DropTask
	default:
		return "", page.NotFound()
	}
	return form.Saved("/admin/tasks"), do(c.Request.Context(), c.Actor(), uint16(shard), c.Typed("task"))
}
