// Where we are: the address is the state of a view, so that it can be shared and the way back works.
import {computed, signal} from '@preact/signals';

const address = signal(location.pathname + location.search);

export const path = computed(() => address.value.split('?')[0] ?? '/');
export const query = computed(() => new URLSearchParams(address.value.split('?')[1] ?? ''));
export const segments = computed(() => path.value.split('/').filter(Boolean).map(decodeURIComponent));

export function go(to: string, replace = false, hash = ''): void {
  if (to === address.value && !hash) return;
  const samePage = to.split('?')[0] === path.value;
  history[replace ? 'replaceState' : 'pushState'](null, '', to + hash);
  address.value = to;
  if (!samePage) {
    scrollTo(0, 0);
    requestAnimationFrame(focusMain);
  }
}

// What follows a new page for whoever reads by keyboard, unless they are typing into it already.
function focusMain(): void {
  if (document.activeElement instanceof HTMLInputElement) return;
  document.getElementById('main')?.focus({preventScroll: true});
}

// Changes some parameters of the address; empty ones go.
export function setQuery(changes: Record<string, string | string[] | undefined>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const each of Array.isArray(value) ? value : [value]) if (each) next.append(name, each);
  }
  const text = next.toString();
  go(path.value + (text ? `?${text}` : ''), true);
}

export function followLinks(): void {
  addEventListener('popstate', () => (address.value = location.pathname + location.search));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element).closest?.('a');
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (link.pathname.startsWith('/api/') || link.pathname === '/openapi.json') return;
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return; // within the page
    event.preventDefault();
    go(link.pathname + link.search, false, link.hash);
  });
}
