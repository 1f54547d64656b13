// A call made from the page, as who is signed in: what goes out is what is written, what comes back is shown as it is.
import {useState} from 'preact/hooks';
import {freshKey, headersOf} from '../../api/client';
import {Card, Field, Pill, TextArea} from '../../ui/basics';
import {asCurl, copyText} from '../../ui/copy';
import {bodyOf, typeWords, type Document, type Operation} from './document';

interface Answer {
  status: number;
  words: string;
  took: number;
  body: string;
}

const MOST_SHOWN = 100_000;

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, MOST_SHOWN);
  } catch {
    return text.slice(0, MOST_SHOWN);
  }
}

export function pathOf(operation: Operation, values: Record<string, string>): string {
  const query = new URLSearchParams();
  for (const each of operation.parameters) if (each.in === 'query' && values[each.name]) query.append(each.name, values[each.name]!);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  return path + (query.size ? `?${query}` : '');
}

export function TryIt({document, operation}: {document: Document; operation: Operation}) {
  const media = bodyOf(document, operation);
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(media ? JSON.stringify(media.example ?? {}, null, 2) : '');
  const [answer, setAnswer] = useState<Answer>();
  const parameters = operation.parameters.filter((each) => each.name !== 'Belfry-Tenant');
  const missing = parameters.some((each) => each.required && !values[each.name]);
  const path = pathOf(operation, values);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const headers = headersOf(operation.method, {...(media ? {body} : {})});
    for (const each of parameters) if (each.in === 'header' && values[each.name]) headers[each.name] = values[each.name]!;
    const began = performance.now();
    try {
      const response = await fetch(path, {method: operation.method, headers, ...(media ? {body} : {})});
      const text = await response.text();
      setAnswer({status: response.status, words: response.statusText, took: performance.now() - began, body: pretty(text)});
    } catch {
      setAnswer({status: 0, words: 'The node does not answer', took: performance.now() - began, body: ''});
    }
  };
  const copy = (): void => {
    let json: unknown;
    try {
      json = media ? JSON.parse(body) : undefined;
    } catch {
      json = body;
    }
    void copyText(asCurl(operation.method, path.replace(/^\/api\/v1/, ''), json));
  };
  return (
    <Card title="Try it" class="gap-top" aside={path.startsWith('/api/v1') && <button type="button" class="btn small quiet" onClick={copy}>Copy as curl</button>}>
      <form class="stack" onSubmit={send}>
        {operation.method !== 'GET' && <p class="dim">This is a real call to this node{operation.method === 'DELETE' ? ', and it deletes.' : ': it changes what it says.'}</p>}
        <div class="fields">
          {parameters.map((each) => (
            <Field key={each.name} label={`${each.name}${each.required ? ' (required)' : ''}`} class="mono" value={values[each.name] ?? ''} onText={(value) => setValues({...values, [each.name]: value})}
              placeholder={each.name === 'Idempotency-Key' ? freshKey().slice(0, 16) : ''} hint={typeWords(each.schema)} />
          ))}
        </div>
        {media && <TextArea label="Body" rows={8} value={body} onText={setBody} />}
        <div class="row"><button type="submit" class="btn main" disabled={missing}>Send</button><code class="clip">{operation.method} {path}</code></div>
        {answer && (
          <div role="status">
            <p><Pill kind={answer.status >= 200 && answer.status < 300 ? 'ok' : 'bad'}>{`${answer.status} ${answer.words}`.trim()}</Pill> <span class="muted">{Math.round(answer.took)} ms</span></p>
            {answer.body && <pre class="code" tabIndex={0}>{answer.body}</pre>}
          </div>
        )}
      </form>
    </Card>
  );
}
