// Ctrl K: every job, page and action by a few letters.
import {signal} from '@preact/signals';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {jobs} from '../api/calls';
import type {JobSummary} from '../api/types';
import {runNow, togglePause} from '../pages/job/actions';
import {theme} from '../state/prefs';
import {go} from '../state/route';
import {mayOperate} from '../state/session';
import {places} from './places';

const open = signal(false);
export const openPalette = (): void => void (open.value = true);
export const Palette = () => (open.value ? <PaletteBox /> : null);

interface Entry {
  text: string;
  kind: string;
  run: () => void;
}

const pages = (): Entry[] => [
  ...places.map((place) => ({text: place.name, kind: place.keys, run: () => go(place.to)})),
  ...(mayOperate.value ? [{text: 'New job', kind: 'action', run: () => go('/jobs/new')}, {text: 'Import a crontab', kind: 'action', run: () => go('/jobs/import')}] : []),
  {text: 'Light theme', kind: 'action', run: () => (theme.value = 'light')},
  {text: 'Dark theme', kind: 'action', run: () => (theme.value = 'dark')},
  {text: 'Theme of the system', kind: 'action', run: () => (theme.value = 'system')},
];

function entriesOf(job: JobSummary): Entry[] {
  const entries: Entry[] = [{text: job.job_name, kind: 'job', run: () => go(`/jobs/${job.job_id}`)}];
  if (!mayOperate.value) return entries;
  entries.push({text: `Run ${job.job_name} now`, kind: 'action', run: () => runNow(job)});
  if (job.status === 'ACTIVE' || job.status === 'PAUSED') {
    entries.push({text: `${job.status === 'PAUSED' ? 'Resume' : 'Pause'} ${job.job_name}`, kind: 'action', run: () => togglePause(job)});
  }
  entries.push({text: `Why did ${job.job_name} not run?`, kind: 'action', run: () => go(`/jobs/${job.job_id}/why`)});
  return entries;
}

function useFound(text: string): JobSummary[] {
  const [found, setFound] = useState<JobSummary[]>([]);
  useEffect(() => {
    const aborter = new AbortController();
    const timer = setTimeout(() => {
      jobs.list({q: text, limit: 12}, aborter.signal).then((page) => setFound(page.items), () => undefined);
    }, 80);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [text]);
  return found;
}

const RUN_ID = /^[0-9a-f]{32}$/;
const JOB_ID = /^[0-9a-f]{16}$/;

function PaletteBox() {
  const box = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = useFound(text.replace(/^(run|pause|resume|why)\s+/i, ''));
  // Before the next key comes: whoever types on at once must not type into the page below.
  useLayoutEffect(() => box.current?.showModal(), []);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (entry: Entry): boolean => words.every((word) => entry.text.toLowerCase().includes(word));
  const byId: Entry[] = RUN_ID.test(text)
    ? [{text: `Run ${text}`, kind: 'run', run: () => go(`/runs/${text}`)}]
    : JOB_ID.test(text)
      ? [{text: `Job ${text}`, kind: 'job', run: () => go(`/jobs/${text}`)}]
      : [];
  const ofJobs = found.flatMap((job) => (words.length ? entriesOf(job) : entriesOf(job).slice(0, 1)));
  const entries = [...byId, ...pages().filter(fits), ...ofJobs.filter(fits)].slice(0, 40);
  const pick = (entry?: Entry): void => {
    if (!entry) return;
    box.current?.close();
    entry.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step) setAt((at + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') pick(entries[at]);
    else return;
    event.preventDefault();
  };
  useEffect(() => box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({block: 'nearest'}), [at]);
  return (
    <dialog ref={box} class="palette" aria-label="Find" onClose={() => (open.value = false)} onClick={(event) => event.target === box.current && box.current?.close()}>
      <input
        autofocus
        role="combobox"
        aria-label="Find a job, a page or an action"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={entries[at] ? `found-${at}` : undefined}
        placeholder="Find a job, a page, an action"
        value={text}
        onInput={(event) => (setText(event.currentTarget.value), setAt(0))}
        onKeyDown={onKey}
      />
      <ul id="found" role="listbox" aria-label="Found">
        {entries.map((entry, i) => (
          <li key={entry.text + entry.kind} id={`found-${i}`} role="option" aria-selected={i === at} onClick={() => pick(entry)} onPointerMove={() => setAt(i)}>
            <span class="clip">{entry.text}</span>
            <span class="kind">{entry.kind}</span>
          </li>
        ))}
        {entries.length === 0 && <li role="option" aria-selected="false" class="muted">Nothing by that name</li>}
      </ul>
    </dialog>
  );
}
