package web

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
	"linnet/internal/wording"
)

func (h *adminPages) auditLog(c *call) error {
	list, err := h.moderation.Acts(c.r.Context(), c.by(), tablePage(c))
	if err != nil {
		return err
	}
	t := &table{Caption: c.tr("Audit log"), Head: []string{c.tr("When"), c.tr("Who"), c.tr("Action"), c.trIn("object of an act", "Target"), c.tr("Details"), c.tr("Reason")}, Empty: c.tr("No entries yet.")}
	words := actWords(c)
	for _, a := range list.Items {
		by, on, detail := saidCell(c.tr("command line")), textCell(""), detailCell(c, a.Detail)
		if a.By != 0 {
			by = accountCell(c, a.ByUser)
		}
		if a.On != 0 {
			on = accountCell(c, a.OnUser)
		}
		if a.Report != 0 {
			detail = detail.with(linkCell(c.trIn("noun", "Report"), paths.AdminReports+"/"+a.Report.String()))
		}
		t.Rows = append(t.Rows, []cell{timeCell(a.At), by, saidCell(cmp.Or(words[a.Act.Act], strings.ReplaceAll(string(a.Act.Act), "_", " "))), on, detail, textCell(a.Reason)})
	}
	return showAdmin(c, http.StatusOK, c.tr("Audit log"), "/admin/audit", formPage{Lead: c.tr("Actions by moderators and administrators, newest first. The last 20,000 are stored."),
		Parts: []formSection{{Table: t, Older: older(c, list.Last)}}})
}

// detailCell returns the detail of an action in the reader's language. Those of earlier releases
// are English.
func detailCell(c *call, detail string) cell {
	m := wording.Message(detail)
	if _, _, said := m.Parts(); said {
		return saidCell(c.said(m))
	}
	return textCell(detail)
}

// actWords are the words for what staff did.
func actWords(c *call) map[linnet.Moderation]string {
	return map[linnet.Moderation]string{
		linnet.Warn:                c.trIn("act", "none"),
		linnet.Suspend:             c.trIn("act", "suspend"),
		linnet.Unsuspend:           c.trIn("act", "unsuspend"),
		linnet.Silence:             c.trIn("act", "silence"),
		linnet.Unsilence:           c.trIn("act", "unsilence"),
		linnet.Sensitize:           c.trIn("act", "sensitive"),
		linnet.Unsensitize:         c.trIn("act", "unsensitive"),
		linnet.Disable:             c.trIn("act", "disable"),
		linnet.Enable:              c.trIn("act", "enable"),
		linnet.Approve:             c.trIn("act", "approve"),
		linnet.Reject:              c.trIn("act", "reject"),
		linnet.GiveRole:            c.trIn("act", "role"),
		linnet.Remove:              c.trIn("act", "delete"),
		linnet.EditGroup:           c.trIn("act", "edit group"),
		linnet.HideTrend:           c.trIn("act", "hide trend"),
		linnet.ShowTrend:           c.trIn("act", "show trend"),
		core.ActSettings:           c.trIn("act", "settings"),
		core.ActCreate:             c.trIn("act", "create"),
		core.ActInvite:             c.trIn("act", "invite"),
		core.ActRevoke:             c.trIn("act", "revoke invite"),
		core.ActRetry:              c.trIn("act", "retry task"),
		core.ActDrop:               c.trIn("act", "drop task"),
		core.ActBackup:             c.trIn("act", "backup"),
		core.ActPassword:           c.trIn("act", "password"),
		core.ActTwoFactor:          c.trIn("act", "two factor off"),
		core.ActResetLink:          c.trIn("act", "reset link"),
		core.ActTwoFactorLink:      c.trIn("act", "two factor link"),
		core.ActAddEmoji:           c.trIn("act", "add emoji"),
		core.ActChangeEmoji:        c.trIn("act", "change emoji"),
		core.ActDeleteEmoji:        c.trIn("act", "delete emoji"),
		core.ActAnnounce:           c.trIn("act", "announce"),
		core.ActEditAnnouncement:   c.trIn("act", "edit announcement"),
		core.ActPublish:            c.trIn("act", "publish announcement"),
		core.ActUnpublish:          c.trIn("act", "unpublish announcement"),
		core.ActDeleteAnnouncement: c.trIn("act", "delete announcement"),
		core.ActExport:             c.trIn("act", "export"),
		core.ActImport:             c.trIn("act", "import posts"),
		core.ActBlockSignUp:        c.trIn("act", "block sign up"),
		core.ActUnblockSignUp:      c.trIn("act", "unblock sign up"),
		core.ActAddRole:            c.trIn("act", "add role"),
		core.ActChangeRole:         c.trIn("act", "change role"),
		core.ActDeleteRole:         c.trIn("act", "delete role"),
		core.IssueTokens:           c.trIn("act", "issue tokens"),
		core.ImportWorld:           c.trIn("act", "import"),
	}
}

func (h *adminPages) tasks(c *call) error {
	waiting, dead, err := h.moderation.Tasks(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	kinds := &table{Caption: c.tr("Waiting tasks"), Head: []string{c.tr("Type"), c.tr("Waiting"), c.tr("Next due")}, Empty: c.tr("No tasks are waiting.")}
	for _, q := range waiting {
		kinds.Rows = append(kinds.Rows, []cell{textCell(q.Kind), countCell(int64(q.Tasks)), timeCell(q.Oldest.At)})
	}
	gone := &table{Caption: c.tr("Failed tasks"), Head: []string{c.tr("Type"), c.tr("Details"), c.tr("Attempts"), c.tr("Last error"), c.tr("Since"), ""}, Empty: c.tr("No failed tasks.")}
	for _, t := range dead {
		sends := []string{"task", t.ID, "shard", strconv.Itoa(int(t.Shard))}
		gone.Rows = append(gone.Rows, []cell{textCell(t.Kind), textCell(ui.Truncate(string(t.Args), 200)), countCell(int64(t.Tries)), textCell(ui.Truncate(t.Cause, 500)), timeCell(t.At),
			{Forms: []*form{button(c, "/admin/tasks", c.tr("Retry"), c.tr("Retry task %s", t.ID), append(sends, "do", "retry")...),
				button(c, "/admin/tasks", c.tr("Discard"), c.tr("Discard task %s", t.ID), append(sends, "do", "drop")...)}}})
	}
	return showAdmin(c, http.StatusOK, c.tr("Tasks"), "/admin/tasks", formPage{Lead: c.tr("Background work of all servers. Up to 500 tasks of each type are counted."),
		Parts: []formSection{{Title: c.tr("Waiting"), Table: kinds}, {Title: c.tr("Failed after 5 attempts"), Table: gone}}})
}

func (h *adminPages) resolveTask(c *call) error {
	shard, err := strconv.ParseUint(c.typed("shard"), 10, 16)
	if err != nil {
		return errNowhere()
	}
	do := h.moderation.RetryTask
	switch c.typed("do") {
	case "retry":
	case "drop":
		do = h.moderation.DropTask
	default:
		return errNowhere()
	}
	if err := do(c.r.Context(), c.by(), uint16(shard), c.typed("task")); err != nil {
		return err
	}
	return saved(c, "/admin/tasks")
}
