package linnet

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"
)

// SignUpQuestion is a question at sign-up that members of the community can answer and bots can't.
type SignUpQuestion struct {
	Ask     string
	Answers []string // all correct ones
}

// Limits of questions at sign-up.
const (
	MaxSignUpQuestions = 10
	MaxSignUpAsk       = 200 // characters
	MaxSignUpAnswers   = 10  // of a question
	MaxSignUpAnswer    = 100 // characters
)

// ParseSignUpQuestion parses a question with its answers: "What do linnets eat? = seeds |
// thistles". The question is before the last "=".
func ParseSignUpQuestion(line string) (SignUpQuestion, error) {
	wrong := func(format string, args ...any) (SignUpQuestion, error) {
		return SignUpQuestion{}, FieldError("questions", "ERR_INVALID", format, args...)
	}
	at := strings.LastIndexByte(line, '=')
	if at < 0 {
		return wrong("has the line %q, but each line needs a question, an equals sign and an answer, such as: What do linnets eat? = seeds | thistles", line)
	}
	q := SignUpQuestion{Ask: strings.TrimSpace(line[:at])}
	for answer := range strings.SplitSeq(line[at+1:], "|") {
		if answer = strings.TrimSpace(answer); answer != "" && !slices.Contains(q.Answers, answer) {
			q.Answers = append(q.Answers, answer)
		}
	}
	switch {
	case q.Ask == "" || len(q.Answers) == 0:
		return wrong("has the line %q, which lacks the question or the answer. Example: What do linnets eat? = seeds", line)
	case utf8.RuneCountInString(q.Ask) > MaxSignUpAsk:
		return wrong("has the question %q, which is longer than %d characters", q.Ask, MaxSignUpAsk)
	case len(q.Answers) > MaxSignUpAnswers:
		return wrong("has %d answers to %q (maximum is %d)", len(q.Answers), q.Ask, MaxSignUpAnswers)
	}
	for _, answer := range q.Answers {
		if utf8.RuneCountInString(answer) > MaxSignUpAnswer {
			return wrong("has the answer %q, which is longer than %d characters", answer, MaxSignUpAnswer)
		}
	}
	return q, nil
}

// String returns the question as it is typed, see ParseSignUpQuestion.
func (q SignUpQuestion) String() string { return q.Ask + " = " + strings.Join(q.Answers, " | ") }

// ID returns the id of the question in forms. It depends on the question only, so that answers can
// be added at any time.
func (q SignUpQuestion) ID() string {
	sum := sha256.Sum256([]byte(q.Ask))
	return hex.EncodeToString(sum[:6])
}

// SignUpQuestionLines returns questions as they are typed, one per line.
func SignUpQuestionLines(questions []SignUpQuestion) string {
	lines := make([]string, len(questions))
	for i, q := range questions {
		lines[i] = q.String()
	}
	return strings.Join(lines, "\n")
}
