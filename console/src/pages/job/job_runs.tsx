import {jobs} from '../../api/calls';
import {usePages} from '../../api/pages';
import type {Job, Run, RunState} from '../../api/types';
import {go, query, setQuery} from '../../state/route';
import {Bones, Chip, Empty, Trouble} from '../../ui/basics';
import {More, NewPill} from '../../ui/list';
import {wordOf} from '../../ui/outcomes';
import {useRowCursor} from '../../ui/rows';
import {RunTable} from '../runs/run_rows';

const STATES: RunState[] = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'DEAD', 'CANCELLED'];

export function JobRuns({job}: {job: Job}) {
  const state = query.value.get('state') ?? '';
  const pages = usePages<Run>(`runs:${job.job_id}:${state}`, (cursor) => jobs.runs(job.job_id, {state, cursor, limit: 100}), {
    id: (run) => run.run_id,
    on: (news) => news.kind === 'runs' && news.runs.some((run) => run.run_id.startsWith(job.job_id)),
  });
  const rows = pages.items ?? [];
  const at = useRowCursor(rows, {open: (run) => go(`/runs/${run.run_id}`)});
  return (
    <>
      <div class="chips">
        {STATES.map((each) => <Chip key={each} on={state === each} onClick={() => setQuery({state: state === each ? '' : each})}>{wordOf(each).toLowerCase()}</Chip>)}
      </div>
      <NewPill pages={pages} />
      {pages.problem && <Trouble problem={pages.problem} retry={pages.reload} />}
      <div class="card flush">
        {!pages.items ? <Bones rows={6} /> : rows.length ? <RunTable runs={rows} at={at} zone={job.timezone} withJob={false} /> : <Empty title={state ? 'No run matches' : 'It has not run yet'} />}
        <More pages={pages} />
      </div>
    </>
  );
}
