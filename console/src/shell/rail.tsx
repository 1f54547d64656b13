import {signal} from '@preact/signals';
import {useLoad} from '../api/load';
import {cluster, jobs, runs} from '../api/calls';
import {connection} from '../api/events';
import {path} from '../state/route';
import {placeOf, places} from './places';

export const railOpen = signal(false);

const Bell = () => (
  <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="var(--accent)" stroke-width="1.6" stroke-linecap="round" aria-hidden="true">
    <path d="M10 2.2v1.6M4 14.5h12M5.4 14.5V9.2a4.6 4.6 0 0 1 9.2 0v5.3M8.4 16.6a1.7 1.7 0 0 0 3.2 0" />
  </svg>
);

const WORDS = {live: 'live', connecting: 'connecting', away: 'not connected'};
const MOST = 100;

export function Rail() {
  const dead = useLoad('rail:dead', () => runs.list({state: 'DEAD', limit: MOST}), {on: (news) => news.kind === 'runs', calm: 5000});
  const state = useLoad('cluster', cluster.read, {every: 10_000});
  const count = dead.data?.items.length ?? 0;
  const here = placeOf(path.value)?.to;
  const isDemo = useLoad('demo', () => jobs.list({label: ['belfry-demo=true'], limit: 1})).data?.items.length; // `serve --demo` made them
  const alive = state.data?.nodes.filter((node) => node.alive).length;
  return (
    <nav class={`rail ${railOpen.value ? 'open' : ''}`} aria-label="Pages" onClick={() => (railOpen.value = false)}>
      <a class="brand" href="/">
        <Bell />
        Belfry
      </a>
      <ul>
        {places.map((place) => (
          <li key={place.to}>
            <a href={place.to} aria-current={place.to === here ? 'page' : undefined}>
              {place.name}
              {place.to === '/dead-letters' && count > 0 ? (
                <span class="n">{count === MOST ? `${MOST}+` : count}</span>
              ) : (
                <kbd aria-hidden="true">{place.keys}</kbd>
              )}
            </a>
          </li>
        ))}
      </ul>
      <div class="foot">
        <span class={`dot ${connection.value}`} aria-hidden="true" />
        <span>
          {WORDS[connection.value]}
          {alive !== undefined && ` · ${alive} ${alive === 1 ? 'node' : 'nodes'}`}
          {isDemo && ' · demo data'}
        </span>
      </div>
    </nav>
  );
}
