// A table of runs, for the list of all and for the list of one job.
import type {Run} from '../../api/types';
import {shortDuration} from '../../time/duration';
import {Pill} from '../../ui/basics';
import {isLive, kindOf, lagOf, originWord, tookOf, wordOf} from '../../ui/outcomes';
import {Countdown, Time, ZoneName} from '../../ui/time';

const LATE_MS = 10_000;

function Took({run}: {run: Run}) {
  const took = tookOf(run);
  if (took !== undefined) return <>{shortDuration(took)}</>;
  if (run.state === 'RUNNING' && run.started_at) return <Countdown at={run.started_at} />;
  return null;
}

function Lag({run}: {run: Run}) {
  const lag = lagOf(run);
  if (lag === undefined) return null;
  return <span class={lag > LATE_MS ? 'late-text' : ''}>{shortDuration(Math.max(0, lag))}</span>;
}

export function RunRow({run, zone, at, withJob}: {run: Run; zone?: string | undefined; at?: boolean; withJob: boolean}) {
  return (
    <tr class={at ? 'at' : ''}>
      <td><Pill kind={kindOf(run.state)}>{run.cancel_requested && isLive(run.state) ? 'Cancelling' : wordOf(run.state)}</Pill></td>
      {withJob && <td class="max"><a class="name" href={`/runs/${run.run_id}`}>{run.job_name}</a></td>}
      <td>{withJob ? <Time at={run.scheduled_for} zone={zone} seconds /> : <a class="name" href={`/runs/${run.run_id}`}><Time at={run.scheduled_for} zone={zone} seconds /></a>}</td>
      <td class="num c2"><Lag run={run} /></td>
      <td class="num c1"><Took run={run} /></td>
      <td class="num c3">{run.attempts}<span class="muted">/{run.max_attempts}</span></td>
      <td class="dim c3">{originWord(run.origin)}{run.stands_for > 1 && ` for ${run.stands_for}`}</td>
      <td class="muted c4">{run.worker}</td>
      <td class="fill dim c2">{run.error}</td>
    </tr>
  );
}

export function RunTable({runs, zone, at, withJob}: {runs: Run[]; zone?: string; at?: number; withJob: boolean}) {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            <th>Outcome</th>
            {withJob && <th>Job</th>}
            <th>Scheduled for<ZoneName {...(zone ? {zone} : {})} /></th>
            <th class="num c2">Lag</th>
            <th class="num c1">Took</th>
            <th class="num c3">Attempt</th>
            <th class="c3">By</th>
            <th class="c4">Worker</th>
            <th class="c2">What went wrong</th>
          </tr>
        </thead>
        <tbody data-rows>
          {runs.map((run, i) => <RunRow key={run.run_id} run={run} zone={zone} at={i === at} withJob={withJob} />)}
        </tbody>
      </table>
    </div>
  );
}
