// Twenty runs at a glance: height is duration, colour and shape are the outcome.
import type {Run} from '../api/types';
import {isLive, kindOf, tookOf} from '../ui/outcomes';

const WIDTH = 6;
const HEIGHT = 20;
const COLOURS = {ok: 'var(--ok)', bad: 'var(--bad)', late: 'var(--late)', run: 'var(--run)', wait: 'var(--skip)', off: 'var(--skip)', skip: 'var(--skip)'};

function Mark({run, x, height}: {run: Run; x: number; height: number}) {
  const kind = kindOf(run.state);
  if (kind === 'bad') {
    return (
      <>
        <rect x={x} y={HEIGHT - height - 2} width={4} height={height + 2} fill={COLOURS.bad} />
        <path d={`M${x} ${HEIGHT}l2-4l2 4z`} fill="var(--surface)" />
      </>
    );
  }
  if (isLive(run.state) || kind === 'off') {
    return <rect x={x + 0.75} y={HEIGHT - 9.25} width={2.5} height={8.5} fill="none" stroke={COLOURS[kind]} stroke-width={1.3} />;
  }
  return <rect x={x} y={HEIGHT - height} width={4} height={height} rx={1} fill={COLOURS[kind]} opacity={0.8} />;
}

export function Strip({runs, places = 20}: {runs: Run[]; places?: number}) {
  const shown = runs.slice(0, places).reverse(); // the newest is at the right
  const longest = Math.max(1, ...shown.map((run) => tookOf(run) ?? 0));
  const failed = shown.filter((run) => kindOf(run.state) === 'bad').length;
  const offset = (places - shown.length) * WIDTH;
  return (
    <svg width={places * WIDTH} height={HEIGHT} role="img" aria-label={`last ${shown.length} runs, ${failed} failed`}>
      <line x1={0} x2={places * WIDTH - 2} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="var(--line)" />
      {shown.map((run, i) => (
        <Mark key={run.run_id} run={run} x={offset + i * WIDTH} height={4 + 14 * Math.sqrt((tookOf(run) ?? 0) / longest)} />
      ))}
    </svg>
  );
}
