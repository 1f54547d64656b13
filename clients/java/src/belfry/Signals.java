package belfry;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** SIGTERM and SIGINT, without ending the process at once as a shutdown hook would. */
final class Signals {
    private Signals() {}

    /**
     * Calls {@code stop} at each of them, until what it returns is run. By reflection: {@code sun.misc.Signal} is in every JDK, but its use is warned of. Where
     * it is missing, signals end the process as ever, and other workers get its runs when their leases end.
     */
    static Runnable onStop(Runnable stop) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler call = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    stop.run();
                    yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "belfry.Signals";
            };
            Object listener = Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, call);
            Method handle = signal.getMethod("handle", signal, handler);
            Map<Object, Object> former = new HashMap<>();
            for (String name : List.of("TERM", "INT")) {
                Object number = signal.getConstructor(String.class).newInstance(name);
                former.put(number, handle.invoke(null, number, listener));
            }
            return () -> former.forEach((number, before) -> {
                try {
                    handle.invoke(null, number, before);
                } catch (ReflectiveOperationException stays) {
                    // It was possible a moment ago; at worst a second signal is needed to end the process.
                }
            });
        } catch (ReflectiveOperationException | RuntimeException missing) {
            System.getLogger("belfry").log(System.Logger.Level.WARNING, "signals will not drain this worker: " + missing);
            return () -> {};
        }
    }
}
