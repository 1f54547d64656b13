// Paste a crontab, see what each line means, bring it over: paused, so that nothing runs twice.
import {useState} from 'preact/hooks';
import {jobs} from '../../api/calls';
import {useSentence} from '../../api/rows';
import type {JobBatchItem, JobSummary} from '../../api/types';
import {zones} from '../../editor/schedule_editor';
import {attempt} from '../../state/toasts';
import {localZone} from '../../time/format';
import {Card, Command, Empty, PageHead, Pill, TextArea} from '../../ui/basics';
import {readCrontab, type Line} from './crontab';

const EXAMPLE = '15 3 * * * /usr/local/bin/backup.sh\n*/10 * * * * /usr/local/bin/sync-orders --quiet\n0 9 * * 1-5 /usr/local/bin/report';

export default function Import() {
  const [text, setText] = useState('');
  const [zone, setZone] = useState(localZone);
  const [paused, setPaused] = useState(true);
  const [result, setResult] = useState<JobBatchItem[]>();
  const lines = readCrontab(text, zone);
  const ready = lines.filter((line) => line.job);
  const bring = (): Promise<boolean> =>
    attempt(async () => {
      const answer = await jobs.importAll(ready.map((line) => line.job!), paused);
      setResult(answer.items);
    }, 'Imported');
  return (
    <>
      <PageHead title="Import a crontab" crumbs={<a href="/jobs">Jobs</a>} sub="Each line becomes a job. Nothing is written before you say so.">
        <button type="button" class="btn main" disabled={ready.length === 0} onClick={() => void bring()}>Import {ready.length || ''} {ready.length === 1 ? 'job' : 'jobs'}</button>
      </PageHead>
      <div class="cols even">
        <Card title="Crontab">
          <div class="stack">
            <TextArea label="Paste the output of crontab -l" rows={14} value={text} onText={(value) => (setText(value), setResult(undefined))} />
            <div class="row wrap">
              <label class="row tight">Zone <input list="import-zones" value={zone} onInput={(event) => setZone(event.currentTarget.value)} /></label>
              <datalist id="import-zones">{zones.map((each) => <option key={each} value={each} />)}</datalist>
              <label class="check"><input type="checkbox" checked={paused} onChange={(event) => setPaused(event.currentTarget.checked)} /> arrive paused</label>
              {!text && <button type="button" class="linkish" onClick={() => setText(EXAMPLE)}>try an example</button>}
            </div>
            <p class="muted small">With a report of what changes meaning, and for systemd timers and Kubernetes CronJobs:</p>
            <Command text="crontab -l | belfry import crontab - --tz Europe/Berlin" />
          </div>
        </Card>
        <Card title="What it becomes" flush>
          {lines.length === 0 ? (
            <Empty title="Nothing pasted yet" />
          ) : (
            <div class="table">
              <table>
                <thead><tr><th class="num">Line</th><th>State</th><th>Job</th><th>Schedule</th></tr></thead>
                <tbody>{lines.map((line) => <Row key={line.number} line={line} outcome={result?.[ready.indexOf(line)]} />)}</tbody>
              </table>
            </div>
          )}
        </Card>
      </div>
    </>
  );
}

function Row({line, outcome}: {line: Line; outcome: JobBatchItem | undefined}) {
  return (
    <tr>
      <td class="num muted">{line.number}</td>
      <td>{outcome ? <Outcome outcome={outcome} /> : line.job ? <Pill kind={line.note ? 'late' : 'wait'}>{line.note ? 'Look' : 'Ready'}</Pill> : <Pill kind="skip">Left out</Pill>}</td>
      <td class="max" title={line.text}>{outcome && outcome.outcome !== 'REFUSED' && 'job_id' in outcome ? <a class="name" href={`/jobs/${outcome.job_id}`}>{outcome.job_name}</a> : line.job ? <span class="name">{line.job.job_name}</span> : <code>{line.text}</code>}</td>
      <td class="fill dim">{outcome?.outcome === 'REFUSED' ? <span class="bad">{outcome.errors[0]?.message}</span> : line.note ?? (line.job && <Meaning line={line} />)}</td>
    </tr>
  );
}

const Outcome = ({outcome}: {outcome: JobBatchItem}) => <Pill kind={outcome.outcome === 'REFUSED' ? 'bad' : 'ok'}>{outcome.outcome[0] + outcome.outcome.slice(1).toLowerCase()}</Pill>;

const Meaning = ({line}: {line: Line}) => <>{useSentence(line.job as unknown as JobSummary) ?? line.job?.cron_expression}</>;
