// Something done to every job that matches, by the server: first how many and which, then it begins. It goes on without
// this page; how far it is stands above the list.
import {useEffect, useState} from 'preact/hooks';
import {bulk} from '../../api/calls';
import {Refusal} from '../../api/client';
import type {BulkTrial, JobSelector, JobsBulk} from '../../api/types';
import {attempt} from '../../state/toasts';
import {Bones, Field, Trouble} from '../../ui/basics';
import {asBelfry, asCurl, copyText} from '../../ui/copy';
import {Dialog} from '../../ui/dialog';
import {PauseFields, pauseBody, pauseWords, type PauseTerms} from '../job/actions';
import {ACTIONS, beginWork, type ActionName} from './bulk_work';
import {flagsOf, wordsOf} from './selector';

const labelsOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(/[\s,]+/).filter((each) => each.includes('=')).map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]));
const removedOf = (text: string): string[] => text.split(/[\s,]+/).filter((each) => /^[^=]+-$/.test(each)).map((each) => each.slice(0, -1));

const count = (trial: BulkTrial): string => `${trial.exact ? '' : 'at least '}${trial.matched.toLocaleString('en')}`;

export function BulkDialog({action, selector, done}: {action: ActionName; selector: JobSelector; done: () => void}) {
  const {verb, danger} = ACTIONS[action];
  const [trial, setTrial] = useState<BulkTrial>();
  const [problem, setProblem] = useState<Refusal>();
  const [terms, setTerms] = useState<PauseTerms>({why: '', until: ''});
  const [labels, setLabels] = useState('');
  const [typed, setTyped] = useState('');
  useEffect(() => {
    bulk.look({action, selector, ...(action === 'label' ? {set: {x: 'y'}} : {})}).then(setTrial, (error: unknown) => error instanceof Refusal && setProblem(error));
  }, []);
  const body: JobsBulk = {
    action, selector,
    ...(action === 'pause' ? pauseBody(terms) : {}),
    ...(action === 'label' ? {...(Object.keys(labelsOf(labels)).length ? {set: labelsOf(labels)} : {}), ...(removedOf(labels).length ? {remove: removedOf(labels)} : {})} : {}),
  };
  const says = action !== 'label' || body.set !== undefined || body.remove !== undefined;
  const sure = !danger || !trial || trial.matched < 2 || typed.replaceAll(',', '') === String(trial.matched);
  const command = asBelfry(action === 'trigger' ? 'run' : action === 'delete' ? 'rm' : action, ...(action === 'label' ? labels.split(/[\s,]+/).filter(Boolean) : []), ...flagsOf(selector), ...(action === 'pause' ? pauseWords(terms) : []));
  const begin = (): Promise<boolean> =>
    attempt(async () => {
      await beginWork(body);
      done();
    });
  return (
    <Dialog title={trial ? `${verb} ${count(trial)} ${trial.matched === 1 ? 'job' : 'jobs'}` : `${verb}: looking which jobs match`} action={verb} danger={danger} disabled={!trial?.matched || !sure || !says} onSubmit={begin}
      extra={<><button type="button" class="btn quiet" onClick={() => void copyText(command)}>Copy as belfry</button><button type="button" class="btn quiet" onClick={() => void copyText(asCurl('POST', '/jobs:bulk', body))}>Copy as curl</button></>}>
      {problem && <Trouble problem={problem} />}
      {!trial && !problem && <Bones rows={3} />}
      {trial && (
        <>
          <p class="dim">{wordsOf(selector)[0]!.toUpperCase() + wordsOf(selector).slice(1)}. The server does it job by job and goes on without this page; each job has its row in the audit.</p>
          {trial.matched === 0 ? <p class="box">No job matches.</p> : (
            <ul class="samples">
              {trial.samples.map((sample) => <li key={sample.job_id}>{sample.job_name}</li>)}
              {trial.matched > trial.samples.length && <li class="muted">and {(trial.matched - trial.samples.length).toLocaleString('en')} more</li>}
            </ul>
          )}
        </>
      )}
      {action === 'pause' && <PauseFields terms={terms} onChange={setTerms} />}
      {action === 'label' && <Field label="Labels to set, and to take away" autofocus class="mono" placeholder="tier=1 env-" value={labels} onText={setLabels} hint="name=value sets, name- takes away; several with blanks between them" />}
      {danger && trial && trial.matched > 1 && <Field label={`This cannot be undone. Type ${trial.matched} to go on`} value={typed} onText={setTyped} />}
    </Dialog>
  );
}
