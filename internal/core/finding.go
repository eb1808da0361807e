package core

import "linnet/internal/wording"

// Finding is what an examination of the installation says about one thing. Who shows it says it in
// the language of who reads; printed it is English.
type Finding struct {
	Area   wording.Message `json:"area"` // what was looked at, in a word or two
	State  Finds           `json:"state"`
	Text   wording.Message `json:"text"`             // what was found
	Remedy wording.Message `json:"remedy,omitempty"` // what to do about it; "" where there is nothing to do
}

// Finds says how grave a finding is.
type Finds string

// What a finding can be, from the least to the gravest.
const (
	FindsGood    Finds = "ok"
	FindsNote    Finds = "note"    // worth knowing: nothing is wrong
	FindsWarning Finds = "warning" // it will be wrong one day, or is for some people
	FindsFault   Finds = "fault"   // it does not work, or what was promised is not kept
)
