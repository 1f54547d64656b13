package belfry

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// The kinds of trouble that a program handles differently; errors.Is tells them apart.
var (
	ErrInvalid     = errors.New("invalid")     // the same call will be refused again; Problem.Errors names each bad field
	ErrNotFound    = errors.New("not_found")   // there is no such thing, or it is somebody else's
	ErrConflict    = errors.New("conflict")    // it contradicts what is there: a name is taken, a version is outdated, a run is over
	ErrRefused     = errors.New("refused")     // the key, its scope or a limit does not allow it
	ErrUnreachable = errors.New("unreachable") // no server answered, or it cannot serve just now; nothing was changed
	ErrTimedOut    = errors.New("timed_out")   // no answer in time: it may or may not have been done
)

// FieldError is one bad field of a request.
type FieldError struct {
	Pointer   string `json:"pointer"` // in the body: "/cron_expression"
	Code      string `json:"code"`
	Message   string `json:"message"`
	Hint      string `json:"hint"`
	Parameter string `json:"parameter"` // of the query, if it is not the body that is wrong
	Header    string `json:"header"`
}

func (e FieldError) String() string {
	text := e.Message
	for _, place := range []string{e.Parameter, e.Header, strings.TrimPrefix(e.Pointer, "/")} {
		if place != "" {
			text = place + ": " + text
			break
		}
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Problem says why a call failed.
type Problem struct {
	Kind       error  // ErrInvalid and its siblings
	Status     int    // 0: no answer came
	Code       string // the server's stable word; empty: it gave none, or is not a Belfry server
	Title      string
	Detail     string
	Errors     []FieldError
	RequestID  string // for the server's logs
	RetryAfter time.Duration
}

func (p *Problem) Error() string {
	if len(p.Errors) == 0 {
		return p.Detail
	}
	words := make([]string, len(p.Errors))
	for index, each := range p.Errors {
		words[index] = each.String()
	}
	return strings.Join(words, "; ")
}

// Unwrap makes errors.Is(err, belfry.ErrConflict) work.
func (p *Problem) Unwrap() error { return p.Kind }

func isKind(err, kind error) bool { return errors.Is(err, kind) }

func kindOf(status int) error {
	switch status {
	case 401, 403, 429:
		return ErrRefused
	case 404:
		return ErrNotFound
	case 409, 412:
		return ErrConflict
	case 504:
		return ErrTimedOut
	}
	if status < 500 {
		return ErrInvalid
	}
	return ErrUnreachable
}

// problemOf is the problem in an answer, even when the answer is not problem+json.
func problemOf(status int, body []byte) *Problem {
	var told struct {
		Code, Title, Detail, Instance string
		Errors                        []FieldError
	}
	if err := json.Unmarshal(body, &told); err != nil || told.Code == "" {
		return &Problem{Kind: kindOf(status), Status: status, Detail: fmt.Sprintf("the server answered %d, and not as Belfry does: check its address", status)}
	}
	detail := told.Code
	for _, words := range []string{told.Title, told.Detail} {
		if words != "" {
			detail = words
		}
	}
	return &Problem{Kind: kindOf(status), Status: status, Code: told.Code, Title: told.Title, Detail: detail, Errors: told.Errors, RequestID: told.Instance}
}
