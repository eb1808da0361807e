package identity

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// answered returns an error if a sign-up doesn't answer one of the server's questions. Invited
// users aren't asked.
func answered(s *Service, about *linnet.Instance, in *linnet.SignUp) *linnet.Error {
	if len(about.Questions) == 0 {
		return nil
	}
	if in.Question == "" {
		return linnet.FieldError("answer", "ERR_BLANK", "can't be sent by this app. Sign up at %s/signup instead", s.core.PublicURL())
	}
	for _, q := range about.Questions {
		if q.ID() != in.Question {
			continue
		}
		given := foldAnswer(in.Answer)
		for _, right := range q.Answers {
			if foldAnswer(right) == given {
				return nil
			}
		}
	}
	s.opt.Observe.NoteRefused("signup_question")
	if strings.TrimSpace(in.Answer) == "" {
		return linnet.FieldError("answer", "ERR_BLANK", "can't be blank")
	}
	return linnet.FieldError("answer", "ERR_INVALID", "is incorrect")
}

// foldAnswer returns the compared form of an answer: letters and digits without case and accents.
func foldAnswer(s string) string { return text.FoldTag(s) }

// parseQuestions parses questions, one per line. It returns an error for duplicates.
func parseQuestions(lines []string) ([]linnet.SignUpQuestion, error) {
	if len(lines) > linnet.MaxSignUpQuestions {
		return nil, linnet.FieldError("questions", "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given)", len(lines), linnet.MaxSignUpQuestions)
	}
	var out []linnet.SignUpQuestion
	asked := map[string]bool{}
	for _, line := range lines {
		q, err := linnet.ParseSignUpQuestion(line)
		if err != nil {
			return nil, err
		}
		for _, a := range q.Answers {
			if foldAnswer(a) == "" {
				return nil, linnet.FieldError("questions", "ERR_INVALID", "has the answer %q, which contains no letters or digits", a)
			}
		}
		if asked[q.ID()] {
			return nil, linnet.FieldError("questions", "ERR_INVALID", "can't contain the question %q twice. Put all its answers on one line, separated by |", q.Ask)
		}
		asked[q.ID()] = true
		out = append(out, q)
	}
	return out, nil
}
