// The frame around the pages, and which page an address is.
import type {ComponentType} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {keyWanted} from './api/client';
import {Header} from './shell/header';
import {openHelp} from './shell/help';
import {openPalette, Palette} from './shell/palette';
import {placeOf} from './shell/places';
import {Rail, railOpen} from './shell/rail';
import {useShortcuts} from './shell/shortcuts';
import {useScrollable} from './shell/scrollable';
import {SignIn} from './shell/sign_in';
import {Toaster} from './shell/toaster';
import {liveLists, zoneMode} from './state/prefs';
import {path, query, segments} from './state/route';
import {session} from './state/session';
import {note} from './state/toasts';
import {Bones, Empty} from './ui/basics';
import {DialogHost} from './ui/dialog';

type Page = ComponentType;
type Loader = () => Promise<{default: Page}>;

// Each page is loaded when it is first opened.
function pageOf(parts: string[]): [string, Loader] | undefined {
  const [first = '', second] = parts;
  if (first === '') return ['overview', () => import('./pages/overview/overview')];
  if (first === 'jobs' && second === 'new') return ['edit', () => import('./pages/edit/edit')];
  if (first === 'jobs' && second === 'import') return ['import', () => import('./pages/import/import')];
  if (first === 'jobs' && parts[2] === 'edit') return ['edit', () => import('./pages/edit/edit')];
  if (first === 'jobs') return second ? ['job', () => import('./pages/job/job')] : ['jobs', () => import('./pages/jobs/jobs')];
  if (first === 'runs') return second ? ['run', () => import('./pages/run/run')] : ['runs', () => import('./pages/runs/runs')];
  if (first === 'upcoming') return ['upcoming', () => import('./pages/upcoming/upcoming')];
  if (first === 'calendar') return ['calendar', () => import('./pages/calendar/calendar')];
  if (first === 'dead-letters') return ['dead', () => import('./pages/dead/dead')];
  if (first === 'alerts') return ['alerts', () => import('./pages/alerts/alerts')];
  if (first === 'checkins') return ['checkins', () => import('./pages/checkins/checkins')];
  if (first === 'workers') return ['workers', () => import('./pages/workers/workers')];
  if (first === 'cluster') return ['cluster', () => import('./pages/cluster/cluster')];
  if (first === 'audit') return ['audit', () => import('./pages/audit/audit')];
  if (first === 'docs' && second === 'api') return ['reference', () => import('./pages/api/reference')];
  if (first === 'docs' || first === 'problems') return ['docs', () => import('./pages/docs/docs')];
  if (first === 'settings') return ['settings', () => import('./pages/settings/settings')];
  return undefined;
}

const Lost = () => (
  <>
    <h1>There is no such page</h1>
    <Empty title="The address may be mistyped, or from another version.">
      <a class="btn" href="/">To the overview</a>
    </Empty>
  </>
);

const loaded = new Map<string, Page>();

function CurrentPage() {
  const [, redraw] = useState(0);
  const found = pageOf(segments.value);
  useEffect(() => {
    if (found && !loaded.has(found[0])) {
      void found[1]().then((module) => (loaded.set(found[0], module.default), redraw((n) => n + 1)));
    }
  }, [found?.[0]]);
  if (!found) return <Lost />;
  const Current = loaded.get(found[0]);
  return Current ? <Current /> : <Bones rows={8} />;
}

function useTitle(): void {
  const place = placeOf(path.value)?.name ?? 'Belfry';
  useEffect(() => {
    document.title = `${place} · Belfry`;
  }, [place]);
}

const NEXT_ZONE = {job: 'local', local: 'utc', utc: 'job'} as const;

export function App() {
  useTitle();
  const main = useScrollable();
  useShortcuts({
    'mod+k': openPalette,
    '?': openHelp,
    '/': () => (document.querySelector<HTMLElement>('[data-search]') ?? document.querySelector<HTMLElement>('.search'))?.focus(),
    t: () => (zoneMode.value = NEXT_ZONE[zoneMode.value]),
    l: () => {
      liveLists.value = !liveLists.value;
      note(liveLists.value ? 'Lists are live' : 'Lists stand still');
    },
    Escape: () => (railOpen.value = false),
  });
  if (keyWanted.value) return <SignIn />;
  if (!session.value) return <main id="main"><h1 class="sr">Belfry</h1><Bones rows={6} /></main>;
  return (
    <div class={query.value.get('kiosk') ? 'kiosk' : ''}>
      <a class="skip-link" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById('main')?.focus())}>To the content</a>
      <div class="app">
        <Rail />
        <div>
          <Header />
          <main id="main" tabIndex={-1} ref={main}>
            <CurrentPage />
          </main>
        </div>
      </div>
      <Toaster />
      <DialogHost />
      <Palette />
    </div>
  );
}
