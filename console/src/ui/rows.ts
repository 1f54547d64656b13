// The keyboard in lists: j and k move, Enter opens, x selects; other keys act on the row under the cursor.
import {useEffect, useState} from 'preact/hooks';
import {useShortcuts} from '../shell/shortcuts';

export interface RowKeys<T> {
  open: (row: T) => void;
  keys?: Record<string, (row: T) => void>;
}

export function useRowCursor<T>(rows: readonly T[], {open, keys = {}}: RowKeys<T>): number {
  const [at, setAt] = useState(-1);
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setAt(next);
    document.querySelectorAll('tbody[data-rows] tr')[next]?.scrollIntoView({block: 'nearest'});
  };
  const act = (run: (row: T) => void) => () => {
    const row = rows[at];
    if (row !== undefined) run(row);
  };
  useShortcuts({
    j: () => move(at + 1),
    k: () => move(at - 1),
    Enter: act(open),
    ...Object.fromEntries(Object.entries(keys).map(([key, run]) => [key, act(run)])),
  });
  useEffect(() => {
    if (at >= rows.length) setAt(rows.length - 1);
  }, [rows.length]);
  return at;
}
