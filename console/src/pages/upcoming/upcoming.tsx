// How much comes when: the herd at the full hour, before it comes.
import {useState} from 'preact/hooks';
import {cluster, jobs} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Forecast, JobSummary} from '../../api/types';
import {Heatmap, type HeatCell} from '../../charts/heatmap';
import {Twin} from '../../charts/twin';
import {query, setQuery} from '../../state/route';
import {clock, dayName, fullTime, localZone, shownZone} from '../../time/format';
import {Bones, Card, Empty, PageHead, Segmented, Trouble} from '../../ui/basics';
import {Countdown, Time, ZoneName} from '../../ui/time';
import {Spread} from './spread';

const HOUR = 3_600_000;
const MINUTE = 60_000;

interface Grid {
  cells: HeatCell[][];
  rows: string[];
  columns: string[];
  tall: number;
  span: number; // of a cell
  at: (row: number, column: number) => number;
}

const sum = (minutes: number[], from: number, count: number): number => {
  let total = 0;
  for (let i = Math.max(0, from); i < from + count; ++i) total += minutes[i] ?? 0;
  return total;
};

// A day: rows are hours, columns minutes.
function dayGrid(forecast: Forecast, zone: string): Grid {
  const from = Date.parse(forecast.from);
  const first = Math.floor(from / HOUR) * HOUR;
  const offset = Math.round((from - first) / MINUTE);
  const at = (row: number, column: number): number => first + row * HOUR + column * MINUTE;
  const cells = Array.from({length: 24}, (_, y) => Array.from({length: 60}, (_unused, x) => {
    const value = sum(forecast.minutes, y * 60 + x - offset, 1);
    return {value, name: `${clock(at(y, x), zone)}: ${value} ${value === 1 ? 'tick' : 'ticks'}`};
  }));
  return {cells, rows: cells.map((_, y) => clock(at(y, 0), zone)), columns: Array.from({length: 60}, (_, x) => (x % 10 === 0 ? `:${String(x).padStart(2, '0')}` : '')), tall: 17, span: MINUTE, at};
}

// A week: rows are days, columns hours.
function weekGrid(forecast: Forecast, zone: string): Grid {
  const from = Date.parse(forecast.from);
  const first = Math.floor(from / HOUR) * HOUR;
  const offset = Math.round((from - first) / MINUTE);
  const at = (row: number, column: number): number => first + (row * 24 + column) * HOUR;
  const cells = Array.from({length: 7}, (_, y) => Array.from({length: 24}, (_unused, x) => {
    const value = sum(forecast.minutes, (y * 24 + x) * 60 - offset, 60);
    return {value, name: `${dayName(at(y, x), zone)} ${clock(at(y, x), zone)}: ${value} ticks`};
  }));
  return {cells, rows: cells.map((_, y) => dayName(at(y, 0), zone)), columns: Array.from({length: 24}, (_, x) => (x % 3 === 0 ? clock(at(0, x), zone) : '')), tall: 40, span: HOUR, at};
}

// Where the most ticks are, the first of equals: shown until another is picked.
function busiest(cells: HeatCell[][]): [number, number] {
  const most = Math.max(...cells.flat().map((cell) => cell.value));
  const row = cells.findIndex((line) => line.some((cell) => cell.value === most));
  return [row, cells[row]?.findIndex((cell) => cell.value === most) ?? 0];
}

