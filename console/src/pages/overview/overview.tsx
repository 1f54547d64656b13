// Is anything wrong, and what comes next?
import './overview.css';
import {DAY, firstJobs, lateRuns, readPicture, stuckRuns, type Picture} from '../../api/attention';
import {cluster} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Forecast, JobPage} from '../../api/types';
import {DayStrip, halfHours} from '../../charts/day';
import {LagChart, lagByMinute, quantile} from '../../charts/lag';
import {mayOperate} from '../../state/session';
import {shortDuration} from '../../time/duration';
import {Bones, Card, Trouble} from '../../ui/basics';
import {lagOf} from '../../ui/outcomes';
import {Attention} from './attention_list';
import {FirstSteps} from './first_steps';
import {HourHeat} from './hour_heat';
import {NextFires} from './next_fires';
import {TroubleList} from '../../ui/troubles';
import {headline, subline, wrong} from './words';

const LAG_GOAL_MS = 25;

export default function Overview() {
  const {data, problem, reload} = useLoad('overview', readPicture, {every: 15_000, on: () => true, calm: 4000});
  const forecast = useLoad('forecast:24h', () => cluster.forecast(24), {every: 60_000, on: (news) => news.kind === 'jobs', calm: 10_000}).data;
  const first = useLoad('jobs:first', firstJobs, {every: 20_000, on: (news) => news.kind === 'jobs', calm: 5000}).data;
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones rows={12} />;
  const {jobs} = data.stats;
  const none = jobs.active.value + jobs.paused.value + jobs.cancelled.value + jobs.completed.value === 0;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{headline(data)}</h1>
          <p class="sub">{subline(data, forecast)}</p>
        </div>
        {mayOperate.value && <div class="actions"><a class="btn main" href="/jobs/new">New job</a></div>}
      </div>
      {none ? <FirstSteps /> : <Board picture={data} forecast={forecast} first={first} />}
    </>
  );
}

function Tile({value, text, tone, to}: {value: string; text: string; tone?: string; to: string}) {
  return (
    <a class={`card tile ${tone ?? ''}`} href={to}>
      <b>{value}</b>
      <span>{text}</span>
    </a>
  );
}

const count = (value: number, open: boolean): string => value.toLocaleString('en') + (open ? '+' : '');

function Board({picture, forecast, first}: {picture: Picture; forecast: Forecast | undefined; first: JobPage | undefined}) {
  const {failing} = picture.stats.jobs;
  const late = lateRuns(picture.recent).length;
  const running = picture.stats.runs.running;
  const hour = picture.recent.filter((run) => Date.parse(run.scheduled_for) > picture.at - 3_600_000);
  const lags = hour.map(lagOf).filter((lag): lag is number => lag !== undefined).sort((a, b) => a - b);
  const oldest = picture.recent.at(-1)?.finished_at;
  return (
    <>
      <div class="tiles">
        <Tile value={count(failing.value, !failing.exact)} text="failing now" tone={failing.value ? 'is-bad' : ''} to="/jobs?failing=true" />
        <Tile value={count(late, !picture.allRecent)} text="late in the last day" tone={late ? 'is-late' : ''} to="/runs" />
        <Tile value={count(running.value, !running.exact)} text="running" to="/runs?state=RUNNING" />
        <Tile value={count(picture.dead.length, picture.moreDead)} text="dead letters" tone={picture.dead.length ? 'is-bad' : ''} to="/dead-letters" />
      </div>
      {wrong(picture).length > 0 && <Card title="What the cluster says is wrong" class="spaced" flush><TroubleList troubles={wrong(picture)} /></Card>}
      <div class="cols">
        <Card title="Needs attention" flush>
          <Attention failing={picture.failing} late={lateRuns(picture.recent)} stuck={stuckRuns(picture.recent, picture.at)} />
        </Card>
        <Card title="From tick to worker, last hour" aside={lags.length > 0 && <span class="muted">p50 <b class="ink">{shortDuration(quantile(lags, 0.5))}</b> · p99 <b class="ink">{shortDuration(quantile(lags, 0.99))}</b></span>}>
          {lags.length ? <LagChart minutes={lagByMinute(hour, picture.at)} goal={LAG_GOAL_MS} /> : <p class="muted">No tick became a run in the last hour.</p>}
        </Card>
        <Card title="Next fires" aside={first?.next_cursor && <span class="muted small">of the first 1,000 jobs by name</span>} flush>
          {first ? <NextFires jobs={first.items} /> : <Bones />}
        </Card>
        <Card title="Ticks in the next 24 hours" aside={<a class="small" href="/upcoming">By the minute</a>}>
          {forecast ? <HourHeat forecast={forecast} /> : <Bones />}
        </Card>
      </div>
      <Card title="The last day" class="gap-top" aside={!picture.allRecent && <span class="muted small">the newest 1,000 runs</span>}>
        <DayStrip columns={halfHours(picture.recent, picture.at)} since={picture.allRecent ? picture.at - DAY : oldest ? Date.parse(oldest) : undefined} />
      </Card>
    </>
  );
}
