import belfry.Client;
import belfry.JsonObject;
import belfry.PermanentFailure;
import belfry.Worker;

/**
 * A worker that greets. Try it beside {@code ./dev run}:
 *
 * <pre>
 * clients/java/build.sh build/java && java -cp build/java/belfry-client.jar clients/java/examples/Greeter.java
 * build/belfry add greet --every 5s --type greet --payload '{"name": "you"}'
 * </pre>
 */
public final class Greeter {
    private Greeter() {}

    public static void main(String[] arguments) {
        Worker worker = new Worker(Client.fromEnv());
        worker.handle("greet", run -> {
            String name = run.payloadObject().text("name");
            if (name.isEmpty()) {
                throw new PermanentFailure("the payload has no name");
            }
            System.out.println("hello " + name + ", it is " + run.scheduledFor() + " (attempt " + run.attempt() + ")");
            return JsonObject.of("greeted", name);
        });
        worker.run();
    }
}
