package belfry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// say is one answer of a server that answers as a test tells it to.
type say func(http.ResponseWriter)

func says(status int, body any, headers ...string) say {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
}

func hangsUp(http.ResponseWriter) { panic(http.ErrAbortHandler) }

// serve answers one call after the other, the last answer for ever; it keeps the requests.
func serve(t *testing.T, options Options, answers ...say) (*Client, *[]*http.Request) {
	t.Helper()
	var mutex sync.Mutex
	seen := []*http.Request{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		seen = append(seen, r)
		answer := answers[0]
		if len(answers) > 1 {
			answers = answers[1:]
		}
		mutex.Unlock()
		answer(w)
	}))
	t.Cleanup(server.Close)
	client, err := NewClient(server.URL, options)
	if err != nil {
		t.Fatal(err)
	}
	return client, &seen
}

func equal(t *testing.T, got, expected any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(expected) {
		t.Fatalf("got %v, expected %v", got, expected)
	}
}

var anyway = context.Background()

func TestSaysWhoItIsAndTellsNobodyElse(t *testing.T) {
	client, seen := serve(t, Options{Token: "bf_secret", Tenant: "acme"}, says(200, Object{}))
	_, err := client.GetStats(anyway)
	equal(t, err, nil)
	equal(t, (*seen)[0].Header.Get("Authorization")+(*seen)[0].Header.Get("Belfry-Tenant"), "Bearer bf_secretacme")
	_, err = NewClient("http://user:bf_secret@host", Options{})
	for _, text := range []string{fmt.Sprintf("%v %+v %#v", client, client, client), err.Error()} {
		if strings.Contains(text, "bf_secret") {
			t.Fatal("the key is shown")
		}
	}
}

func TestFollowsNoRedirect(t *testing.T) {
	_, others := serve(t, Options{}, says(200, Object{}))
	client, _ := serve(t, Options{Token: "bf_secret"}, says(307, Object{}, "Location", "/elsewhere"))
	_, err := client.GetStats(anyway)
	equal(t, errors.Is(err, ErrInvalid), true)
	equal(t, len(*others), 0)
}

func TestNamesAreQuotedAndIdsAreNotNames(t *testing.T) {
	equal(t, jobPath("0000000000012a3b", ""), "/api/v1/jobs/0000000000012a3b")
	equal(t, jobPath("name:0000000000012a3b", ""), "/api/v1/jobs/name:0000000000012a3b")
	equal(t, jobPath("a/b ?", "/next"), "/api/v1/jobs/name:a%2Fb%20%3F/next")
	equal(t, runPath("../jobs", ""), "/api/v1/runs/..%2Fjobs")
	client, seen := serve(t, Options{}, says(200, Object{}))
	_, err := client.GetJob(anyway, "")
	equal(t, errors.Is(err, ErrInvalid), true)
	equal(t, len(*seen), 0)
}

func TestWaitsForAServerThatSaysNotNow(t *testing.T) {
	busy := says(503, Object{"code": "busy"}, "Retry-After", "0")
	client, seen := serve(t, Options{}, busy, busy, says(200, Object{"runs": []any{}}))
	_, err := client.ClaimRuns(anyway, ClaimRequest{WorkerID: "w", JobTypes: []string{"t"}})
	equal(t, err, nil)
	equal(t, len(*seen), 3)
	client, _ = serve(t, Options{Patience: -1}, busy)
	_, err = client.GetStats(anyway)
	equal(t, errors.Is(err, ErrUnreachable), true)
}

func TestRepeatsWhatMayBeRepeatedUnderTheSameKey(t *testing.T) {
	client, seen := serve(t, Options{}, hangsUp, says(201, Object{"job_id": "1"}))
	_, err := client.CreateJob(anyway, Object{"job_name": "a"})
	equal(t, err, nil)
	equal(t, len(*seen) > 1, true)
	for _, each := range *seen {
		equal(t, each.Header.Get("Idempotency-Key"), (*seen)[0].Header.Get("Idempotency-Key"))
	}
}

func TestDoesNotRepeatAClaim(t *testing.T) {
	client, seen := serve(t, Options{}, hangsUp)
	_, err := client.ClaimRuns(anyway, ClaimRequest{WorkerID: "w", JobTypes: []string{"t"}})
	equal(t, errors.Is(err, ErrTimedOut), true)
	equal(t, len(*seen), 1)
}