export default function Upcoming() {
  const span = query.value.get('span') === '7d' ? '7d' : '24h';
  const {data, problem, reload} = useLoad(`forecast:${span}`, () => cluster.forecast(span === '7d' ? 168 : 24), {every: 60_000, on: (news) => news.kind === 'jobs'});
  const [picked, setPicked] = useState<[number, number]>();
  const zone = shownZone(localZone);
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones rows={12} />;
  const grid = span === '7d' ? weekGrid(data, zone) : dayGrid(data, zone);
  const total = data.minutes.reduce((all, ticks) => all + ticks, 0);
  const table = () => ({head: ['When', 'Ticks'], rows: grid.cells.flatMap((row, y) => row.map((cell, x) => [fullTime(grid.at(y, x), zone), cell.value] as (string | number)[])).filter(([, value]) => value)});
  return (
    <>
      <PageHead title="Upcoming" sub={`${total.toLocaleString('en')} ticks in the next ${span === '7d' ? 'seven days' : '24 hours'}, in ${zone}${data.exact ? '' : ' (approximate)'}`}>
        <Segmented label="How far" options={[['24h', '24 hours'], ['7d', '7 days']] as const} value={span} onPick={(value) => (setPicked(undefined), setQuery({span: value === '24h' ? '' : value}))} />
      </PageHead>
      <Card title={span === '7d' ? 'Ticks an hour' : 'Ticks a minute'}>
        <Twin name="Upcoming ticks" table={table}>
          <div class="table" tabIndex={0} role="region" aria-label="Heatmap"><div style={{minWidth: '620px'}}>
            <Heatmap label="Upcoming ticks; the table has the numbers" {...grid} unit={span === '7d' ? 'ticks an hour' : 'ticks a minute'} picked={picked} onPick={(row, column) => setPicked([row, column])} />
          </div></div>
        </Twin>
      </Card>
      <div class="cols gap" style={{marginTop: '12px'}}>
        <Card title="Busiest minutes" flush><Worst forecast={data} zone={zone} /></Card>
        <InCell from={grid.at(...(picked ?? busiest(grid.cells)))} span={grid.span} zone={zone} />
      </div>
      <div style={{marginTop: '12px'}}><Spread key={span} hours={span === '7d' ? 168 : 24} zone={zone} onApplied={reload} /></div>
    </>
  );
}

function Worst({forecast, zone}: {forecast: Forecast; zone: string}) {
  const from = Date.parse(forecast.from);
  const worst = forecast.minutes.map((ticks, i) => ({at: from + i * MINUTE, ticks})).filter((minute) => minute.ticks > 1).sort((a, b) => b.ticks - a.ticks || a.at - b.at).slice(0, 8);
  if (worst.length === 0) return <Empty title="No minute has more than one tick" />;
  const most = worst[0]!.ticks;
  return (
    <div class="table">
      <table>
        <thead><tr><th>Minute<ZoneName zone={zone} /></th><th>From now</th><th class="num">Ticks</th><th><span class="sr">Share</span></th></tr></thead>
        <tbody>
          {worst.map((minute) => (
            <tr key={minute.at}>
              <td><Time at={minute.at} zone={zone} /></td>
              <td><Countdown at={minute.at} /></td>
              <td class="num strong">{minute.ticks.toLocaleString('en')}</td>
              <td class="fill"><svg width="100%" height="10" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width={(minute.ticks / most) * 100} height="10" rx="1" fill="var(--accent)" fill-opacity="0.7" /></svg></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function InCell({from, span, zone}: {from: number; span: number; zone: string}) {
  const {data} = useLoad('jobs:active:1000', () => jobs.list({status: 'ACTIVE', limit: 1000}));
  const inside = (data?.items ?? []).filter((job: JobSummary) => job.next_scheduled_run && Date.parse(job.next_scheduled_run) >= from && Date.parse(job.next_scheduled_run) < from + span);
  return (
    <Card title={`Next fire at ${fullTime(from, zone)}`} aside={data?.next_cursor && <span class="muted small">of the first 1,000 jobs by name</span>} flush>
      {inside.length === 0 ? (
        <Empty title="No job has its next fire here"><p class="muted">Jobs that fire again before it are not listed.</p></Empty>
      ) : (
        <div class="table"><table><thead class="sr"><tr><th>Job</th><th>Schedule</th></tr></thead><tbody>
          {inside.slice(0, 20).map((job) => <tr key={job.job_id}><td class="fill"><a class="name" href={`/jobs/${job.job_id}`}>{job.job_name}</a></td><td class="mono dim">{job.cron_expression ?? job.every}</td></tr>)}
        </tbody></table>{inside.length > 20 && <p class="more muted">and {inside.length - 20} more</p>}</div>
      )}
      <p class="muted small note">Click a cell to see its jobs.</p>
    </Card>
  );
}
