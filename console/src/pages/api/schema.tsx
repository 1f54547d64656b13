// What stands in a body: its fields, with types, limits and defaults.
import type {ComponentChildren} from 'preact';
import {Prose} from '../docs/prose';
import {refName, resolve, typeWords, type Document, type Schema} from './document';

function refs(schema: Schema | undefined): string[] {
  if (!schema) return [];
  const name = refName(schema);
  if (name) return [name];
  return [...(schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap(refs);
}

// The words of a type, with each named one a link.
export function TypeName({schema}: {schema: Schema | undefined}) {
  const names = [...new Set(refs(schema))];
  const words = typeWords(schema);
  if (names.length === 0) return <>{words}</>;
  return <>{words.split(/(\w+)/).map((word, i): ComponentChildren => (names.includes(word) ? <a key={i} href={`/docs/api/schema:${word}`}>{word}</a> : word))}</>;
}

function limits(schema: Schema): string {
  return [
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
    schema.minimum !== undefined && `at least ${schema.minimum}`,
    schema.maximum !== undefined && `at most ${schema.maximum}`,
    schema.maxLength !== undefined && `up to ${schema.maxLength} characters`,
    schema.readOnly && 'read only',
  ].filter(Boolean).join('; ');
}

export function Fields({document, schema}: {document: Document; schema: Schema}) {
  const whole = resolve(document, schema);
  const choices = whole.oneOf ?? whole.anyOf;
  if (!whole.properties && choices) {
    return <ul>{choices.map((each, i) => <li key={i}>{each.$ref ? <TypeName schema={each} /> : <Fields document={document} schema={each} />}</li>)}</ul>;
  }
  if (!whole.properties) return <p><TypeName schema={{...schema, $ref: undefined as never, ...whole}} />{limits(whole) && <span class="muted"> · {limits(whole)}</span>}</p>;
  return (
    <div class="table"><table class="fields-of">
      <thead><tr><th>Field</th><th>Type</th><th>What it is</th></tr></thead>
      <tbody>{Object.entries(whole.properties).map(([name, field]) => {
        const full = resolve(document, field);
        return (
          <tr key={name} id={name}>
            <td class="mono">{name}{whole.required?.includes(name) && <span class="muted" title="required"> *</span>}</td>
            <td class="small"><TypeName schema={field} /></td>
            <td><Prose text={full.description ?? ''} />{limits(full) && <span class="muted small">{limits(full)}</span>}</td>
          </tr>
        );
      })}</tbody>
    </table></div>
  );
}
