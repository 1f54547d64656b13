// Keys that act. Those of a page come and go with it; inputs and dialogs keep their keys to themselves.
import {useLayoutEffect, useRef} from 'preact/hooks';
import {singleKeys} from '../state/prefs';
import {go} from '../state/route';
import {places} from './places';

type Keys = Record<string, () => void>;
const layers: {current: Keys}[] = [];
let prefix = '';
let prefixUntil = 0;

// After g: the page whose keys end so.
const PLACES = new Map(places.map((place) => [place.keys.split(' ')[1] ?? '', place.to]));

export function useShortcuts(keys: Keys): void {
  const layer = useRef(keys);
  layer.current = keys;
  // With the page, not after it is painted: a key may follow at once.
  useLayoutEffect(() => {
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

function find(key: string): (() => void) | undefined {
  for (let i = layers.length - 1; i >= 0; --i) {
    const action = layers[i]?.current[key];
    if (action) return action;
  }
  return undefined;
}

function keyOf(event: KeyboardEvent): string {
  if ((event.ctrlKey || event.metaKey) && !event.altKey) return `mod+${event.key.toLowerCase()}`;
  return event.altKey ? '' : event.key;
}

function onKey(event: KeyboardEvent): void {
  const key = keyOf(event);
  if (!key || event.defaultPrevented) return;
  const modified = key.startsWith('mod+');
  if (!modified) {
    if (!singleKeys.value || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    // Enter belongs to what has the focus, if anything has
    if (key === 'Enter' && event.target instanceof Element && event.target.closest('a, button, summary')) return;
  }
  if (prefix && Date.now() < prefixUntil) {
    prefix = '';
    const place = PLACES.get(key);
    if (place) {
      event.preventDefault();
      go(place);
      return;
    }
  }
  if (key === 'g') {
    prefix = 'g';
    prefixUntil = Date.now() + 1500;
    return;
  }
  const action = find(key);
  if (!action) return;
  event.preventDefault();
  action();
}

export const startShortcuts = (): void => document.addEventListener('keydown', onKey);
