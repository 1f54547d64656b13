// One run: hop by hop, what it said, what it was given and what it gave.
import {runs, jobs} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {RunDetail} from '../../api/types';
import {useShortcuts} from '../../shell/shortcuts';
import {go, segments} from '../../state/route';
import {shortDuration} from '../../time/duration';
import {fullTime, shownZone} from '../../time/format';
import {Bones, Card, Facts, PageHead, Pill, Trouble} from '../../ui/basics';
import {isLive, kindOf, lagOf, originWord, tookOf, wordOf} from '../../ui/outcomes';
import {Countdown, Time} from '../../ui/time';
import {Log} from './log';
import {Actions} from './run_actions';
import {Waterfall} from './waterfall';
import './run.css';

export default function Run() {
  const id = segments.value[1] ?? '';
  const {data: run, problem, reload} = useLoad(`run:${id}`, () => runs.read(id), {
    on: (news) => news.kind === 'runs' && news.runs.some((each) => each.run_id === id),
  });
  if (!run) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones rows={10} />;
  return <Loaded key={id} run={run} reload={reload} />;
}

function Loaded({run, reload}: {run: RunDetail; reload: () => void}) {
  const job = useLoad(`job:${run.job_id}`, () => jobs.read(run.job_id)).data;
  const zone = shownZone(job?.timezone);
  const near = useLoad(`near:${run.run_id}`, () => neighbours(run)).data;
  useShortcuts({
    '[': () => near?.earlier && go(`/runs/${near.earlier}`),
    ']': () => near?.later && go(`/runs/${near.later}`),
  });
  const lag = lagOf(run);
  const took = tookOf(run);
  const facts = [
    `attempt ${Math.max(1, run.attempts)} of ${run.max_attempts}`,
    took !== undefined && `took ${shortDuration(took)}`,
    lag !== undefined && `${shortDuration(Math.max(0, lag))} after its time`,
    run.origin !== 'SCHEDULE' && originWord(run.origin),
    run.stands_for > 1 && `stands for ${run.stands_for} missed ticks`,
  ].filter(Boolean);
  return (
    <>
      <PageHead
        crumbs={<><a href="/jobs">Jobs</a><span>/</span><a href={`/jobs/${run.job_id}`}>{run.job_name}</a><span>/</span><a href={`/jobs/${run.job_id}/runs`}>runs</a></>}
        title={<>Run of {fullTime(Date.parse(run.scheduled_for), zone)} <Pill kind={kindOf(run.state)}>{run.cancel_requested && isLive(run.state) ? 'Cancelling' : wordOf(run.state)}</Pill></>}
        sub={<>{facts.join(' · ')} · <span class="mono">{run.run_id}</span></>}
      >
        <Actions run={run} reload={reload} />
      </PageHead>
      {run.error && <div class="box bad"><strong>What went wrong</strong><pre>{run.error}</pre></div>}
      {run.state === 'RUNNING' && run.cancel_requested && <p class="box late">Cancellation was asked for. Its worker is told at its next heartbeat; if it stays silent, the lease ends <Countdown at={run.lease_until ?? Date.now()} />.</p>}
      <Card title="Hop by hop" class="gap-top"><Waterfall run={run} zone={zone} /></Card>
      <div class="cols gap-top">
        <Log run={run} zone={zone} />
        <Inside run={run} />
      </div>
    </>
  );
}

async function neighbours(run: RunDetail): Promise<{earlier?: string | undefined; later?: string | undefined}> {
  const [before, after] = await Promise.all([
    jobs.ticks(run.job_id, {to: run.scheduled_for, limit: 5}),
    jobs.ticks(run.job_id, {from: run.scheduled_for, limit: 5, order: 'oldest'}),
  ]);
  const first = (page: typeof before): string | undefined => {
    for (const tick of page.items) if (tick.kind === 'RUN' && tick.run_id !== run.run_id) return tick.run_id;
    return undefined;
  };
  return {earlier: first(before), later: first(after)};
}

function Inside({run}: {run: RunDetail}) {
  return (
    <div class="stack">
      {run.result !== null && <Card title="Result"><pre tabIndex={0}>{JSON.stringify(run.result, null, 2)}</pre></Card>}
      <Card title="Payload">{run.payload === null ? <span class="muted">none</span> : <pre tabIndex={0}>{JSON.stringify(run.payload, null, 2)}</pre>}</Card>
      <Card title="Facts">
        <Facts
          facts={[
            ['Idempotency-Key', <span class="mono">{run.run_id}</span>],
            ['Fence', run.fence || undefined],
            ['Worker', run.worker],
            ['Lease', run.lease_until && <><Time at={run.lease_until} seconds /> <Countdown at={run.lease_until} /></>],
            ['Deadline', run.deadline && <><Time at={run.deadline} seconds /> <Countdown at={run.deadline} /></>],
            ['Next attempt', run.state === 'RETRYING' && run.due_at && <><Time at={run.due_at} seconds /> <Countdown at={run.due_at} /></>],
            ['Job version', run.job_version],
            ['Decided by', <>{run.node_id}, epoch {run.epoch}</>],
          ]}
        />
      </Card>
    </div>
  );
}
