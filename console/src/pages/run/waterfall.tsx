// From the tick to the end: due, decided, each attempt, the waits between.
import type {RunDetail} from '../../api/types';
import {Twin} from '../../charts/twin';
import {now} from '../../state/clock';
import {shortDuration} from '../../time/duration';
import {preciseClock} from '../../time/format';
import {originWord} from '../../ui/outcomes';

interface Hop {
  name: string;
  from: number;
  to: number;
  tone: 'accent' | 'ok' | 'bad' | 'skip' | 'run';
  when: string;
  note: string;
}

const WORDS: Record<string, string> = {SUCCEEDED: 'succeeded', FAILED: 'failed', TIMED_OUT: 'timed out', LEASE_LOST: 'its worker fell silent', CANCELLED: 'cancelled'};

export function hopsOf(run: RunDetail, zone: string, present: number): Hop[] {
  const decided = Date.parse(run.decided_at);
  const tick = Date.parse(run.scheduled_for);
  const due = run.origin === 'SCHEDULE' ? tick : decided; // others begin when they were asked for
  const plus = (at: number): string => `+${shortDuration(Math.max(0, at - due))}`;
  const hops: Hop[] = [
    {name: run.origin === 'SCHEDULE' ? 'due' : 'asked for', from: due, to: due, tone: 'accent', when: preciseClock(due, zone), note: run.origin === 'SCHEDULE' ? `tick of version ${run.job_version}` : originWord(run.origin)},
    {name: 'decided', from: Math.min(due, decided), to: decided, tone: 'accent', when: plus(decided), note: `by ${run.node_id.slice(0, 12)}, epoch ${run.epoch}`},
  ];
  let free = decided;
  const wait = (to: number, first: boolean): void => {
    if (to - free > 1) hops.push({name: 'waiting', from: free, to, tone: 'skip', when: shortDuration(to - free), note: first ? 'for a worker' : 'before the next attempt'});
  };
  run.attempt_history.forEach((attempt, i) => {
    const from = Date.parse(attempt.started_at);
    const to = Date.parse(attempt.finished_at);
    wait(from, i === 0);
    hops.push({name: `attempt ${attempt.attempt}`, from, to, tone: attempt.outcome === 'SUCCEEDED' ? 'ok' : attempt.outcome === 'CANCELLED' ? 'skip' : 'bad', when: `${plus(from)}, took ${shortDuration(to - from)}`, note: attempt.error ?? `${WORDS[attempt.outcome] ?? attempt.outcome}, ${attempt.worker}`});
    free = to;
  });
  if (run.state === 'RUNNING' && run.started_at) {
    const from = Date.parse(run.started_at);
    wait(from, run.attempt_history.length === 0);
    hops.push({name: `attempt ${run.attempts}`, from, to: present, tone: 'run', when: `${plus(from)}, running`, note: run.worker ?? ''});
  } else if (run.state === 'READY' || run.state === 'RETRYING') {
    wait(present, run.attempt_history.length === 0);
  }
  return hops;
}

const LEFT = 92;
const BAR = 560;
const TALL = 27;

export function Waterfall({run, zone}: {run: RunDetail; zone: string}) {
  const live = run.state === 'RUNNING' || run.state === 'READY' || run.state === 'RETRYING';
  const hops = hopsOf(run, zone, live ? now.value : Date.parse(run.finished_at ?? run.decided_at));
  const first = Math.min(...hops.map((hop) => hop.from));
  const last = Math.max(first + 1, ...hops.map((hop) => hop.to));
  const x = (at: number): number => LEFT + ((at - first) / (last - first)) * BAR;
  const table = () => ({head: ['Hop', 'When', 'Note'], rows: hops.map((hop) => [hop.name, hop.when, hop.note])});
  return (
    <Twin name="Hop by hop" table={table}>
      <div class="waterfall" role="img" aria-label={hops.map((hop) => `${hop.name} ${hop.when}`).join(', ')}>
        {hops.map((hop, i) => (
          <div class="hop" key={i}>
            <span>{hop.name}</span>
            <svg viewBox={`${LEFT} 0 ${BAR + 4} ${TALL}`} preserveAspectRatio="none" height={TALL} width="100%">
              <rect x={x(hop.from)} y={6} width={Math.max(3, x(hop.to) - x(hop.from))} height={15} rx={3} fill={`var(--${hop.tone})`} fill-opacity={hop.tone === 'skip' ? 0.35 : 0.85} />
            </svg>
            <span class="muted clip">{hop.when}</span>
            <span class="muted clip" title={hop.note}>{hop.note}</span>
          </div>
        ))}
      </div>
    </Twin>
  );
}
