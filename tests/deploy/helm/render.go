// Renders a chart as `helm template` does, as far as the chart of Belfry goes: Go's own templates, and the functions of
// Helm that are listed below. Helm is not in Debian, its template language is.
//
//	go run render.go CHART_FOLDER <values.json
//
// The values on stdin are the whole of what templates see: Release, Chart, Values.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

func fail(problem error) {
	fmt.Fprintln(os.Stderr, "render:", problem)
	os.Exit(1)
}

func toJSON(value any) (string, error) {
	text, problem := json.Marshal(value)
	return string(text), problem
}

func orDefault(instead, given any) any {
	if given == nil || given == "" {
		return instead
	}
	return given
}

func concat(lists ...[]any) []any {
	all := []any{}
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

func main() {
	var seen map[string]any
	if problem := json.NewDecoder(os.Stdin).Decode(&seen); problem != nil {
		fail(problem)
	}
	all := template.New("chart").Option("missingkey=error")
	all.Funcs(template.FuncMap{
		"concat":   concat,
		"default":  orDefault,
		"int":      func(number float64) int { return int(number) },
		"list":     func(items ...any) []any { return items },
		"quote":    func(text string) string { return fmt.Sprintf("%q", text) },
		"toJson":   toJSON,
		"toString": func(value any) string { return fmt.Sprint(value) },
		"upper":    strings.ToUpper,
		"include": func(name string, data any) (string, error) {
			var text strings.Builder
			problem := all.ExecuteTemplate(&text, name, data)
			return text.String(), problem
		},
	})
	files, problem := filepath.Glob(filepath.Join(os.Args[1], "templates", "*"))
	if problem != nil {
		fail(problem)
	}
	if _, problem := all.ParseFiles(files...); problem != nil {
		fail(problem)
	}
	for _, file := range files {
		if name := filepath.Base(file); !strings.HasPrefix(name, "_") {
			fmt.Printf("---\n# Source: %s\n", name)
			if problem := all.ExecuteTemplate(os.Stdout, name, seen); problem != nil {
				fail(problem)
			}
			fmt.Println()
		}
	}
}
