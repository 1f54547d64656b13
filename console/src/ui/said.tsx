// What the server says in a sentence, as people read it: instants in the zone that is shown, `code` as code.
import {fullTime, shownZone} from '../time/format';

const PARTS = /(`[^`]+`|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

export const Said = ({text, zone}: {text: string; zone?: string}) => (
  <>
    {text.split(PARTS).map((part, i) =>
      i % 2 === 0 ? part : part.startsWith('`') ? <code key={i}>{part.slice(1, -1)}</code> : <time key={i} dateTime={part} title={part}>{fullTime(Date.parse(part), shownZone(zone))}</time>,
    )}
  </>
);
