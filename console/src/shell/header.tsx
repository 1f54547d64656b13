import {connection} from '../api/events';
import {theme, zoneMode, type Theme, type ZoneMode} from '../state/prefs';
import {session} from '../state/session';
import {Segmented} from '../ui/basics';
import {openHelp} from './help';
import {openPalette} from './palette';
import {railOpen} from './rail';
import {SessionMenu} from './session_menu';

const ZONES: [ZoneMode, string][] = [['job', 'Job zone'], ['local', 'Local'], ['utc', 'UTC']];
const THEME_WORDS: Record<Theme, string> = {system: 'Auto theme', light: 'Light theme', dark: 'Dark theme'};
const NEXT_THEME: Record<Theme, Theme> = {system: 'light', light: 'dark', dark: 'system'};

export const Header = () => (
  <>
    <header class="top">
      <button type="button" class="btn quiet menu-button" aria-label="Pages" aria-expanded={railOpen.value} onClick={() => (railOpen.value = !railOpen.value)}>
        ☰
      </button>
      <button type="button" class="search" onClick={() => openPalette()}>
        <span class="clip">Search jobs, runs, pages</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span class="grow" />
      <span class="wide">
        <Segmented label="Time zone of what is shown" options={ZONES} value={zoneMode.value} onPick={(mode) => (zoneMode.value = mode)} />
      </span>
      <button type="button" class="btn quiet wide" onClick={() => (theme.value = NEXT_THEME[theme.value])} title="Theme: as the system, light, dark">
        {THEME_WORDS[theme.value]}
      </button>
      <button type="button" class="btn quiet wide" onClick={openHelp}>
        <span aria-hidden="true">?</span>
        <span class="sr">Keys and help</span>
      </button>
      {session.value && <SessionMenu />}
    </header>
    {connection.value === 'away' && (
      <div class="away-bar" role="status">Not connected to the node. What you see may be old; it is refreshed as soon as the node is back.</div>
    )}
  </>
);
