package belfry;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * JSON, read and written. Objects are {@link JsonObject}, arrays {@link List}, whole numbers {@link Long} where they fit and
 * other numbers {@link BigDecimal}, so that none is rounded; the rest is {@link String}, {@link Boolean} and null.
 */
public final class Json {
    private static final int DEEPEST = 200;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** The value that the text is; throws IllegalArgumentException if it is not JSON. */
    public static Object parse(String text) {
        Json reader = new Json(text);
        Object value = reader.value(0);
        if (reader.peek() != 0) {
            throw reader.wrong("something follows the value");
        }
        return value;
    }

    /** The text of a value: of maps, iterables, arrays, texts, numbers, booleans and null. Throws IllegalArgumentException. */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out, 0);
        return out.toString();
    }

    // ---- Writing

    private static void write(Object value, StringBuilder out, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("the value is nested too deep, or contains itself");
        }
        if (value == null || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                throw new IllegalArgumentException(number + " is no number of JSON");
            }
            out.append(value);
        } else if (value instanceof Number) {
            out.append(value);
        } else if (value instanceof CharSequence || value instanceof Character || value instanceof Enum<?>) {
            quote(value.toString(), out);
        } else if (value instanceof Map<?, ?> map) {
            writeMap(map, out, depth);
        } else if (value instanceof Iterable<?> items) {
            writeList(items, out, depth);
        } else if (value instanceof Object[] items) {
            writeList(List.of(items), out, depth);
        } else {
            throw new IllegalArgumentException("a " + value.getClass().getName() + " is no JSON; make it a map, a list or a text");
        }
    }

    private static void writeMap(Map<?, ?> map, StringBuilder out, int depth) {
        char separator = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            quote(String.valueOf(entry.getKey()), out);
            out.append(':');
            write(entry.getValue(), out, depth + 1);
            separator = ',';
        }
        out.append(map.isEmpty() ? "{}" : "}");
    }

    private static void writeList(Iterable<?> items, StringBuilder out, int depth) {
        out.append('[');
        String separator = "";
        for (Object item : items) {
            out.append(separator);
            write(item, out, depth + 1);
            separator = ",";
        }
        out.append(']');
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); ++i) {
            char letter = text.charAt(i);
            boolean lone = Character.isSurrogate(letter) && !isPair(text, i);
            if (letter == '"' || letter == '\\') {
                out.append('\\').append(letter);
            } else if (letter < ' ') {
                out.append(String.format("\\u%04x", (int) letter));
            } else {
                out.append(lone ? '\uFFFD' : letter);
            }
        }
        out.append('"');
    }

    private static boolean isPair(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }

    // ---- Reading

    private Object value(int depth) {
        if (depth > DEEPEST) {
            throw wrong("it is nested too deep");
        }
        char first = peek();
        return switch (first) {
            case '{' -> object(depth);
            case '[' -> list(depth);
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private JsonObject object(int depth) {
        JsonObject object = new JsonObject();
        take('{');
        while (peek() != '}') {
            if (!object.isEmpty()) {
                take(',');
            }
            if (peek() != '"') {
                throw wrong("a name is missing");
            }
            String name = string();
            take(':');
            object.put(name, value(depth + 1));
        }
        take('}');
        return object;
    }

    private List<Object> list(int depth) {
        List<Object> list = new ArrayList<>();
        take('[');
        while (peek() != ']') {
            if (!list.isEmpty()) {
                take(',');
            }
            list.add(value(depth + 1));
        }
        take(']');
        return list;
    }

    private String string() {
        take('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char letter = text.charAt(at++);
            out.append(letter == '\\' ? escaped() : letter);
        }
        take('"');
        return out.toString();
    }

    private char escaped() {
        char letter = at < text.length() ? text.charAt(at++) : 0;
        return switch (letter) {
            case '"', '\\', '/' -> letter;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hexadecimal();
            default -> throw wrong("an unknown escape");
        };
    }

    private char hexadecimal() {
        at += 4;
        try {
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        } catch (IndexOutOfBoundsException | NumberFormatException bad) {
            throw wrong("\\u needs four digits");
        }
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("an unknown word");
        }
        at += word.length();
        return value;
    }

    private Number number() {
        int from = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            ++at;
        }
        try {
            BigDecimal number = new BigDecimal(text.substring(from, at));
            return number.scale() == 0 && number.precision() <= 19 ? (Number) number.longValueExact() : number;
        } catch (ArithmeticException large) {
            return new BigDecimal(text.substring(from, at));
        } catch (NumberFormatException bad) {
            throw wrong("a value is missing");
        }
    }

    /** The next letter that is no space; 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            ++at;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void take(char letter) {
        if (peek() != letter) {
            throw wrong("'" + letter + "' is missing");
        }
        ++at;
    }

    private IllegalArgumentException wrong(String words) {
        return new IllegalArgumentException("not JSON: " + words + " at letter " + at);
    }
}
