package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

var (
	whole    = regexp.MustCompile(`^\$\{(\w+)\}$`)
	variable = regexp.MustCompile(`\$\{(\w+)\}`)
)

// decode reads JSON, and keeps numbers as they are written.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

func recode(value, into any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return decode(text, into)
}

// fill replaces each ${name}; a text that is only a variable becomes its value. Steps within a watch are filled when they are done.
func fill(raw json.RawMessage, variables map[string]any) (any, error) {
	var value any
	if err := decode(raw, &value); err != nil {
		return nil, err
	}
	delete(value.(map[string]any), "watch")
	return filled(value, variables), nil
}

func filled(value any, variables map[string]any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, each := range value {
			value[name] = filled(each, variables)
		}
	case []any:
		for index, each := range value {
			value[index] = filled(each, variables)
		}
	case string:
		if found := whole.FindStringSubmatch(value); found != nil {
			return variables[found[1]]
		}
		return variable.ReplaceAllStringFunc(value, func(found string) string { return fmt.Sprint(variables[found[2:len(found)-1]]) })
	}
	return value
}

func match(expected, got any, place string) error {
	switch expected := expected.(type) {
	case map[string]any:
		for rule, wanted := range expected {
			if len(expected) == 1 && strings.HasPrefix(rule, "$") {
				if !holds(rule, wanted, got) {
					return mismatched("%s/: %v is not %v", place, got, expected)
				}
				return nil
			}
		}
		object, ok := got.(map[string]any)
		if !ok {
			return mismatched("%s/: %v is no object", place, got)
		}
		for name, each := range expected {
			if err := match(each, object[name], place+"/"+name); err != nil {
				return err
			}
		}
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(expected) {
			return mismatched("%s/: expected %d entries, got %v", place, len(expected), got)
		}
		for index, each := range expected {
			if err := match(each, list[index], fmt.Sprintf("%s/%d", place, index)); err != nil {
				return err
			}
		}
	default:
		if !reflect.DeepEqual(expected, got) {
			return mismatched("%s/: expected %#v, got %#v", place, expected, got)
		}
	}
	return nil
}

func holds(rule string, wanted, got any) bool {
	list, isList := got.([]any)
	switch rule {
	case "$any":
		return got != nil
	case "$none":
		return got == nil
	case "$not":
		return match(wanted, got, "") != nil
	case "$more_than":
		return number(got) > number(wanted)
	case "$size":
		return isList && int64(len(list)) == number(wanted)
	case "$some":
		for _, each := range list {
			if match(wanted, each, "") == nil {
				return true
			}
		}
		return false
	}
	panic("no rule " + rule)
}

func number(value any) int64 {
	number, _ := value.(json.Number)
	whole, _ := number.Int64()
	return whole
}

func pick(body any, pointer string) (any, error) {
	for _, part := range strings.Split(pointer, "/")[1:] {
		switch within := body.(type) {
		case map[string]any:
			body = within[part]
		case []any:
			index, err := strconv.Atoi(part)
			if err != nil || index >= len(within) {
				return nil, mismatched("there is no %s", pointer)
			}
			body = within[index]
		default:
			return nil, mismatched("there is no %s", pointer)
		}
	}
	return body, nil
}
