// What holds for all jobs of a type: how many at a time, how quickly, and what jobs have that do not say.
import {useState} from 'preact/hooks';
import {cluster, types} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {JobType, JobTypeDefinition, TypeCounts, TypeDefaults} from '../../api/types';
import {mayAdminister} from '../../state/session';
import {attempt, soon} from '../../state/toasts';
import {Bones, Card, Command, Empty, Field, Pill, Trouble} from '../../ui/basics';
import {asBelfry, copyText} from '../../ui/copy';
import {Dialog, showDialog} from '../../ui/dialog';

interface Known {
  items: JobType[];
  loads: Map<string, TypeCounts>;
}

async function read(): Promise<Known> {
  const [page, stats] = await Promise.all([types.list(), cluster.stats()]);
  return {items: page.items, loads: new Map(stats.types.map((each) => [each.job_type, each]))};
}

const DEFAULTS: [keyof TypeDefaults, string, string][] = [
  ['max_attempts', 'attempts', 'How often a run is tried'],
  ['timeout', 'timeout', 'How long an attempt may take (30s, 2h)'],
  ['start_within', 'start within', 'How long a run waits for somebody to start it'],
  ['misfire_grace', 'grace', 'How late a tick may be decided and still run'],
];

const limitsOf = (type: JobType): string =>
  [type.max_concurrent && `${type.max_concurrent.toLocaleString('en')} at a time`, type.rate && `${type.rate}${type.burst ? `, ${type.burst} at once` : ''}`].filter(Boolean).join(' · ');
const defaultsOf = (type: JobType): string => DEFAULTS.flatMap(([name, word]) => (type.defaults[name] === undefined ? [] : [`${word} ${type.defaults[name]}`])).join(' · ');

function Load({load}: {load: TypeCounts | undefined}) {
  if (!load) return <span class="muted">nothing</span>;
  return (
    <>
      {load.running.toLocaleString('en')} running{load.waiting > 0 && `, ${load.waiting.toLocaleString('en')} waiting`} {load.full && <Pill kind="late">Full</Pill>}
    </>
  );
}

export function Types() {
  const {data, problem, reload} = useLoad('types', read, {every: 5000});
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones />;
  const edit = (old?: JobType): void => showDialog(() => <TypeDialog old={old} done={reload} />);
  return (
    <Card title="What holds for all jobs of a type" aside={mayAdminister.value && <button type="button" class="btn small" onClick={() => edit()}>Limit a type…</button>} flush>
      {data.items.length === 0 ? (
        <Empty title="No type has limits or defaults">
          <p>A mail server that takes five connections, an API with a hundred calls a minute: said once, it holds in the whole cluster.</p>
          <Command text="belfry types put mail.send --max-concurrent 5 --rate 100/m" />
        </Empty>
      ) : (
        <div class="table"><table>
          <thead><tr><th>Type</th><th>Limits</th><th>Now</th><th class="c2">Defaults of its jobs</th><th class="c3">Changed by</th><th><span class="sr">Actions</span></th></tr></thead>
          <tbody>{data.items.map((type) => (
            <tr key={type.job_type}>
              <td><a class="name" href={`/jobs?type=${encodeURIComponent(type.job_type)}`}>{type.job_type}</a></td>
              <td>{limitsOf(type) || <span class="muted">none</span>}</td>
              <td><Load load={data.loads.get(type.job_type)} /></td>
              <td class="fill dim c2">{defaultsOf(type) || <span class="muted">none</span>}</td>
              <td class="muted c3">{type.updated_by}</td>
              <td class="right">
                {mayAdminister.value && (
                  <>
                    <button type="button" class="btn small" aria-label={`Change ${type.job_type}`} onClick={() => edit(type)}>Change…</button>{' '}
                    <button type="button" class="btn small quiet" aria-label={`Remove the limits of ${type.job_type}`} onClick={() => void soon(`${type.job_type} will have no limits and defaults`, () => types.remove(type.job_type), `${type.job_type} has no limits and defaults`).then(reload)}>Remove</button>
                  </>
                )}
              </td>
            </tr>
          ))}</tbody>
        </table></div>
      )}
    </Card>
  );
}

type Words = Record<'name' | 'most' | 'rate' | 'burst' | keyof TypeDefaults, string>;

function wordsOf(old: JobType | undefined): Words {
  const text = (value: unknown): string => (value === undefined ? '' : String(value));
  const {max_attempts, timeout, start_within, misfire_grace} = old?.defaults ?? {};
  return {
    name: old?.job_type ?? '', most: text(old?.max_concurrent), rate: text(old?.rate), burst: text(old?.burst),
    max_attempts: text(max_attempts), timeout: text(timeout), start_within: text(start_within), misfire_grace: text(misfire_grace),
  };
}

function definitionOf(words: Words): JobTypeDefinition {
  const defaults: TypeDefaults = {
    ...(words.max_attempts ? {max_attempts: Number(words.max_attempts)} : {}),
    ...(words.timeout ? {timeout: words.timeout} : {}),
    ...(words.start_within ? {start_within: words.start_within} : {}),
    ...(words.misfire_grace ? {misfire_grace: words.misfire_grace} : {}),
  };
  return {
    ...(words.most ? {max_concurrent: Number(words.most)} : {}),
    ...(words.rate ? {rate: words.rate} : {}),
    ...(words.burst ? {burst: Number(words.burst)} : {}),
    ...(Object.keys(defaults).length ? {defaults} : {}),
  };
}

function commandOf(words: Words): string {
  const flags: [string, string][] = [['--max-concurrent', words.most], ['--rate', words.rate], ['--burst', words.burst], ...DEFAULTS.map(([name]): [string, string] => [`--${name.replaceAll('_', '-')}`, words[name]])];
  return asBelfry('types', 'put', words.name, ...flags.flatMap(([flag, value]) => (value ? [flag, value] : [])));
}

function TypeDialog({old, done}: {old: JobType | undefined; done: () => void}) {
  const [words, setWords] = useState(wordsOf(old));
  const set = (name: keyof Words) => (text: string): void => setWords({...words, [name]: text.trim()});
  const save = (): Promise<boolean> =>
    attempt(async () => {
      await types.put(words.name, definitionOf(words));
      done();
    }, `${words.name} is kept; limits hold from now on`);
  return (
    <Dialog title={old ? `Change ${old.job_type}` : 'Limit a type'} action="Keep it" wide disabled={!words.name} onSubmit={save}
      extra={<button type="button" class="btn quiet" onClick={() => void copyText(commandOf(words))}>Copy as belfry</button>}>
      <p class="dim">Limits hold for the whole cluster. What runs already counts, but is not stopped. What is left empty is not limited.</p>
      {!old && <Field label="Type" autofocus value={words.name} onText={set('name')} hint="As the jobs have it; “default” for those that name none" />}
      <div class="fields">
        <Field label="Runs at a time" type="number" min="1" value={words.most} onText={set('most')} />
        <Field label="Starts" value={words.rate} onText={set('rate')} placeholder="100/m" hint="A number a second, minute or hour: 5/s, 100/m, 1/h" />
        <Field label="Starts at the same moment" type="number" min="1" value={words.burst} onText={set('burst')} hint="After a rest; only with a rate" />
      </div>
      <p class="label">What jobs have that do not say; taken when they are made or changed</p>
      <div class="fields">
        {DEFAULTS.map(([name, , about]) => <Field key={name} label={about} value={words[name]} onText={set(name)} {...(name === 'max_attempts' ? {type: 'number' as const, min: '1'} : {})} />)}
      </div>
    </Dialog>
  );
}
