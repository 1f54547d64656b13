// Which jobs: kept in the address, so that a view can be shared, and by name in this browser.
import {useEffect, useRef, useState} from 'preact/hooks';
import {cluster} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Count, JobStatus} from '../../api/types';
import {savedViews} from '../../state/prefs';
import {go, query, setQuery} from '../../state/route';
import {Chip, Field} from '../../ui/basics';
import {Dialog, showDialog} from '../../ui/dialog';
import {Menu} from '../../ui/menu';

const STATUSES: JobStatus[] = ['ACTIVE', 'PAUSED', 'COMPLETED', 'CANCELLED'];
// What is not counted to its end is a lower bound; active jobs are what is left of all, so theirs is near.
const counted = (count?: Count, bound = '≥ '): string => (count ? ` ${count.exact ? '' : bound}${count.value.toLocaleString('en')}` : '');

export function Filters({shown, more}: {shown: number; more: boolean}) {
  const stats = useLoad('stats', cluster.stats, {every: 10_000});
  const status = query.value.get('status') ?? '';
  const type = query.value.get('type');
  const failing = query.value.get('failing') === 'true';
  const labels = query.value.getAll('label');
  return (
    <div class="chips">
      <SearchBox />
      {STATUSES.map((each) => (
        <Chip key={each} on={status === each} onClick={() => setQuery({status: status === each ? '' : each})}>
          {each.toLowerCase()}
          {counted(stats.data?.jobs[each.toLowerCase() as 'active'], each === 'ACTIVE' ? '≈ ' : '≥ ')}
        </Chip>
      ))}
      <Chip on={failing} onClick={() => setQuery({failing: failing ? '' : 'true'})}>failing{counted(stats.data?.jobs.failing)}</Chip>
      {type && <Chip on onClick={() => setQuery({type: ''})}>type = {type} ×</Chip>}
      {labels.map((label) => (
        <Chip key={label} on onClick={() => setQuery({label: labels.filter((each) => each !== label)})}>{label} ×</Chip>
      ))}
      <Chip on={false} onClick={() => showDialog(() => <LabelDialog labels={labels} />)}>label…</Chip>
      <span class="grow" />
      <Views />
      <span class="muted small">{shown.toLocaleString('en')}{more ? '+' : ''} shown</span>
    </div>
  );
}

function SearchBox() {
  const [text, setText] = useState(query.value.get('q') ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const current = query.value.get('q') ?? '';
  const asked = useRef(current);
  useEffect(() => {
    if (current !== asked.current) setText(current); // not our own words, which may have grown since
    asked.current = current;
  }, [current]);
  const search = (value: string): void => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({q: (asked.current = value)}), 150);
  };
  return <input type="search" data-search aria-label="Search jobs by name" placeholder="Name contains…   /" value={text} onInput={(event) => search(event.currentTarget.value)} onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()} />;
}

function LabelDialog({labels}: {labels: string[]}) {
  const [text, setText] = useState('');
  const good = /^[^=]+=.*$/.test(text);
  return (
    <Dialog title="Only jobs with a label" action="Show" disabled={!good} onSubmit={() => setQuery({label: [...labels, text]})}>
      <Field label="Label" autofocus placeholder="team=billing" value={text} onText={setText} hint="key=value; several must all match" />
    </Dialog>
  );
}

function Views() {
  const address = query.value.toString();
  const views = savedViews.value;
  if (!address && views.length === 0) return null;
  return (
    <Menu
      label="Saved views"
      text="Views"
      entries={[
        ...views.map((view) => ({text: view.name, run: () => go(`/jobs?${view.query}`)})),
        ...(views.length ? (['line'] as const) : []),
        ...(address ? [{text: 'Save this view…', run: () => showDialog(() => <SaveDialog address={address} />)}] : []),
        ...views.filter((view) => view.query === address).map((view) => ({text: `Forget “${view.name}”`, run: () => void (savedViews.value = views.filter((each) => each !== view))})),
      ]}
    />
  );
}

function SaveDialog({address}: {address: string}) {
  const [name, setName] = useState('');
  return (
    <Dialog title="Save this view" action="Save" disabled={!name.trim()} onSubmit={() => void (savedViews.value = [...savedViews.value.filter((view) => view.name !== name), {name, query: address}])}>
      <Field label="Name" autofocus value={name} onText={setName} hint="Kept in this browser. To share it, copy the address." />
    </Dialog>
  );
}
