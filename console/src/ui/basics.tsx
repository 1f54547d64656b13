// The small pieces that every page is made of.
import type {ComponentChildren} from 'preact';
import {useId} from 'preact/hooks';
import type {Refusal} from '../api/client';
import type {Kind} from './outcomes';
import {copyText} from './copy';

export const Pill = ({kind, children}: {kind: Kind; children: ComponentChildren}) => (
  <span class={`pill p-${kind}`}>
    <i aria-hidden="true" />
    {children}
  </span>
);

export interface PageHeadProps {
  title: ComponentChildren;
  sub?: ComponentChildren;
  crumbs?: ComponentChildren;
  children?: ComponentChildren;
}
export const PageHead = ({title, sub, crumbs, children}: PageHeadProps) => (
  <div class="page-head">
    <div>
      {crumbs && <nav class="crumbs" aria-label="Where this is">{crumbs}</nav>}
      <h1>{title}</h1>
      {sub && <p class="sub">{sub}</p>}
    </div>
    {children && <div class="actions">{children}</div>}
  </div>
);

export interface CardProps {
  title?: ComponentChildren;
  aside?: ComponentChildren;
  flush?: boolean;
  class?: string;
  children: ComponentChildren;
}
export const Card = ({title, aside, flush, children, ...rest}: CardProps) => (
  <section class={`card ${flush ? 'flush' : ''} ${rest.class ?? ''}`}>
    {(title || aside) && (
      <div class="card-head">
        {title ? <h2>{title}</h2> : <span />}
        {aside && <div class="row tight">{aside}</div>}
      </div>
    )}
    {children}
  </section>
);

export function Segmented<T extends string>({label, options, value, onPick}: {
  label: string;
  options: readonly (readonly [T, string])[];
  value: T;
  onPick: (value: T) => void;
}) {
  return (
    <span class="seg" role="group" aria-label={label}>
      {options.map(([key, text]) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => onPick(key)}>
          {text}
        </button>
      ))}
    </span>
  );
}

export const Chip = ({on, onClick, children}: {on: boolean; onClick: () => void; children: ComponentChildren}) => (
  <button type="button" class="chip" aria-pressed={on} onClick={onClick}>
    {children}
  </button>
);

export const Tabs = ({label, tabs, current}: {label: string; tabs: {to: string; name: string; text: string}[]; current: string}) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map((tab) => (
      <a key={tab.name} href={tab.to} aria-current={tab.name === current ? 'page' : undefined}>
        {tab.text}
      </a>
    ))}
  </nav>
);

export const Facts = ({facts}: {facts: [string, ComponentChildren][]}) => (
  <dl class="kv">
    {facts.flatMap(([name, value]) =>
      value === undefined || value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0) ? [] : [<dt key={`t${name}`}>{name}</dt>, <dd key={`d${name}`}>{value}</dd>],
    )}
  </dl>
);

export const Empty = ({title, children}: {title: string; children?: ComponentChildren}) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

// A command to try, with a button that copies it.
export const Command = ({text}: {text: string}) => (
  <span class="command">
    <code>{text}</code>
    <button type="button" class="btn small quiet" aria-label={`Copy: ${text}`} onClick={() => copyText(text)}>
      Copy
    </button>
  </span>
);

export const Bones = ({rows = 4}: {rows?: number}) => (
  <div aria-hidden="true">
    {Array.from({length: rows}, (_, i) => (
      <span key={i} class="bone" style={{width: `${90 - ((i * 17) % 40)}%`}} />
    ))}
  </div>
);

// What went wrong and what to do, in the server's words.
export const Trouble = ({problem, retry}: {problem: Refusal; retry?: () => void}) => (
  <div class="box bad" role="alert">
    <strong>{problem.problem.title}</strong>
    <p>{problem.message}</p>
    {problem.problem.errors?.map((error) => (
      <p key={error.pointer}>
        <code>{error.pointer}</code> {error.message}
        {error.hint && <>; {error.hint}</>}
      </p>
    ))}
    <p class="row">
      {retry && <button type="button" class="linkish" onClick={retry}>Try again</button>}
      {problem.problem.type.startsWith('/problems/') && <a href={problem.problem.type}>What this means</a>}
    </p>
  </div>
);

// The way from a field to what the docs say of it.
const About = ({field}: {field: string}) => (
  <a class="about" href={`/docs/api/schema:JobDefinition#${field}`} target="_blank" title={`${field} in the docs`} aria-label={`Docs: ${field}`}>?</a>
);

export interface FieldProps {
  field?: string; // what the API calls it, for the docs
  label: string;
  value: string;
  onText: (text: string) => void;
  hint?: ComponentChildren;
  error?: ComponentChildren;
  type?: 'text' | 'number' | 'password' | 'datetime-local';
  class?: string;
  placeholder?: string;
  autocomplete?: string;
  autofocus?: boolean;
  required?: boolean;
  min?: string;
  max?: string;
  step?: string;
}
export function Field({label, field, value, onText, hint, error, ...input}: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <span class="row tight"><label for={id}>{label}</label>{field && <About field={field} />}</span>
      <input
        {...(input as object)}
        id={id}
        value={value}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={hint || error ? `${id}-more` : undefined}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {(hint || error) && <div id={`${id}-more`}>{error ? <span class="error">{error}</span> : <span class="hint">{hint}</span>}</div>}
    </div>
  );
}

export function Choice<T extends string>({label, field, value, options, onPick, hint}: {
  label: string;
  field?: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onPick: (value: T) => void;
  hint?: ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <span class="row tight"><label for={id}>{label}</label>{field && <About field={field} />}</span>
      <select id={id} value={value} onChange={(event) => onPick(event.currentTarget.value as T)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>{text}</option>
        ))}
      </select>
      {hint && <span class="hint">{hint}</span>}
    </div>
  );
}

export function TextArea({label, value, onText, rows = 6, error, hint}: {
  label: string;
  value: string;
  onText: (text: string) => void;
  rows?: number;
  error?: ComponentChildren;
  hint?: ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea id={id} rows={rows} spellcheck={false} value={value} aria-invalid={error ? 'true' : undefined} onInput={(event) => onText(event.currentTarget.value)} />
      {error ? <span class="error">{error}</span> : hint && <span class="hint">{hint}</span>}
    </div>
  );
}
