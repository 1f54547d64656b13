// What a person chose, kept in this browser.
import {effect, signal, type Signal} from '@preact/signals';

export function kept<T>(name: string, initial: T): Signal<T> {
  const key = `belfry.${name}`;
  let value = initial;
  try {
    const stored = localStorage.getItem(key);
    if (stored !== null) value = JSON.parse(stored) as T;
  } catch {
    // a browser that keeps nothing still works
  }
  const state = signal<T>(value);
  let first = true;
  effect(() => {
    const text = JSON.stringify(state.value);
    if (first) first = false;
    else
      try {
        localStorage.setItem(key, text);
      } catch {
        // as above
      }
  });
  return state;
}

export type Theme = 'system' | 'light' | 'dark';
export type ZoneMode = 'job' | 'local' | 'utc';

export const theme = kept<Theme>('theme', 'system');
export const zoneMode = kept<ZoneMode>('zone', 'job');
export const liveLists = kept('live', true);
export const singleKeys = kept('keys', true); // shortcuts without Ctrl can be switched off (WCAG 2.1.4)
export interface SavedView {
  name: string;
  query: string;
}
export const savedViews = kept<SavedView[]>('views', []);

export function followTheme(): void {
  effect(() => {
    const forced = new URLSearchParams(location.search).get('theme');
    const wanted = forced === 'light' || forced === 'dark' ? forced : theme.value;
    if (wanted === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = wanted;
  });
}
