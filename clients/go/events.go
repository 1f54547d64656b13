package belfry

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

const silence = time.Minute // the server sends something more often than this

// Event says what changed. Its name is "jobs", "runs", or "reset": events were missed, read lists again.
type Event struct {
	ID   string
	Name string
	Data json.RawMessage
}

// Watch is what Events needs to know; the zero value is good.
type Watch struct {
	After  string // the id of the last event you know
	OnOpen func() // called once the stream is open and every change from then on will be seen
}

// Events calls `see` with changes as they happen, until it returns an error or the context ends, and returns that. It
// reconnects by itself and continues after the last event seen; once no server answers for longer than the client's patience,
// it returns a *Problem.
func (c *Client) Events(ctx context.Context, watch Watch, see func(Event) error) error {
	const pause = 500 * time.Millisecond
	lost := time.Duration(0)
	for {
		err := c.stream(ctx, &watch, func() { lost = 0 }, see)
		stops := !isKind(err, ErrUnreachable) && !isKind(err, ErrTimedOut)
		if err != nil && (stops || lost >= c.patience) {
			return err
		}
		lost += pause
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// stream reads one connection to its end; nil if the server ended it.
func (c *Client) stream(ctx context.Context, watch *Watch, opened func(), see func(Event) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watchdog := time.AfterFunc(c.timeout, cancel) // until the answer begins
	defer watchdog.Stop()
	call := call{method: "GET", target: api + "/events", headers: http.Header{}}
	if watch.After != "" {
		call.headers.Set("Last-Event-ID", watch.After)
	}
	response, err := c.wire.send(ctx, &call)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		body, _ := io.ReadAll(response.Body)
		return problemOf(response.StatusCode, body)
	}
	var seeing error
	isOpen := false
	lines := bufio.NewReader(response.Body)
	reader := eventReader{}
	for seeing == nil {
		watchdog.Reset(silence)
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return nil
		} else if err != nil {
			return c.wire.lost(err)
		}
		if !isOpen {
			isOpen = true
			opened()
			if watch.OnOpen != nil {
				watch.OnOpen()
			}
		}
		if event, whole := reader.line(strings.TrimRight(line, "\r\n")); whole {
			if event.ID != "" {
				watch.After = event.ID
			}
			seeing = see(event)
		}
	}
	return seeing
}

// eventReader assembles server-sent events from lines, as the HTML standard says.
type eventReader struct {
	id, name string
	data     []string
}

// line returns an event once it is whole.
func (r *eventReader) line(line string) (Event, bool) {
	if line == "" {
		event := Event{ID: r.id, Name: r.name, Data: json.RawMessage(strings.Join(r.data, "\n"))}
		whole := len(r.data) > 0
		r.name, r.data = "", nil
		if event.Name == "" {
			event.Name = "message"
		}
		return event, whole
	}
	field, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch field {
	case "id":
		r.id = value
	case "event":
		r.name = value
	case "data":
		r.data = append(r.data, value)
	}
	return Event{}, false
}
