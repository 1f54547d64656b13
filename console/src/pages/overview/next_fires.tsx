import {useSentence} from '../../api/rows';
import type {JobSummary} from '../../api/types';
import {clockSeconds, everyZone, shortTime, shownZone} from '../../time/format';
import {now} from '../../state/clock';
import {Empty} from '../../ui/basics';
import {Countdown} from '../../ui/time';

const MOST = 8;

function Row({job}: {job: JobSummary}) {
  const sentence = useSentence(job);
  const at = Date.parse(job.next_scheduled_run!);
  const zone = shownZone(job.timezone);
  const soon = at - now.peek() < 3_600_000;
  return (
    <tr>
      <td class="mono c1" title={everyZone(at, job.timezone)}>{soon ? clockSeconds(at, zone) : shortTime(at, zone, now.peek())}</td>
      <td><Countdown at={at} /></td>
      <td class="max"><a class="name" href={`/jobs/${job.job_id}`}>{job.job_name}</a></td>
      <td class="fill dim c2">{sentence}</td>
      <td class="muted c3">{zone}</td>
    </tr>
  );
}

export function NextFires({jobs}: {jobs: JobSummary[]}) {
  const next = jobs
    .filter((job) => job.next_scheduled_run && Date.parse(job.next_scheduled_run) > now.value)
    .sort((a, b) => Date.parse(a.next_scheduled_run!) - Date.parse(b.next_scheduled_run!))
    .slice(0, MOST);
  if (next.length === 0) return <Empty title="No fire is planned" />;
  return (
    <div class="table">
      <table>
        <thead class="sr"><tr><th class="c1">When</th><th>Countdown</th><th>Job</th><th>Schedule</th><th>Zone</th></tr></thead>
        <tbody>{next.map((job) => <Row key={job.job_id} job={job} />)}</tbody>
      </table>
    </div>
  );
}
