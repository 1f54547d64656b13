// Long lists, page by page by cursor. What is shown does not move: rows that are known are updated where they stand,
// and new ones are only counted until somebody asks for them.
import {useEffect, useRef, useState} from 'preact/hooks';
import {liveLists} from '../state/prefs';
import {Refusal} from './client';
import type {News} from './events';
import {listenCalmly} from './load';

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}
export interface Pages<T> {
  items: T[] | undefined;
  problem: Refusal | undefined;
  more: (() => void) | undefined;
  busy: boolean;
  fresh: number; // how many new ones wait at the top
  reload: () => void;
}
export interface PageOptions<T> {
  id: (item: T) => string;
  on?: (news: News) => boolean;
}

export function usePages<T>(key: string, read: (cursor?: string) => Promise<Page<T>>, {id, on}: PageOptions<T>): Pages<T> {
  const [state, setState] = useState<{key: string; items?: T[]; cursor: string | null; problem?: Refusal; busy: boolean; fresh: number}>({
    key, cursor: null, busy: true, fresh: 0,
  });
  const reading = useRef(0);
  const latest = useRef({read, on, state});
  latest.current = {read, on, state};

  const load = async (cursor?: string): Promise<void> => {
    const mine = ++reading.current;
    setState((old) => (old.key === key ? {...old, busy: true} : {key, cursor: null, busy: true, fresh: 0}));
    try {
      const page = await latest.current.read(cursor);
      if (mine !== reading.current) return;
      setState((old) => ({
        key, cursor: page.next_cursor, busy: false, fresh: 0,
        items: cursor && old.items ? [...old.items, ...page.items] : page.items,
      }));
    } catch (error) {
      if (mine !== reading.current) return;
      setState((old) => ({...old, busy: false, ...(error instanceof Refusal ? {problem: error} : {})}));
    }
  };

  const refresh = async (): Promise<void> => {
    const {items} = latest.current.state;
    if (!items) return void load();
    const mine = ++reading.current;
    const page = await latest.current.read().catch(() => undefined);
    if (!page || mine !== reading.current) return;
    const news = new Map(page.items.map((item) => [id(item), item]));
    const known = new Set(items.map(id));
    const fresh = page.items.filter((item) => !known.has(id(item))).length;
    // A short list may simply grow; a long one would move under the pointer.
    if (items.length === 0) setState({key, items: page.items, cursor: page.next_cursor, busy: false, fresh: 0});
    else setState((old) => ({...old, busy: false, fresh, items: items.map((item) => news.get(id(item)) ?? item)}));
  };

  useEffect(() => {
    void load();
    return () => void ++reading.current;
  }, [key]);
  useEffect(() => {
    if (!on) return;
    return listenCalmly((news) => liveLists.value && (news.kind === 'reset' || latest.current.on?.(news) === true), () => void refresh());
  }, [key, on !== undefined]);

  const shown = state.key === key ? state : {items: undefined, cursor: null, busy: true, fresh: 0, problem: undefined};
  return {
    items: shown.items,
    problem: shown.problem,
    more: shown.cursor && !shown.busy ? () => void load(shown.cursor ?? undefined) : undefined,
    busy: shown.busy,
    fresh: shown.fresh,
    reload: () => void load(),
  };
}
