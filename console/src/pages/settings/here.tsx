// What this browser remembers.
import {liveLists, singleKeys, theme, zoneMode, type Theme, type ZoneMode} from '../../state/prefs';
import {session} from '../../state/session';
import {openHelp} from '../../shell/help';
import {Card, Facts, Segmented} from '../../ui/basics';
import {localZone} from '../../time/format';

const THEMES: [Theme, string][] = [['system', 'As the system'], ['light', 'Light'], ['dark', 'Dark']];
const ZONES: [ZoneMode, string][] = [['job', "The job's"], ['local', 'Local'], ['utc', 'UTC']];

export const Here = () => (
  <div class="cols even">
    <Card title="How it looks">
      <div class="stack">
        <div class="row wrap"><span class="label">Theme</span><Segmented label="Theme" options={THEMES} value={theme.value} onPick={(value) => (theme.value = value)} /></div>
        <div class="row wrap"><span class="label">Times are shown in the zone</span><Segmented label="Zone" options={ZONES} value={zoneMode.value} onPick={(value) => (zoneMode.value = value)} /></div>
        <label class="check"><input type="checkbox" checked={liveLists.value} onChange={(event) => (liveLists.value = event.currentTarget.checked)} /> Lists follow what happens</label>
        <label class="check"><input type="checkbox" checked={singleKeys.value} onChange={(event) => (singleKeys.value = event.currentTarget.checked)} /> Keys without Ctrl act</label>
        <div><button type="button" class="btn" onClick={openHelp}>Show all keys</button></div>
      </div>
    </Card>
    <Card title="You">
      <Facts
        facts={[
          ['Signed in as', session.value?.actor],
          ['Scope', session.value?.scope],
          ['Tenant', session.value?.tenant_id],
          ['Key', session.value?.has_key ? 'in a cookie that scripts cannot read' : 'none: this node has no keys, and serves only this machine'],
          ['Your zone', localZone],
          ['Contract', <a href="/openapi.json">openapi.json</a>],
        ]}
      />
    </Card>
  </div>
);
