// What changes, as it changes. One tab of the browser holds the stream and tells the others, because a browser opens
// few connections to one server; where it cannot, each tab has its own. It reconnects by itself, after the last event.
import {signal} from '@preact/signals';
import {headersOf, urlOf} from './client';
import type {Event, JobNews, RunNews} from './types';

export type News = {kind: 'jobs'; jobs: JobNews[]; count: number} | {kind: 'runs'; runs: RunNews[]; count: number} | {kind: 'reset'};
export type Connection = 'connecting' | 'live' | 'away';

export const connection = signal<Connection>('connecting');

type Listener = (news: News) => void;
const listeners = new Set<Listener>();

export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('belfry-events') : undefined;
let lastId = '';

function tell(news: News): void {
  for (const listener of listeners) listener(news);
}

function setConnection(state: Connection): void {
  const wasAway = connection.value === 'away';
  connection.value = state;
  channel?.postMessage({connection: state});
  if (state === 'live' && wasAway) publish({kind: 'reset'}); // whatever was missed is read again
}

function publish(news: News): void {
  tell(news);
  channel?.postMessage({news});
}

function read(block: string): void {
  let kind = '';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) lastId = line.slice(4);
    else if (line.startsWith('event: ')) kind = line.slice(7);
    else if (line.startsWith('data: ')) data += line.slice(6);
  }
  if (kind === 'reset') publish({kind: 'reset'});
  if (!data || (kind !== 'jobs' && kind !== 'runs')) return;
  const event = JSON.parse(data) as Event;
  if (kind === 'jobs') publish({kind, jobs: event.jobs ?? [], count: event.count});
  else publish({kind, runs: event.runs ?? [], count: event.count});
}

async function stream(): Promise<void> {
  const headers = headersOf('GET', {headers: {Accept: 'text/event-stream', ...(lastId ? {'Last-Event-ID': lastId} : {})}});
  const response = await fetch(urlOf('/events'), {headers});
  if (!response.ok || !response.body) throw new Error(String(response.status));
  setConnection('live');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    blocks.forEach(read);
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function keepStreaming(): Promise<never> {
  for (let tries = 0; ; ++tries) {
    try {
      await stream();
      tries = 0;
    } catch {
      // said below
    }
    setConnection('away');
    await wait(Math.min(10_000, 500 * 2 ** Math.min(tries, 5)));
  }
}

export function startEvents(): void {
  channel?.addEventListener('message', ({data}) => {
    if (data.news) tell(data.news as News);
    else if (data.connection) connection.value = data.connection as Connection;
    else if (data.hello && streaming) channel.postMessage({connection: connection.value});
  });
  let streaming = false;
  const begin = (): Promise<never> => {
    streaming = true;
    return keepStreaming();
  };
  if (channel && navigator.locks) {
    channel.postMessage({hello: true});
    void navigator.locks.request('belfry-events', begin); // the next tab follows when this one closes
  } else {
    void begin();
  }
}
