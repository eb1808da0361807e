package uploads

import (
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/text"
)

// A status and its attachments are one value of the store, which has a limited size. So the
// descriptions of a status are also limited together, in bytes as stored: a quotation mark takes
// two of them and "<" six.

func descriptionBytes(all ...linnet.Attachment) int {
	n := 0
	for i := range all {
		n += len(record.Encode(all[i].Description)) - len(`""`)
	}
	return n
}

func checkDescription(d string) error {
	if n := descriptionBytes(linnet.Attachment{Description: d}); n > linnet.MaxAltBytes {
		return linnet.FieldError("description", "ERR_TOO_LONG", "has %d bytes (maximum is %d)", n, linnet.MaxAltBytes)
	}
	if n := text.Count(d); n > linnet.MaxAltText {
		return linnet.FieldError("description", "ERR_TOO_LONG", "has %d characters (maximum is %d)", n, linnet.MaxAltText)
	}
	return core.CheckMarks("description", d)
}

// FitDescription returns a description from another site, cut to the limit next to the other
// attachments of a status. It returns "" for a description that still can't be stored.
func FitDescription(d string, others ...linnet.Attachment) string {
	d = record.CutRunes(d, linnet.MaxAltText)
	if checkDescription(d) != nil || descriptionBytes(append(others[:len(others):len(others)], linnet.Attachment{Description: d})...) > linnet.MaxAltBytes {
		return ""
	}
	return d
}

// CheckHistory returns an error if the descriptions of a status and its earlier versions are too
// long together.
func CheckHistory(now, former []linnet.Attachment) error {
	if n := descriptionBytes(now...) + descriptionBytes(former...); n > linnet.MaxAltHistory {
		return linnet.FieldError("media_ids", "ERR_INVALID", "would make the edit history exceed %d bytes of descriptions. Delete and redraft the post instead", linnet.MaxAltHistory)
	}
	return nil
}
