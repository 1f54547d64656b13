// Every call of the REST API, from the document that the node itself serves; each can be tried.
import '../docs/docs.css';
import {useEffect} from 'preact/hooks';
import {useLoad} from '../../api/load';
import {query, segments, setQuery} from '../../state/route';
import {Bones, Card, PageHead, Trouble} from '../../ui/basics';
import {Prose} from '../docs/prose';
import {bodyOf, operations, readDocument, resolve, type Document, type Operation} from './document';
import {Fields, TypeName} from './schema';
import {TryIt} from './try_it';

const ACCESS: Record<string, string> = {read: 'viewer', operate: 'operator', work: 'worker', administer: 'admin', root: 'root', metrics: 'metrics', none: 'nobody in particular'};

export default function Reference() {
  const name = segments.value[2] ?? '';
  const {data, problem, reload} = useLoad('openapi', readDocument);
  const hash = location.hash.slice(1);
  useEffect(() => {
    if (data && hash) document.getElementById(hash)?.scrollIntoView({block: 'center'});
  }, [data, hash]);
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones rows={12} />;
  if (name.startsWith('schema:')) return <SchemaPage document={data} name={name.slice(7)} />;
  const operation = operations(data).find((each) => each.operationId === name);
  return operation ? <OperationPage key={name} document={data} operation={operation} /> : <Index document={data} />;
}

const crumbs = (here?: string) => <><a href="/docs">Docs</a><span>/</span><a href="/docs/api">REST reference</a>{here && <><span>/</span>{here}</>}</>;

function Index({document}: {document: Document}) {
  const words = (query.value.get('q') ?? '').toLowerCase();
  const all = operations(document).filter((each) => `${each.method} ${each.path} ${each.operationId} ${each.summary}`.toLowerCase().includes(words));
  const tags = [...new Set(all.map((each) => each.tags?.[0] ?? 'other'))];
  return (
    <>
      <PageHead title="REST reference" crumbs={<a href="/docs">Docs</a>} sub={<>Version {document.info.version}, from <a href="/openapi.json">openapi.json</a> of this node.</>} />
      <div class="chips"><input type="search" data-search aria-label="Search calls" placeholder="Path or words   /" value={query.value.get('q') ?? ''} onInput={(event) => setQuery({q: event.currentTarget.value})} /></div>
      <div class="stack">
        {tags.map((tag) => (
          <Card key={tag} title={tag[0]!.toUpperCase() + tag.slice(1)} flush>
            <div class="table"><table>
              <thead class="sr"><tr><th>Method</th><th>Path</th><th>What it does</th></tr></thead>
              <tbody>{all.filter((each) => (each.tags?.[0] ?? 'other') === tag).map((each) => (
                <tr key={each.operationId}>
                  <td class="mono muted">{each.method}</td>
                  <td class="mono"><a href={`/docs/api/${each.operationId}`}>{each.path.replace('/api/v1', '')}</a></td>
                  <td class="fill dim">{each.summary}</td>
                </tr>
              ))}</tbody>
            </table></div>
          </Card>
        ))}
      </div>
    </>
  );
}

function OperationPage({document, operation}: {document: Document; operation: Operation}) {
  const media = bodyOf(document, operation);
  const isStream = Object.values(operation.responses).some((each) => 'text/event-stream' in (resolve(document, each).content ?? {}));
  return (
    <div class="reference">
      <PageHead title={(operation.summary ?? operation.operationId).replace(/\.$/, '')} crumbs={crumbs(operation.operationId)} sub={<><code>{operation.method} {operation.path}</code> · needs {ACCESS[operation['x-belfry-access'] ?? ''] ?? operation['x-belfry-access']}</>} />
      {operation.description && <Prose text={operation.description} />}
      {operation.parameters.length > 0 && (
        <Card title="Parameters" flush>
          <div class="table"><table>
            <thead><tr><th>Name</th><th>In</th><th>Type</th><th>What it is</th></tr></thead>
            <tbody>{operation.parameters.map((each) => (
              <tr key={each.name}>
                <td class="mono">{each.name}{each.required && <span class="muted" title="required"> *</span>}</td>
                <td class="muted">{each.in}</td>
                <td class="small"><TypeName schema={each.schema} /></td>
                <td><Prose text={each.description ?? ''} /></td>
              </tr>
            ))}</tbody>
          </table></div>
        </Card>
      )}
      {media?.schema && <Card title="Body" class="gap-top" flush><Fields document={document} schema={media.schema} /></Card>}
      <Card title="Answers" class="gap-top" flush>
        <div class="table"><table>
          <thead><tr><th>Status</th><th>What it means</th><th>Body</th></tr></thead>
          <tbody>{Object.entries(operation.responses).map(([status, raw]) => {
            const answer = resolve(document, raw);
            const schema = Object.values(answer.content ?? {})[0]?.schema;
            return <tr key={status}><td class="mono">{status}</td><td><Prose text={answer.description ?? ''} /></td><td class="small">{schema ? <TypeName schema={schema} /> : <span class="muted">none</span>}</td></tr>;
          })}</tbody>
        </table></div>
      </Card>
      {!isStream && <TryIt document={document} operation={operation} />}
    </div>
  );
}

function SchemaPage({document, name}: {document: Document; name: string}) {
  const schema = document.components.schemas[name];
  return (
    <div class="reference">
      <PageHead title={schema ? name : `There is no ${name}`} crumbs={crumbs(name)} />
      {schema && <><Prose text={schema.description ?? ''} /><Card flush><Fields document={document} schema={schema} /></Card></>}
    </div>
  );
}
