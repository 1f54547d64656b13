// Package belfry is Belfry from Go: a client of the REST API, a worker, and the check of webhooks. Standard library only.
//
//	client, err := belfry.NewClient("http://127.0.0.1:7070", belfry.Options{Token: "bf_…"})
//	job, err := client.CreateJob(ctx, belfry.Object{"job_name": "nightly", "job_type": "report", "cron_expression": "30 2 * * *"})
//
// Method and field names are those of the OpenAPI document (/openapi.json of any server). A call that fails returns a
// *Problem. A call that got no answer is repeated where that is safe; for this, the methods that create something draw an
// Idempotency-Key if you give none.
package belfry

import (
	"context"
	"net/http"
	"os"
	"strings"
	"time"
)

// Version is the version of this client, and of the servers it was made for.
const Version = "0.2.0"

const (
	defaultServer  = "http://127.0.0.1:7070"
	defaultTimeout = 30 * time.Second
	longestPause   = 5 * time.Second
)

// Options of a client; the zero value is good.
type Options struct {
	Token    string        // the key
	Tenant   string        // a tenant other than the key's own, for admins
	Timeout  time.Duration // of one call; default 30 s
	Patience time.Duration // for how long to repeat a call that the server could not serve just then; default 5 s, negative: not at all
	HTTP     *http.Client  // for a certificate authority or a proxy of your own; its redirects are not followed
}

// Client is a Belfry server. It may be used by many goroutines at once, and opens nothing before the first call.
type Client struct {
	server   string
	timeout  time.Duration
	patience time.Duration
	wire     *wire
}

// NewClient makes a client of the server at this address.
func NewClient(server string, options Options) (*Client, error) {
	headers := http.Header{"Accept": {"application/json"}, "User-Agent": {"belfry-go/" + Version}}
	if options.Token != "" {
		headers.Set("Authorization", "Bearer "+options.Token)
	}
	if options.Tenant != "" {
		headers.Set("Belfry-Tenant", options.Tenant)
	}
	wire, err := newWire(server, headers, options.HTTP)
	if err != nil {
		return nil, err
	}
	client := &Client{server: server, timeout: options.Timeout, patience: options.Patience, wire: wire}
	if client.timeout == 0 {
		client.timeout = defaultTimeout
	}
	if client.patience == 0 {
		client.patience = 5 * time.Second
	}
	return client, nil
}

// FromEnv makes a client from the variables of the command line: BELFRY_SERVER, BELFRY_TOKEN or BELFRY_TOKEN_FILE, BELFRY_TENANT.
func FromEnv() (*Client, error) {
	server := os.Getenv("BELFRY_SERVER")
	if server == "" {
		server = defaultServer
	}
	token := strings.TrimSpace(os.Getenv("BELFRY_TOKEN"))
	if file := os.Getenv("BELFRY_TOKEN_FILE"); token == "" && file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		token = strings.TrimSpace(string(text))
	}
	return NewClient(server, Options{Token: token, Tenant: os.Getenv("BELFRY_TENANT")})
}

// Server is the address the client was made for.
func (c *Client) Server() string { return c.server }

// String shows no key.
func (c *Client) String() string { return "belfry.Client(" + c.server + ")" }

// GoString shows no key.
func (c *Client) GoString() string { return c.String() }

// Call makes any call of the API, also those without a method here. The path begins with "/", its parts are escaped; the body
// is anything that encoding/json writes, or nil; the answer is decoded into `into`, unless that is nil.
func (c *Client) Call(ctx context.Context, method, path string, body, into any, options ...Option) error {
	if path == "" {
		return &Problem{Kind: ErrInvalid, Detail: "a job has a name or an id, and a run an id; this one is empty"}
	}
	call := call{method: method, target: path, timeout: c.timeout, patience: c.patience, headers: http.Header{}}
	call.repeatable = method == http.MethodGet || method == http.MethodPut || method == http.MethodDelete
	for _, option := range options {
		option(&call)
	}
	if len(call.query) > 0 {
		call.target += "?" + call.query.Encode()
	}
	if err := call.encode(body); err != nil {
		return err
	}
	answer, err := c.persist(ctx, &call)
	if err != nil {
		return err
	}
	return answer.decode(into)
}

// persist repeats a call that was lost on the way once, if that is safe, and one that was not served for as long as the patience lasts.
func (c *Client) persist(ctx context.Context, call *call) (*answer, error) {
	giveUp := time.Now().Add(call.patience)
	for repeated := false; ; {
		answer, err := c.wire.exchange(ctx, call)
		if err != nil {
			if !isKind(err, ErrTimedOut) || repeated || !call.repeatable || time.Now().After(giveUp) {
				return nil, err
			}
			repeated = true
			continue
		}
		pause, told := answer.retryAfter()
		if !told {
			pause = time.Second
		}
		busy := answer.status == http.StatusTooManyRequests || answer.status == http.StatusServiceUnavailable
		if !busy || time.Now().Add(pause).After(giveUp) {
			return answer, nil
		}
		if err := sleep(ctx, between(100*time.Millisecond, pause, longestPause)); err != nil {
			return nil, err
		}
	}
}

// sleep waits; it returns the error of the context if that ends first.
func sleep(ctx context.Context, length time.Duration) error {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func between(low, value, high time.Duration) time.Duration {
	if value < low {
		return low
	}
	if value > high {
		return high
	}
	return value
}
