package belfry;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;

/** Calls each method of a class whose name begins with "test", and says which of them failed. */
final class Tests {
    private Tests() {}

    static void run(Class<?> tests) throws Exception {
        int failed = 0;
        for (Method method : tests.getDeclaredMethods()) {
            if (!method.getName().startsWith("test")) {
                continue;
            }
            try {
                method.invoke(null);
                System.out.println("ok      " + method.getName());
            } catch (InvocationTargetException error) {
                ++failed;
                System.out.println("FAILED  " + method.getName());
                error.getCause().printStackTrace(System.out);
            }
        }
        System.exit(failed == 0 ? 0 : 1);
    }

    static void equal(Object got, Object expected) {
        if (!Objects.equals(got, expected)) {
            throw new AssertionError("got " + got + ", expected " + expected);
        }
    }

    static void holds(boolean condition, Object about) {
        if (!condition) {
            throw new AssertionError(String.valueOf(about));
        }
    }

    /** The exception of this kind that the work throws. */
    static <T extends Throwable> T thrown(Class<T> kind, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException error) {
            if (kind.isInstance(error)) {
                return kind.cast(error);
            }
            throw error;
        }
        throw new AssertionError("no " + kind.getSimpleName());
    }
}
