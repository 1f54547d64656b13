// The daily list: find, look, act on what matches.
import {useState} from 'preact/hooks';
import {jobs} from '../../api/calls';
import type {Query} from '../../api/client';
import {usePages} from '../../api/pages';
import type {JobSummary} from '../../api/types';
import {go, query} from '../../state/route';
import {mayOperate} from '../../state/session';
import {Bones, Command, Empty, PageHead, Trouble} from '../../ui/basics';
import {More, NewPill} from '../../ui/list';
import {useRowCursor} from '../../ui/rows';
import {runNow, togglePause} from '../job/actions';
import {BulkBar} from './bulk_bar';
import {BulkWork} from './bulk_work';
import {Filters} from './filters';
import {JobRow} from './job_row';
import './jobs.css';

export function filterOf(from: URLSearchParams): Query {
  return {q: from.get('q') ?? '', status: from.get('status') ?? '', job_type: from.get('type') ?? '', failing: from.get('failing') ?? '', label: from.getAll('label')};
}

export default function Jobs() {
  const filter = filterOf(query.value);
  const isFiltered = Object.values(filter).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)));
  const pages = usePages<JobSummary>(`jobs:${JSON.stringify(filter)}`, (cursor) => jobs.list({...filter, cursor, limit: 50}), {
    id: (job) => job.job_id,
    on: (news) => news.kind === 'jobs',
  });
  const [selected, setSelected] = useState<Map<string, JobSummary>>(new Map());
  const toggle = (job: JobSummary): void => {
    const next = new Map(selected);
    if (!next.delete(job.job_id)) next.set(job.job_id, job);
    setSelected(next);
  };
  const rows = pages.items ?? [];
  const at = useRowCursor(rows, {
    open: (job) => go(`/jobs/${job.job_id}`),
    keys: mayOperate.value ? {x: toggle, p: togglePause, r: (job) => void runNow(job), e: (job) => go(`/jobs/${job.job_id}/edit`)} : {},
  });
  return (
    <>
      <PageHead title="Jobs">
        {mayOperate.value && (
          <>
            <a class="btn" href="/jobs/import">Import crontab</a>
            <a class="btn main" href="/jobs/new">New job</a>
          </>
        )}
      </PageHead>
      <Filters shown={rows.length} more={pages.more !== undefined} />
      <BulkWork />
      <NewPill pages={pages} />
      {pages.problem && <Trouble problem={pages.problem} retry={pages.reload} />}
      {selected.size > 0 && <BulkBar selected={[...selected.values()]} filter={filter} clear={() => setSelected(new Map())} done={pages.reload} />}
      <div class={`card flush ${selected.size ? 'below-bulk' : ''}`}>
        {!pages.items ? (
          <div class="pad"><Bones rows={10} /></div>
        ) : rows.length === 0 ? (
          <NoJobs isFiltered={isFiltered} />
        ) : (
          <div class="table">
            <table>
              <thead>
                <tr>
                  {mayOperate.value && <th class="c1"><input type="checkbox" aria-label="Select all shown" checked={rows.length > 0 && rows.every((job) => selected.has(job.job_id))} onChange={(event) => setSelected(event.currentTarget.checked ? new Map(rows.map((job) => [job.job_id, job])) : new Map())} /></th>}
                  <th>State</th>
                  <th>Job</th>
                  <th class="c2">Schedule</th>
                  <th class="c4">Zone</th>
                  <th class="num narrow-only">Next</th>
                  <th class="c1">Next</th>
                  <th class="c3">Last 20 runs</th>
                  <th class="num c4">Usual</th>
                  <th class="c4">Type</th>
                </tr>
              </thead>
              <tbody data-rows>
                {rows.map((job, i) => (
                  <JobRow key={job.job_id} job={job} at={i === at} selected={selected.has(job.job_id)} onSelect={mayOperate.value ? toggle : undefined} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        <More pages={pages} />
      </div>
    </>
  );
}

const NoJobs = ({isFiltered}: {isFiltered: boolean}) =>
  isFiltered ? (
    <Empty title="No job matches">
      <a class="btn" href="/jobs">Show all jobs</a>
    </Empty>
  ) : (
    <Empty title="No jobs yet">
      <p>Make one here, bring the crontab you have, or type:</p>
      <Command text="belfry add hello --every 10s --exec 'echo hello from belfry'" />
      <div class="row">
        <a class="btn main" href="/jobs/new">New job</a>
        <a class="btn" href="/jobs/import">Import a crontab</a>
      </div>
    </Empty>
  );
