// A month of one job.
import {useState} from 'preact/hooks';
import {jobs} from '../../api/calls';
import {useLoad} from '../../api/load';
import {query, setQuery} from '../../state/route';
import {Bones, Card, Empty, PageHead, Trouble} from '../../ui/basics';
import {Month} from './month';

export default function Calendar() {
  const id = query.value.get('job') ?? '';
  const [text, setText] = useState('');
  const found = useLoad(`pick:${text}`, () => jobs.list({q: text, limit: 50}));
  const first = found.data?.items[0]?.job_id ?? '';
  const {data: job, problem} = useLoad(id || first ? `job:${id || first}` : '', () => jobs.read(id || first));
  return (
    <>
      <PageHead title={job ? `Calendar of ${job.job_name}` : 'Calendar'} sub="What each day had, and what it will have. ● ran, ▲ failed, □ skipped.">
        <div class="row wrap">
          <input type="search" data-search aria-label="Find a job" placeholder="Find a job" value={text} onInput={(event) => setText(event.currentTarget.value)} />
          <select aria-label="Job" value={job?.job_id ?? ''} onChange={(event) => setQuery({job: event.currentTarget.value})}>
            {job && !found.data?.items.some((each) => each.job_id === job.job_id) && <option value={job.job_id}>{job.job_name}</option>}
            {found.data?.items.map((each) => <option key={each.job_id} value={each.job_id}>{each.job_name}</option>)}
          </select>
        </div>
      </PageHead>
      {problem && <Trouble problem={problem} />}
      {job ? <Card><Month job={job} big /></Card> : found.data?.items.length === 0 ? <Card><Empty title="No job by that name" /></Card> : <Bones rows={8} />}
    </>
  );
}
