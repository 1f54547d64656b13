// The next fires of a schedule, and what will surprise.
import type {DelayedRun, Warning} from '../api/types';
import {everyZone, fullTime, localZone, shownZone} from '../time/format';
import {Empty} from '../ui/basics';
import {Countdown} from '../ui/time';

export function Fires({next, delayed, zone}: {next: string[]; delayed: DelayedRun[]; zone: string}) {
  if (next.length === 0) return <Empty title="No fire is to come" />;
  const shown = shownZone(zone);
  const second = shown === 'UTC' ? localZone : 'UTC';
  const tickOf = new Map(delayed.map((run) => [run.starts_at, run.scheduled_for]));
  return (
    <div class="table">
      <table>
        <thead><tr><th>{shown}</th>{second !== shown && <th class="c1">{second}</th>}<th class="num">From now</th></tr></thead>
        <tbody>
          {next.map((at) => (
            <tr key={at} title={everyZone(Date.parse(at), zone)}>
              <td>{fullTime(Date.parse(at), shown).replace(` ${shown}`, '')}{tickOf.has(at) && <span class="muted"> for {fullTime(Date.parse(tickOf.get(at)!), shown).replace(` ${shown}`, '')}</span>}</td>
              {second !== shown && <td class="muted c1">{fullTime(Date.parse(at), second).replace(` ${second}`, '')}</td>}
              <td class="num"><Countdown at={at} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const Warnings = ({warnings}: {warnings: Warning[]}) =>
  warnings.length === 0 ? null : (
    <ul class="warnings">
      {warnings.map((warning) => (
        <li key={warning.code + warning.message} class="box late" title={warning.at ? everyZone(Date.parse(warning.at)) : undefined}>{warning.message}</li>
      ))}
    </ul>
  );