func TestProblemsAreToldByKind(t *testing.T) {
	kinds := map[int]error{401: ErrRefused, 403: ErrRefused, 404: ErrNotFound, 409: ErrConflict, 412: ErrConflict, 422: ErrInvalid, 504: ErrTimedOut}
	for status, kind := range kinds {
		client, _ := serve(t, Options{Patience: -1}, says(status, Object{"code": "word", "detail": "why", "instance": "q-1"}))
		_, err := client.TriggerJob(anyway, "a", nil)
		var problem *Problem
		equal(t, errors.Is(err, kind) && errors.As(err, &problem), true)
		equal(t, []any{problem.Status, problem.Code, problem.Error(), problem.RequestID}, []any{status, "word", "why", "q-1"})
	}
}

func TestBadFieldsAreToldOneByOne(t *testing.T) {
	errors := []Object{{"pointer": "/every", "code": "invalid", "message": "is no duration", "hint": "write 90s"}}
	client, _ := serve(t, Options{}, says(422, Object{"code": "invalid", "detail": "1 field", "errors": errors}))
	_, err := client.CreateJob(anyway, Object{})
	equal(t, err, "every: is no duration; write 90s")
}

func TestWhatIsNoBelfryIsToldSo(t *testing.T) {
	client, _ := serve(t, Options{}, says(404, "<html>"))
	_, err := client.GetStats(anyway)
	equal(t, strings.Contains(err.Error(), "check its address"), true)
}

func TestWhatIsNoJSONIsNotSent(t *testing.T) {
	client, seen := serve(t, Options{}, says(200, Object{}))
	for _, value := range []any{math.NaN(), func() {}} {
		_, err := client.CreateJob(anyway, Object{"payload": value})
		equal(t, errors.Is(err, ErrInvalid), true)
	}
	equal(t, len(*seen), 0)
}

func TestNumbersAreNotRounded(t *testing.T) {
	client, _ := serve(t, Options{}, says(200, Object{"fence": int64(math.MaxInt64)}))
	stats, _ := client.GetStats(anyway)
	equal(t, stats.Int("fence"), int64(math.MaxInt64))
}

func TestPagesAreReadToTheEndEvenWhenOneIsEmpty(t *testing.T) {
	page := func(cursor any, ids ...string) say {
		items := []Object{}
		for _, id := range ids {
			items = append(items, Object{"id": id})
		}
		return says(200, Object{"items": items, "next_cursor": cursor})
	}
	client, seen := serve(t, Options{}, page("b", "1", "2"), page("c"), page(nil, "3"))
	all, err := client.ListJobs(Query{"label": []string{"a=1", "b=2"}, "limit": 2}).All(anyway)
	equal(t, err, nil)
	equal(t, len(all), 3)
	equal(t, (*seen)[0].URL.RawQuery, "label=a%3D1&label=b%3D2&limit=2")
	equal(t, (*seen)[2].URL.Query().Get("cursor"), "c")
}

func streams(lines ...string) say {
	return func(w http.ResponseWriter) { fmt.Fprint(w, strings.Join(lines, "\n")+"\n") }
}

func TestEventsGoOnWhereTheyBrokeOff(t *testing.T) {
	first := streams(": welcome", "", "id: 1-1", "event: runs", `data: {"a":`, "data: 1}", "", "id: 1-2", "event: jobs")
	client, seen := serve(t, Options{}, first, streams("retry: 1", "id: 2-1", "event: jobs", "data: {}", ""))
	heard := []string{}
	enough := errors.New("enough")
	opened := 0
	err := client.Events(anyway, Watch{After: "0-1", OnOpen: func() { opened++ }}, func(event Event) error {
		heard = append(heard, fmt.Sprintf("%s %s %s", event.ID, event.Name, event.Data))
		if len(heard) == 2 {
			return enough
		}
		return nil
	})
	equal(t, err, enough)
	equal(t, strings.Join(heard, "|"), "1-1 runs {\"a\":\n1}|2-1 jobs {}")
	equal(t, (*seen)[0].Header.Get("Last-Event-ID")+" "+(*seen)[1].Header.Get("Last-Event-ID"), "0-1 1-1")
	equal(t, opened, 2)
}

func TestACallEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(anyway)
	started := make(chan struct{})
	release := make(chan struct{})
	client, _ := serve(t, Options{}, func(http.ResponseWriter) { close(started); <-release })
	go func() { <-started; cancel() }()
	_, err := client.ClaimRuns(ctx, ClaimRequest{WorkerID: "w", JobTypes: []string{"t"}, WaitSeconds: 60})
	close(release)
	equal(t, errors.Is(err, context.Canceled), true)
}

func TestNoServerIsUnreachable(t *testing.T) {
	client, _ := NewClient("http://127.0.0.1:2", Options{Timeout: 5 * time.Second})
	_, err := client.CreateJob(anyway, Object{})
	equal(t, errors.Is(err, ErrUnreachable), true)
}
