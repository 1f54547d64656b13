// What was done, the newest first; new ones wait behind a pill.
import {runs} from '../../api/calls';
import {usePages} from '../../api/pages';
import type {Run, RunState} from '../../api/types';
import {liveLists} from '../../state/prefs';
import {go, query, setQuery} from '../../state/route';
import {Bones, Chip, Command, Empty, PageHead, Trouble} from '../../ui/basics';
import {More, NewPill} from '../../ui/list';
import {wordOf} from '../../ui/outcomes';
import {useRowCursor} from '../../ui/rows';
import {RunTable} from './run_rows';

const STATES: RunState[] = ['RUNNING', 'READY', 'RETRYING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'DEAD', 'CANCELLED'];
const SPANS: [string, string, number][] = [['1h', 'last hour', 3_600_000], ['1d', 'last day', 86_400_000], ['7d', 'last week', 7 * 86_400_000]];

export default function Runs() {
  const state = query.value.get('state') ?? '';
  const span = query.value.get('span') ?? '';
  const from = SPANS.find(([key]) => key === span)?.[2];
  const pages = usePages<Run>(`runs:${state}:${span}`, (cursor) => runs.list({state, from: from && new Date(Math.floor((Date.now() - from) / 60_000) * 60_000).toISOString(), cursor, limit: 100}), {
    id: (run) => run.run_id,
    on: (news) => news.kind === 'runs',
  });
  const rows = pages.items ?? [];
  const at = useRowCursor(rows, {open: (run) => go(`/runs/${run.run_id}`)});
  return (
    <>
      <PageHead title="Runs" sub="Live ones first, then by when they ended.">
        <label class="check dim">
          <input type="checkbox" checked={liveLists.value} onChange={(event) => (liveLists.value = event.currentTarget.checked)} />
          live
        </label>
      </PageHead>
      <div class="chips">
        {STATES.map((each) => (
          <Chip key={each} on={state === each} onClick={() => setQuery({state: state === each ? '' : each})}>{wordOf(each).toLowerCase()}</Chip>
        ))}
        <span class="grow" />
        {SPANS.map(([key, text]) => (
          <Chip key={key} on={span === key} onClick={() => setQuery({span: span === key ? '' : key})}>{text}</Chip>
        ))}
      </div>
      <NewPill pages={pages} />
      {pages.problem && <Trouble problem={pages.problem} retry={pages.reload} />}
      <div class="card flush">
        {!pages.items ? (
          <div style={{padding: '4px 16px'}}><Bones rows={10} /></div>
        ) : rows.length ? (
          <RunTable runs={rows} at={at} withJob />
        ) : state || span ? (
          <Empty title="No run matches"><a class="btn" href="/runs">Show all runs</a></Empty>
        ) : (
          <Empty title="Nothing has run yet"><p>A job makes runs when it ticks, or at once:</p><Command text="belfry run NAME" /></Empty>
        )}
        <More pages={pages} />
      </div>
    </>
  );
}
