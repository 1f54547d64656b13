// Why did it not run? Asked of the server, which answers from what it recorded.
import {useState} from 'preact/hooks';
import {jobs} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Explanation, Job} from '../../api/types';
import {mayOperate} from '../../state/session';
import {query, setQuery} from '../../state/route';
import {fullTime, shownZone} from '../../time/format';
import {Bones, Card, Command, Field, Trouble} from '../../ui/basics';
import {asBelfry} from '../../ui/copy';
import {Said} from '../../ui/said';
import {Time} from '../../ui/time';
import {askBackfill, resume} from './actions';

const SIGNS = {true: '✓', false: '✗', null: '·'} as const;
const CHECKS: Record<string, string> = {true: 'passed', false: 'not passed', null: 'not reached'};

export function WhyAt({job, at}: {job: Job; at?: string | undefined}) {
  const {data, problem, reload} = useLoad(`why:${job.job_id}:${at ?? ''}`, () => jobs.explain(job.job_id, at));
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Card><Bones rows={5} /></Card>;
  return <Answer job={job} answer={data} />;
}

function Answer({job, answer}: {job: Job; answer: Explanation}) {
  const zone = shownZone(job.timezone);
  const well = answer.verdict === 'run' && answer.run?.state === 'SUCCEEDED';
  const tone = well ? 'ok' : answer.verdict === 'run' && answer.run && ['FAILED', 'DEAD', 'TIMED_OUT'].includes(answer.run.state) ? 'bad' : 'late';
  return (
    <section class={`box why ${tone}`} data-verdict={answer.verdict} aria-live="polite">
      <h2 class="question">{fullTime(Date.parse(answer.at), zone)}: {answer.verdict === 'run' ? 'it became a run' : 'why did it not run?'}</h2>
      <p><Said text={answer.sentence} zone={job.timezone} /></p>
      <ol>
        {answer.checks.map((check) => (
          <li key={check.check}>
            <span class={`sign ${check.passed === true ? 'y' : check.passed === false ? 'n' : ''}`} aria-label={CHECKS[String(check.passed)]}>{SIGNS[String(check.passed) as 'true']}</span>
            <span class="dim">{check.check}</span>
            <span><Said text={check.detail} zone={job.timezone} />{check.remedy && <><br /><b><Said text={check.remedy} zone={job.timezone} /></b></>}</span>
          </li>
        ))}
      </ol>
      <div class="row wrap">
        {answer.run && <a class="btn small" href={`/runs/${answer.run.run_id}`}>Open the run</a>}
        {answer.skip && mayOperate.value && <button type="button" class="btn small" onClick={() => askBackfill(job, answer.skip!.from, answer.skip!.to)}>Backfill {answer.skip.count === 1 ? 'this tick' : `these ${answer.skip.count} ticks`}…</button>}
        {job.status === 'PAUSED' && answer.verdict === 'paused' && mayOperate.value && <button type="button" class="btn small" onClick={() => void resume(job)}>Resume the job</button>}
      </div>
    </section>
  );
}

export function Why({job}: {job: Job}) {
  const asked = query.value.get('at') ?? undefined;
  const [text, setText] = useState(asked ?? '');
  const {data} = useLoad(`why:${job.job_id}:${asked ?? ''}`, () => jobs.explain(job.job_id, asked));
  const ask = (at?: string | null): void => {
    setText(at ?? '');
    setQuery({at: at ?? ''});
  };
  return (
    <div class="cols">
      <WhyAt job={job} at={asked} />
      <Card title="Ask about another instant">
        <form class="stack" onSubmit={(event) => (event.preventDefault(), ask(text.trim()))}>
          <Field label="Instant" class="mono" value={text} onText={setText} placeholder={new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString().replace('.000', '')} hint="RFC 3339 with a zone; empty: the last tick that should have happened" />
          <div class="row wrap">
            <button type="submit" class="btn main">Ask</button>
            {data?.before && <button type="button" class="btn" onClick={() => ask(data.before)}>← <Time at={data.before} zone={job.timezone} seconds /></button>}
            {data?.after && <button type="button" class="btn" onClick={() => ask(data.after)}><Time at={data.after} zone={job.timezone} seconds /> →</button>}
          </div>
        </form>
        <p class="muted small gap-top">The same from a terminal:</p>
        <Command text={asBelfry('explain', job.job_name, ...(asked ? ['--at', asked] : []))} />
      </Card>
    </div>
  );
}
