// What the worker shows, also while it goes on: follows while its end is in view, searches, downloads.
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {runs} from '../../api/calls';
import {useLoad} from '../../api/load';
import {Refusal} from '../../api/client';
import type {RunDetail, RunLog} from '../../api/types';
import {shortTime} from '../../time/format';
import {Bones, Command} from '../../ui/basics';
import {asBelfry} from '../../ui/copy';
import {ansiSpans} from './ansi';

const NEAR_END = 24; // pixels

// No output yet is not an error.
async function readLog(run: string, attempt?: number): Promise<RunLog | null> {
  try {
    return await runs.log(run, attempt);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

export function Log({run, zone}: {run: RunDetail; zone: string}) {
  const [attempt, setAttempt] = useState<number>();
  const running = run.state === 'RUNNING';
  const {data, busy, reload} = useLoad(`log:${run.run_id}:${attempt ?? ''}`, () => readLog(run.run_id, attempt), running ? {every: 1000} : {});
  useEffect(reload, [run.state, run.attempts]); // the end of an attempt brings its last words
  const [search, setSearch] = useState('');
  const [wrap, setWrap] = useState(true);
  const lines = (data?.log ?? '').replace(/\n$/, '').split('\n');
  const needle = search.toLowerCase();
  const shown = needle ? lines.filter((line) => line.toLowerCase().includes(needle)) : lines;
  const following = useFollow(data?.log, running);
  return (
    <section>
      <div class="card-head log-head">
        <h2>Log{data ? `, attempt ${data.attempt}` : ''}</h2>
        <div class="row tight wrap">
          {run.attempts > 1 && (
            <select aria-label="Attempt" value={attempt ?? ''} onChange={(event) => setAttempt(Number(event.currentTarget.value) || undefined)}>
              <option value="">last</option>
              {Array.from({length: run.attempts}, (_, i) => <option key={i} value={i + 1}>attempt {i + 1}</option>)}
            </select>
          )}
          {data?.log && (
            <>
              <input type="search" aria-label="Search in the log" placeholder="Search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
              <label class="check small"><input type="checkbox" checked={wrap} onChange={(event) => setWrap(event.currentTarget.checked)} /> wrap</label>
              <button type="button" class="btn small" onClick={() => download(run, data)}>Download</button>
            </>
          )}
        </div>
      </div>
      {data?.progress && data.progress.total > 0 && <progress class="log-progress" max={data.progress.total} value={data.progress.done} aria-label={`${data.progress.done} of ${data.progress.total}`} />}
      <div ref={following.box} class="log mono" tabIndex={0} role="log" aria-label="Log" aria-live="off" onScroll={following.onScroll}>
        {data?.log ? (
          <pre class={wrap ? '' : 'nowrap-lines'}>{shown.map((line, i) => <Line key={i} text={line} />)}</pre>
        ) : busy && data === undefined ? (
          <Bones rows={3} />
        ) : (
          <p class="muted">{running ? 'It is running and has shown nothing yet.' : run.attempts === 0 ? 'It has not begun.' : 'It showed nothing.'}</p>
        )}
      </div>
      <p class="muted small log-foot">
        {data?.log && `${shown.length.toLocaleString('en')} ${shown.length === 1 ? 'line' : 'lines'}${needle ? ` of ${lines.length.toLocaleString('en')}` : ''} · `}
        {running ? (following.active ? 'following' : 'scroll to the end to follow') : data && `last news ${shortTime(Date.parse(data.updated_at), zone, Date.now(), true)} ${zone}`}
      </p>
      {!data?.log && <Command text={asBelfry('runs', 'log', run.run_id)} />}
    </section>
  );
}

const Line = ({text}: {text: string}) => (
  <>
    {ansiSpans(text).map((span, i) => (span.tone ? <span key={i} class={span.tone}>{span.text}</span> : span.text))}
    {'\n'}
  </>
);

function useFollow(log: string | undefined, running: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(true);
  useLayoutEffect(() => {
    if (active && running && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [log, active, running]);
  const onScroll = (): void => {
    const at = box.current;
    if (at) setActive(at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_END);
  };
  return {box, active, onScroll};
}

function download(run: RunDetail, log: RunLog): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([log.log], {type: 'text/plain'}));
  link.download = `${run.run_id}-${log.attempt}.log`;
  link.click();
  URL.revokeObjectURL(link.href);
}
