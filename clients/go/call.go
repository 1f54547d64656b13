package belfry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Object is a JSON object. Numbers in answers are json.Number, so that none is rounded.
type Object map[string]any

// Text is the field as a text, or "" if it is none.
func (o Object) Text(name string) string {
	text, _ := o[name].(string)
	return text
}

// Int is the field as a whole number, or 0 if it is none.
func (o Object) Int(name string) int64 {
	number, _ := o[name].(json.Number)
	value, _ := number.Int64()
	return value
}

// Into decodes the object into a struct of yours.
func (o Object) Into(value any) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, value)
}

// Option changes one call.
type Option func(*call)

// Key is the Idempotency-Key of a call that creates something: the same key creates once.
func Key(key string) Option { return func(c *call) { c.headers.Set("Idempotency-Key", key) } }

// IfVersion makes a change only if the job still has this version.
func IfVersion(version int64) Option {
	return func(c *call) {
		c.headers.Set("If-Match", fmt.Sprintf(`"%d"`, version))
		c.repeatable = true
	}
}

// CreateOnly lets PutJob create, but not replace.
func CreateOnly() Option { return func(c *call) { c.headers.Set("If-None-Match", "*") } }

// Timeout is how long one try of the call may take.
func Timeout(length time.Duration) Option { return func(c *call) { c.timeout = length } }

// Patience is for how long the call is repeated while the server cannot serve it.
func Patience(length time.Duration) Option { return func(c *call) { c.patience = length } }

// Query is what follows the "?" of a call. A list gives its name several times; nil gives nothing.
type Query map[string]any

func (q Query) option() Option {
	return func(c *call) {
		if c.query == nil {
			c.query = url.Values{}
		}
		for name, value := range q {
			switch value := value.(type) {
			case nil:
			case []string:
				c.query[name] = value
			default:
				c.query.Set(name, fmt.Sprint(value))
			}
		}
	}
}

func repeatable() Option             { return func(c *call) { c.repeatable = true } }
func contentType(text string) Option { return func(c *call) { c.headers.Set("Content-Type", text) } }

// call is one call, however often it is sent.
type call struct {
	method, target    string
	headers           http.Header
	query             url.Values
	body              []byte
	repeatable        bool
	timeout, patience time.Duration
}

func (c *call) encode(body any) error {
	if body == nil {
		return nil
	}
	text, err := json.Marshal(body)
	if err != nil {
		return &Problem{Kind: ErrInvalid, Detail: fmt.Sprintf("the body of %s %s is not JSON: %v", c.method, c.target, err)}
	}
	c.body = text
	if c.headers.Get("Content-Type") == "" {
		c.headers.Set("Content-Type", "application/json")
	}
	return nil
}

// answer is what came back, whatever its status.
type answer struct {
	status  int
	headers http.Header
	body    []byte
}

func (a *answer) retryAfter() (time.Duration, bool) {
	seconds, err := strconv.ParseUint(a.headers.Get("Retry-After"), 10, 32)
	return time.Duration(seconds) * time.Second, err == nil
}

func (a *answer) decode(into any) error {
	if a.status < 200 || a.status >= 300 {
		problem := problemOf(a.status, a.body)
		problem.RetryAfter, _ = a.retryAfter()
		return problem
	}
	if into == nil || len(a.body) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(a.body))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return &Problem{Kind: ErrInvalid, Status: a.status, Detail: "the answer is not as Belfry's are: " + err.Error()}
	}
	return nil
}

// wire carries calls to one server.
type wire struct {
	server  string
	headers http.Header
	http    *http.Client
}

func newWire(server string, headers http.Header, given *http.Client) (*wire, error) {
	parts, err := url.Parse(server)
	if err == nil && parts.User != nil {
		return nil, &Problem{Kind: ErrInvalid, Detail: "a key does not belong in the address of a server; give it as Options.Token"}
	}
	if err != nil || (parts.Scheme != "http" && parts.Scheme != "https") || parts.Hostname() == "" || parts.RawQuery != "" || parts.Fragment != "" {
		return nil, &Problem{Kind: ErrInvalid, Detail: fmt.Sprintf("`%s` is not the address of a server; write http://HOST:PORT", server)}
	}
	client := http.Client{}
	if given != nil {
		client = *given
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // never send the key elsewhere
	return &wire{server: strings.TrimRight(server, "/"), headers: headers, http: &client}, nil
}

// exchange sends the call once. ErrUnreachable if nothing was sent, ErrTimedOut if nobody knows whether it was done.
func (w *wire) exchange(ctx context.Context, call *call) (*answer, error) {
	limited, cancel := context.WithTimeout(ctx, call.timeout)
	defer cancel()
	response, err := w.send(limited, call)
	if err == nil {
		defer response.Body.Close()
		var body []byte
		if body, err = io.ReadAll(response.Body); err == nil {
			return &answer{response.StatusCode, response.Header, body}, nil
		}
		err = w.lost(err)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, err
}

// send returns the answer as soon as it begins.
func (w *wire) send(ctx context.Context, call *call) (*http.Response, error) {
	var connected atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	request, err := http.NewRequestWithContext(traced, call.method, w.server+call.target, bytes.NewReader(call.body))
	if err != nil {
		return nil, &Problem{Kind: ErrInvalid, Detail: err.Error()}
	}
	for _, headers := range []http.Header{w.headers, call.headers} {
		for name, values := range headers {
			request.Header[name] = values
		}
	}
	response, err := w.http.Do(request)
	if err == nil {
		return response, nil
	}
	if connected.Load() {
		return nil, w.lost(err)
	}
	return nil, &Problem{Kind: ErrUnreachable, Detail: fmt.Sprintf("no Belfry server answers at %s (%v)", w.server, innermost(err))}
}

func (w *wire) lost(err error) error {
	return &Problem{Kind: ErrTimedOut, Detail: fmt.Sprintf("%s did not answer (%v); it may or may not have been done", w.server, innermost(err))}
}

// innermost leaves out what net/http says around the cause.
func innermost(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}
