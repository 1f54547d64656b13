// Reading from the server into a component: what is known is shown at once, then refreshed; a failed refresh keeps it.
import {useEffect, useRef, useState} from 'preact/hooks';
import {Refusal} from './client';
import {listen, type News} from './events';

export interface Loaded<T> {
  data: T | undefined;
  problem: Refusal | undefined;
  busy: boolean;
  reload: () => void;
  set: (data: T) => void;
}

export interface Freshness {
  every?: number; // milliseconds; while the page is visible
  on?: (news: News) => boolean; // events after which to read again
  calm?: number; // milliseconds at least between two readings for events; a second unless told
}

const MOST_REMEMBERED = 100;
const remembered = new Map<string, unknown>();

function remember(key: string, data: unknown): void {
  remembered.delete(key);
  remembered.set(key, data);
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value as string);
}

const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal
    ? error
    : new Refusal({type: 'about:blank', title: 'Something went wrong', status: 0, code: 'page', detail: String(error)});

// `key` names what is read; another key is another reading. An empty one reads nothing.
export function useLoad<T>(key: string, read: () => Promise<T>, fresh: Freshness = {}): Loaded<T> {
  const [state, setState] = useState<{key: string; data?: T; problem?: Refusal; busy: boolean}>({key: '', busy: true});
  const reading = useRef(0);
  const latest = useRef(read);
  latest.current = read;

  const reload = (): void => {
    if (!key) return;
    const mine = ++reading.current;
    setState((old) => ({...(old.key === key ? old : recall(key)), busy: true}));
    latest.current().then(
      (data) => {
        remember(key, data);
        if (mine === reading.current) setState({key, data, busy: false});
      },
      (error) => {
        if (mine === reading.current) setState((old) => ({...(old.key === key ? old : recall(key)), problem: asRefusal(error), busy: false}));
      },
    );
  };
  function recall(of: string): {key: string; data?: T; problem?: Refusal; busy: boolean} {
    return remembered.has(of) ? {key: of, data: remembered.get(of) as T, busy: true} : {key: of, busy: true};
  }

  useEffect(() => {
    reload();
    return () => void ++reading.current; // an answer that comes later is nobody's
  }, [key]);
  useEffect(() => {
    if (!fresh.every) return;
    const timer = setInterval(() => document.hidden || reload(), fresh.every);
    return () => clearInterval(timer);
  }, [key, fresh.every]);
  const on = useRef(fresh.on);
  on.current = fresh.on;
  useEffect(() => {
    if (!fresh.on) return;
    return listenCalmly((news) => news.kind === 'reset' || on.current?.(news) === true, reload, fresh.calm);
  }, [key, fresh.on !== undefined]);

  const shown = state.key === key ? state : recall(key);
  return {
    data: shown.data,
    problem: shown.problem,
    busy: shown.busy,
    reload,
    set: (data) => (remember(key, data), setState({key, data, busy: false})),
  };
}

// Calls `then` after events that `matters`, no more often than `calm` says, and never loses the last.
export function listenCalmly(matters: (news: News) => boolean, then: () => void, calm = 1000): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  const stop = listen((news) => {
    if (timer !== undefined || !matters(news)) return;
    timer = setTimeout(() => {
      timer = undefined;
      last = Date.now();
      then();
    }, Math.max(50, last + calm - Date.now()));
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
