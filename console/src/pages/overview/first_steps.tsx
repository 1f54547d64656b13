// An empty node teaches the next command.
import {Card, Command} from '../../ui/basics';

export const FirstSteps = () => (
  <div class="cols even">
    <Card title="From the command line">
      <div class="stack tight">
        <p class="dim">A job that rings every ten seconds, and the line to watch it:</p>
        <Command text="belfry add hello --every 10s --exec 'echo hello from belfry'" />
        <Command text="belfry ls" />
      </div>
    </Card>
    <Card title="From here">
      <div class="stack tight">
        <p class="dim">Write a schedule and see what it means before it is kept, or bring the crontab you have:</p>
        <div class="row wrap">
          <a class="btn main" href="/jobs/new">New job</a>
          <a class="btn" href="/jobs/import">Import a crontab</a>
        </div>
        <p class="dim">Or over the API:</p>
        <Command text={`curl -X POST ${location.origin}/api/v1/jobs -H 'Content-Type: application/json' -d '{"job_name":"hello","every":"10s"}'`} />
      </div>
    </Card>
  </div>
);
