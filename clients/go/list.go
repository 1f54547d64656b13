package belfry

import "context"

const defaultPage = 500

// List reads a list of the server entry by entry; pages are fetched as you go.
//
//	for list := client.ListRuns(belfry.Query{"state": "DEAD"}); list.Next(ctx); {
//		client.RetryRun(ctx, list.Item().Text("run_id"))
//	}
//
// Ask Err afterwards whether it came to its end. The filter "limit" says how many entries one page has.
type List struct {
	client *Client
	path   string
	filter Query
	items  []Object
	item   Object
	over   bool
	err    error
}

// List reads any list of the API.
func (c *Client) List(path string, filter Query) *List {
	own := Query{"limit": defaultPage}
	for name, value := range filter {
		own[name] = value
	}
	return &List{client: c, path: path, filter: own}
}

// Next goes to the next entry; false at the end, and when something went wrong.
func (l *List) Next(ctx context.Context) bool {
	for len(l.items) == 0 {
		if l.over || l.err != nil {
			return false
		}
		var page struct {
			Items  []Object `json:"items"`
			Cursor *string  `json:"next_cursor"`
		}
		if l.err = l.client.Call(ctx, "GET", l.path, nil, &page, l.filter.option()); l.err != nil {
			return false
		}
		l.items, l.over = page.Items, page.Cursor == nil
		if page.Cursor != nil {
			l.filter["cursor"] = *page.Cursor
		}
	}
	l.item, l.items = l.items[0], l.items[1:]
	return true
}

// Item is the entry that Next went to.
func (l *List) Item() Object { return l.item }

// Err says why the list ended early, or nil.
func (l *List) Err() error { return l.err }

// All reads the rest.
func (l *List) All(ctx context.Context) ([]Object, error) {
	all := []Object{}
	for l.Next(ctx) {
		all = append(all, l.item)
	}
	return all, l.err
}
