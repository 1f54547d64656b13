// What became of each tick, on the axis of time; a hollow mark asks why.
import {useState} from 'preact/hooks';
import {jobs} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Job, Run, Tick} from '../../api/types';
import {quantile} from '../../charts/lag';
import {query, setQuery} from '../../state/route';
import {now} from '../../state/clock';
import {shortDuration} from '../../time/duration';
import {shownZone} from '../../time/format';
import {Bones, Card, Empty, Facts, Pill, Segmented, Trouble} from '../../ui/basics';
import {isLive, kindOf, lagOf, tookOf, wordOf} from '../../ui/outcomes';
import {Time} from '../../ui/time';
import {Timeline, ZOOMS, windowOf, type Zoom} from './timeline';
import {WhyAt} from './why';
import {lateWords, overlapWords, retryWords, span} from './words';

const MOST_PAGES = 5;
const SHOWN_RUNS = 7;

// The newest part of the window: at most 5,000 entries.
async function ticksIn(job: string, from: number, to: number): Promise<{ticks: Tick[]; all: boolean}> {
  const ticks: Tick[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MOST_PAGES && cursor !== null; ++page) {
    const answer = await jobs.ticks(job, {from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit: 1000, cursor});
    ticks.push(...answer.items);
    cursor = answer.next_cursor;
  }
  return {ticks, all: cursor === null};
}

export function TimelineTab({job, runs}: {job: Job; runs: Run[] | undefined}) {
  const zoom = (query.value.get('zoom') ?? '7d') as Zoom;
  const zone = shownZone(job.timezone);
  const minute = Math.ceil(now.value / 60_000);
  const {from, to} = windowOf(zoom, minute * 60_000, zone);
  const loaded = useLoad(`ticks:${job.job_id}:${zoom}:${from}`, () => ticksIn(job.job_id, from, to), {
    on: (news) => news.kind === 'runs' && news.runs.some((run) => run.run_id.startsWith(job.job_id)),
    every: 60_000,
  });
  const [at, setAt] = useState<string>();
  return (
    <>
      <Card title={<>{ZOOMS[zoom].title} <span class="muted">{zone}</span></>} aside={<Segmented label="How far back" options={(Object.keys(ZOOMS) as Zoom[]).map((key) => [key, ZOOMS[key].short] as const)} value={zoom} onPick={(value) => setQuery({zoom: value === '7d' ? '' : value})} />}>
        {loaded.problem && <Trouble problem={loaded.problem} retry={loaded.reload} />}
        {loaded.data ? <Timeline zoom={zoom} from={from} zone={zone} ticks={loaded.data.ticks} onSkip={setAt} created={job.created_at} now={minute * 60_000} /> : <Bones rows={7} />}
        <div class="row small wrap legend">
          <Pill kind="ok">ran</Pill><Pill kind="bad">failed</Pill><Pill kind="run">live</Pill><Pill kind="skip">skipped: click to ask why</Pill>
          {loaded.data && !loaded.data.all && <span class="muted">Only the newest 5,000 are drawn; come closer for the rest.</span>}
        </div>
      </Card>
      <div class="cols gap-top">
        {at ? <WhyAt job={job} at={at} /> : <LastRuns runs={runs} zone={job.timezone} />}
        <JobFacts job={job} runs={runs} />
      </div>
    </>
  );
}

function LastRuns({runs, zone}: {runs: Run[] | undefined; zone: string}) {
  const failed = runs?.find((run) => run.error && !isLive(run.state));
  const last = (runs ?? []).slice(0, SHOWN_RUNS);
  if (!failed) {
    return (
      <Card title={<>Last runs <span class="muted">{shownZone(zone)}</span></>} flush>
        {last.length === 0 ? <Empty title="It has not run yet" /> : (
          <div class="table"><table>
            <thead class="sr"><tr><th>Outcome</th><th>Scheduled for</th><th>Took</th></tr></thead>
            <tbody>{last.map((run) => (
              <tr key={run.run_id}>
                <td><Pill kind={kindOf(run.state)}>{wordOf(run.state)}</Pill></td>
                <td class="fill"><a class="name" href={`/runs/${run.run_id}`}><Time at={run.scheduled_for} zone={zone} seconds /></a></td>
                <td class="num dim">{tookOf(run) !== undefined && shortDuration(tookOf(run)!)}</td>
              </tr>
            ))}</tbody>
          </table></div>
        )}
      </Card>
    );
  }
  return (
    <Card title="Last failure">
      <p><a href={`/runs/${failed.run_id}`}><Time at={failed.scheduled_for} zone={zone} seconds /></a></p>
      <pre class="bad">{failed.error}</pre>
    </Card>
  );
}

function JobFacts({job, runs}: {job: Job; runs: Run[] | undefined}) {
  const over = (runs ?? []).filter((run) => !isLive(run.state));
  const took = over.map(tookOf).filter((ms): ms is number => ms !== undefined).sort((a, b) => a - b);
  const last = over[0];
  const lag = last && lagOf(last);
  const ends = over.findIndex((run) => run.state !== last?.state);
  const row = ends === -1 ? over.length : ends;
  return (
    <Card title="Facts">
      <Facts
        facts={[
          ['Last run', last && <><a href={`/runs/${last.run_id}`}><Time at={last.scheduled_for} zone={job.timezone} seconds /></a>{lag !== undefined && `, ${shortDuration(Math.max(0, lag))} after its time`}{tookOf(last) !== undefined && `, took ${shortDuration(tookOf(last)!)}`}</>],
          ['In a row', last && `${row}${row === 20 ? ' or more' : ''} ${last.state === 'SUCCEEDED' ? 'succeeded' : last.state.toLowerCase().replace('_', ' ')}`],
          ['Usual duration', took.length > 1 && `${shortDuration(quantile(took, 0.5))} (longest of ${took.length}: ${shortDuration(took.at(-1)!)})`],
          ['If late', lateWords(job)],
          ['If still running', overlapWords(job)],
          ['Retries', retryWords(job)],
          ['Time limit', span(job.timeout)],
          ['Calendar', job.calendar && <a href="/settings/calendars">{job.calendar}</a>],
          ['Labels', Object.entries(job.labels).map(([key, value]) => <a key={key} class="tag" href={`/jobs?label=${encodeURIComponent(`${key}=${value}`)}`}>{key}={value}</a>)],
          ['About', job.description],
          ['Changed', <><Time at={job.updated_at} zone={job.timezone} />, version {job.version}</>],
        ]}
      />
    </Card>
  );
}
