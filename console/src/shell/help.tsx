import {singleKeys} from '../state/prefs';
import {Dialog, showDialog} from '../ui/dialog';
import {places} from './places';

const KEYS: [string, string][] = [
  ['Ctrl K', 'find a job, a page, an action'],
  ['/', 'search in this list'],
  ['j  k', 'down and up in a list'],
  ['Enter', 'open the row'],
  ['x', 'select the row'],
  ['p', 'pause or resume'],
  ['r', 'run now'],
  ['e', 'edit'],
  ['t', 'change the time zone shown'],
  ['l', 'lists live or still'],
  ['[  ]', 'earlier and later run'],
  ['Esc', 'close'],
  ['?', 'this list'],
];

export const openHelp = (): void => showDialog(() => <Help />);

const Help = () => (
  <Dialog title="Keys" wide>
    <div class="cols even">
      <dl class="kv">
        {KEYS.flatMap(([key, what]) => [<dt key={key}><kbd>{key}</kbd></dt>, <dd key={what}>{what}</dd>])}
      </dl>
      <dl class="kv">
        {places.flatMap((place) => [<dt key={place.to}><kbd>{place.keys}</kbd></dt>, <dd key={place.name}>{place.name}: {place.about}</dd>])}
      </dl>
    </div>
    <label class="check">
      <input type="checkbox" checked={singleKeys.value} onChange={(event) => (singleKeys.value = event.currentTarget.checked)} />
      Keys without Ctrl act (switch off if they are in the way)
    </label>
  </Dialog>
);
