package belfry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How clients/README.md says that expectations are read. */
final class Matching {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");

    /** An answer that is not as expected; it may be so later. */
    static final class Mismatch extends RuntimeException {
        private static final long serialVersionUID = 1;

        Mismatch(String words) {
            super(words);
        }
    }

    private Matching() {}

    /** The value with each ${name} replaced; a text that is only a variable becomes its value. */
    static Object fill(Object value, Map<String, Object> variables) {
        if (value instanceof JsonObject object) {
            JsonObject filled = new JsonObject();
            object.forEach((name, each) -> filled.put(name, fill(each, variables)));
            return filled;
        }
        if (value instanceof List<?> list) {
            List<Object> filled = new ArrayList<>();
            list.forEach(each -> filled.add(fill(each, variables)));
            return filled;
        }
        if (!(value instanceof String text)) {
            return value;
        }
        Matcher whole = VARIABLE.matcher(text);
        if (whole.matches()) {
            return variables.get(whole.group(1));
        }
        return VARIABLE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(String.valueOf(variables.get(found.group(1)))));
    }

    static void match(Object expected, Object got, String place) {
        if (expected instanceof JsonObject object && object.size() == 1 && object.keySet().iterator().next().startsWith("$")) {
            String rule = object.keySet().iterator().next();
            if (!holds(rule, object.get(rule), got)) {
                throw new Mismatch(place + "/: " + got + " is not " + expected);
            }
        } else if (expected instanceof JsonObject object) {
            if (!(got instanceof Map<?, ?> map)) {
                throw new Mismatch(place + "/: " + got + " is no object");
            }
            object.forEach((name, each) -> match(each, map.get(name), place + "/" + name));
        } else if (expected instanceof List<?> list) {
            if (!(got instanceof List<?> found) || found.size() != list.size()) {
                throw new Mismatch(place + "/: expected " + list.size() + " entries, got " + got);
            }
            for (int i = 0; i < list.size(); ++i) {
                match(list.get(i), ((List<?>) got).get(i), place + "/" + i);
            }
        } else if (!Objects.equals(expected, got)) {
            throw new Mismatch(place + "/: expected " + expected + ", got " + got);
        }
    }

    static boolean fits(Object expected, Object got) {
        try {
            match(expected, got, "");
            return true;
        } catch (Mismatch wrong) {
            return false;
        }
    }

    private static boolean holds(String rule, Object wanted, Object got) {
        return switch (rule) {
            case "$any" -> got != null;
            case "$none" -> got == null;
            case "$more_than" -> got instanceof Long number && number > (Long) wanted;
            case "$not" -> !fits(wanted, got);
            case "$size" -> got instanceof List<?> list && list.size() == (Long) wanted;
            case "$some" -> got instanceof List<?> list && list.stream().anyMatch(each -> fits(wanted, each));
            default -> throw new IllegalArgumentException("no rule " + rule);
        };
    }

    static Object pick(Object body, String pointer) {
        Object found = body;
        for (String part : pointer.substring(1).split("/")) {
            if (found instanceof List<?> list) {
                if (Integer.parseInt(part) >= list.size()) {
                    throw new Mismatch("there is no " + pointer);
                }
                found = list.get(Integer.parseInt(part));
            } else {
                found = ((Map<?, ?>) found).get(part);
            }
        }
        return found;
    }
}
