package belfry;

/** Where jobs and runs are found. */
final class Paths {
    private Paths() {}

    /** "/jobs/name:nightly%20report": the path of the job with this name or id. */
    static String job(String job, String rest) {
        if (job.isEmpty()) {
            throw Problem.invalid("a job has a name or an id; this one is empty");
        }
        String name = job.startsWith("name:") ? job.substring("name:".length()) : job;
        boolean isId = name.equals(job) && job.matches("[0-9a-f]{16}");
        return "/jobs/" + (isId ? "" : "name:") + Option.Call.quote(name) + rest;
    }

    static String run(String run, String rest) {
        if (run.isEmpty()) {
            throw Problem.invalid("a run has an id; this one is empty");
        }
        return "/runs/" + Option.Call.quote(run) + rest;
    }
}
