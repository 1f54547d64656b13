// The job as it is written: as YAML that `belfry apply` takes, and as JSON.
import {useState} from 'preact/hooks';
import type {Job} from '../../api/types';
import {Card, Command, Segmented} from '../../ui/basics';
import {asBelfry, copyText} from '../../ui/copy';
import {definitionOf} from '../edit/draft';
import {yamlOf} from './yaml';

export function Definition({job}: {job: Job}) {
  const [form, setForm] = useState<'yaml' | 'json'>('yaml');
  const definition = definitionOf(job);
  const text = form === 'yaml' ? yamlOf({jobs: [definition]}) : JSON.stringify(definition, null, 2);
  return (
    <div class="cols">
      <Card title="Definition" aside={<><Segmented label="Form" options={[['yaml', 'YAML'], ['json', 'JSON']] as const} value={form} onPick={setForm} /><button type="button" class="btn small" onClick={() => void copyText(text)}>Copy</button></>}>
        <pre class="code" tabIndex={0}>{text}</pre>
      </Card>
      <Card title="Keep it in source control">
        <div class="stack tight">
          <p class="dim">A file with jobs can be compared with what the server has, and applied:</p>
          <Command text="belfry export > jobs.yaml" />
          <Command text="belfry diff jobs.yaml" />
          <Command text="belfry apply jobs.yaml" />
          <p class="dim">This job alone:</p>
          <Command text={asBelfry('get', job.job_name, '-o', 'yaml')} />
        </div>
      </Card>
    </div>
  );
}
