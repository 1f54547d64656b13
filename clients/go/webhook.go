package belfry

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Tolerance is how much a webhook's timestamp may be off, either way.
const Tolerance = 5 * time.Minute

var digits = regexp.MustCompile(`^[0-9]{1,12}$`)

// WebhookRefused says why a call cannot be trusted; answer 401 and do nothing.
type WebhookRefused struct {
	Reason string // a stable word: missing_header, bad_timestamp, bad_signature
	Detail string
}

func (r *WebhookRefused) Error() string { return r.Detail }

// WebhookCall is a verified call.
type WebhookCall struct {
	ID           string // the run's id: the idempotency key
	Timestamp    time.Time
	Body         []byte
	Attempt      int64  // which attempt of the run; 0: not told
	Fence        int64  // refuse a call with a lower one than you have seen for this job; 0: not told
	ScheduledFor string // the tick, RFC 3339; empty: not told
}

// VerifyWebhook returns the call if one of the secrets signed it, just now; a *WebhookRefused otherwise. The body must be as it
// came, not parsed and written again. Give several secrets while you change them.
func VerifyWebhook(headers http.Header, body []byte, secrets ...string) (*WebhookCall, error) {
	return VerifyWebhookAt(time.Now(), headers, body, secrets...)
}

// VerifyWebhookAt is VerifyWebhook at another time: for tests.
func VerifyWebhookAt(now time.Time, headers http.Header, body []byte, secrets ...string) (*WebhookCall, error) {
	id, stamp, signatures := headers.Get("webhook-id"), headers.Get("webhook-timestamp"), headers.Get("webhook-signature")
	if id == "" || stamp == "" || signatures == "" {
		return nil, &WebhookRefused{"missing_header", "webhook-id, webhook-timestamp and webhook-signature are needed"}
	}
	if !digits.MatchString(stamp) {
		return nil, &WebhookRefused{"bad_timestamp", "webhook-timestamp is not a number of seconds"}
	}
	good, err := isSigned(id, stamp, body, signatures, secrets)
	if err != nil {
		return nil, err
	}
	if !good {
		return nil, &WebhookRefused{"bad_signature", "no signature fits the body and the secret"}
	}
	seconds, _ := strconv.ParseInt(stamp, 10, 64)
	sent := time.Unix(seconds, 0)
	if age := now.Sub(sent); age > Tolerance || age < -Tolerance {
		return nil, &WebhookRefused{"bad_timestamp", fmt.Sprintf("webhook-timestamp is off by %s; a replay, or a wrong clock", age.Round(time.Second))}
	}
	attempt, _ := strconv.ParseInt(headers.Get("Belfry-Attempt"), 10, 64)
	fence, _ := strconv.ParseInt(headers.Get("Belfry-Fence"), 10, 64)
	return &WebhookCall{id, sent, body, attempt, fence, headers.Get("Belfry-Scheduled-For")}, nil
}

// SignWebhook is the signature of a call, for tests of your receiver.
func SignWebhook(secret, id string, timestamp time.Time, body []byte) (string, error) {
	key, err := keyOf(secret)
	if err != nil {
		return "", err
	}
	return "v1," + signature(key, id, strconv.FormatInt(timestamp.Unix(), 10), body), nil
}

func signature(key []byte, id, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, stamp)
	mac.Write(body)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// isSigned checks all of them, so that the time it takes reveals nothing.
func isSigned(id, stamp string, body []byte, signatures string, secrets []string) (bool, error) {
	good := false
	for _, secret := range secrets {
		key, err := keyOf(secret)
		if err != nil {
			return false, err
		}
		expected := []byte("v1," + signature(key, id, stamp, body))
		for _, each := range strings.Split(signatures, " ") {
			good = hmac.Equal(expected, []byte(each)) || good
		}
	}
	return good, nil
}

// keyOf reads `whsec_` and base64, as Standard Webhooks has it; any other text is the key itself.
func keyOf(secret string) ([]byte, error) {
	if secret == "" {
		return nil, errors.New("the secret of the webhook is empty; is the setting that holds it missing?")
	}
	text := strings.TrimPrefix(secret, "whsec_")
	if text == secret {
		return []byte(secret), nil
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("what follows `whsec_` in the secret is not base64")
	}
	return key, nil
}
