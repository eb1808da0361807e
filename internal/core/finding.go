package core

import "linnet/internal/wording"

// Finding is a result of a check of the server. It can be shown in any language. Printed, it is
// English.
type Finding struct {
	Area   wording.Message `json:"area"` // subject, in a word or two
	State  Finds           `json:"state"`
	Text   wording.Message `json:"text"`             // result
	Remedy wording.Message `json:"remedy,omitempty"` // what to do about it; "" for nothing
}

// Finds is the severity of a finding.
type Finds string

// Severities of findings, in rising order.
const (
	FindsGood    Finds = "ok"
	FindsNote    Finds = "note"    // information
	FindsWarning Finds = "warning" // it will fail one day, or already fails for some users
	FindsFault   Finds = "fault"   // something doesn't work, or a promise is broken
)
