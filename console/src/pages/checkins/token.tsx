// By which token a job reports, and the line that makes a crontab use it. A token is shown once, when it is made.
import {useEffect, useState} from 'preact/hooks';
import {checkins} from '../../api/calls';
import {Refusal} from '../../api/client';
import type {Checkin, Job, NewCheckin} from '../../api/types';
import {mayOperate} from '../../state/session';
import {attempt, soon} from '../../state/toasts';
import {Bones, Card, Command, Empty, Facts, Trouble} from '../../ui/basics';
import {quoted} from '../../ui/copy';
import {Dialog, showDialog} from '../../ui/dialog';
import {Time} from '../../ui/time';

export type Named = Pick<Job, 'job_id' | 'job_name' | 'cron_expression'>;

export type Known = Checkin | NewCheckin;

export interface Token {
  known: Known | null | undefined; // null: there is none; undefined: not known yet
  problem: Refusal | undefined;
  set: (token: Known | null) => void;
}

const isNew = (known: Known): known is NewCheckin => 'token' in known;

export function useToken(job: string): Token {
  const [known, set] = useState<Known | null>();
  const [problem, setProblem] = useState<Refusal>();
  useEffect(() => {
    let wanted = true;
    checkins.read(job).then(
      (found) => wanted && set(found),
      (error: unknown) => {
        if (!wanted || !(error instanceof Refusal)) return;
        if (error.status === 404) set(null);
        else setProblem(error);
      },
    );
    return () => void (wanted = false);
  }, [job]);
  return {known, problem, set};
}

// In a crontab % is a line break, and the server's address must be said where it is not the usual one.
export const crontabLine = (job: Named, token: string): string =>
  `${job.cron_expression ?? '0 2 * * *'}  BELFRY_SERVER=${quoted(location.origin)} belfry wrap --checkin ${token} -- /path/to/command`;

export const makeToken = (job: Named, token: Token): Promise<boolean> =>
  attempt(async () => token.set(await checkins.make(job.job_id)), `${job.job_name} has a token; nothing watches before something reports by it`);

// Ends with the lines that have the new one in them: there is no other time to copy it.
export const askRotate = (job: Named, token: Token): void =>
  showDialog(() => (
    <Dialog title={`A new token for ${job.job_name}`} action="Make it" danger onSubmit={async () => {
      await attempt(async () => {
        const made = await checkins.make(job.job_id);
        token.set(made);
        showLines(job, made);
      }, `${job.job_name} has a new token`);
      return false;
    }}>
      <p>The one that is in use is void at once: what reports by it is refused until it has the new one.</p>
    </Dialog>
  ));

export const showLines = (job: Named, token: Known): void =>
  showDialog(() => <Dialog title={`How ${job.job_name} reports`} wide><TokenLines job={job} token={token} /></Dialog>);

export const revoke = (job: Named, token: Token): void =>
  void soon(`The token of ${job.job_name} will be void`, () => checkins.revoke(job.job_id), `Nobody can report for ${job.job_name} any more`).then((gone) => gone && token.set(null));

export const TokenLines = ({job, token}: {job: Named; token: Known}) => (
  <div class="stack tight">
    <p class="box">{isNew(token) ? 'Copy it now: the token is not shown again.' : <>Put the token in place of <code>TOKEN</code>. It was shown once, when it was made; if it is lost, rotate it.</>}</p>
    <p class="dim">In a crontab, in front of the command that is there:</p>
    <Command text={crontabLine(job, isNew(token) ? token.token : 'TOKEN')} />
    <p class="dim">From anywhere else:</p>
    <Command text={`curl -sS -X POST ${location.origin}${isNew(token) ? token.path : '/api/v1/checkin/TOKEN'}`} />
    <p class="muted small">It says that the work is done; <code>/start</code>, <code>/ok</code> and <code>/fail</code> behind it say more.</p>
  </div>
);

// The tab of a job whose work is done elsewhere.
export function CheckinTab({job}: {job: Job}) {
  const token = useToken(job.job_id);
  if (!mayOperate.value) return <Card><Empty title="This needs an operator's key"><p>Who has the token can report for the job.</p></Empty></Card>;
  if (token.problem) return <Trouble problem={token.problem} />;
  if (token.known === undefined) return <Bones />;
  if (token.known === null) {
    return (
      <Card>
        <Empty title="Nobody can report yet">
          <p>Each tick expects a report, and silence is a failure. The work reports by a token:</p>
          <button type="button" class="btn main" onClick={() => void makeToken(job, token)}>Make a token</button>
        </Empty>
      </Card>
    );
  }
  const {known} = token;
  return (
    <div class="cols">
      <Card title="How the work reports"><TokenLines job={job} token={known} /></Card>
      <Card title="The token" aside={<><button type="button" class="btn small" onClick={() => askRotate(job, token)}>Rotate…</button><button type="button" class="btn small quiet" onClick={() => revoke(job, token)}>Revoke</button></>}>
        <Facts facts={[['Made', <Time at={known.created_at} zone={job.timezone} seconds />], ['By', known.created_by], ['Silence after a tick', `a failure after ${job.start_within}`], ['Work may take', job.timeout]]} />
      </Card>
    </div>
  );
}
