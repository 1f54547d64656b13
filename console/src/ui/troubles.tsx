// What the cluster says is wrong, and what to do about it: the same words as `belfry doctor` has.
import type {Trouble} from '../api/types';
import {Pill} from './basics';
import {Said} from './said';
import {Countdown} from './time';

// A note asks nobody to do anything.
export const worthSaying = (troubles: Trouble[]): Trouble[] => troubles.filter((trouble) => trouble.severity !== 'note');

export const TroubleList = ({troubles}: {troubles: Trouble[]}) => (
  <div class="table">
    <table>
      <thead class="sr"><tr><th>How bad</th><th>What is wrong, and what to do</th><th>Since</th></tr></thead>
      <tbody>
        {troubles.map((trouble) => (
          <tr key={`${trouble.code} ${trouble.subject}`}>
            <td><Pill kind={trouble.severity === 'critical' ? 'bad' : trouble.severity === 'warning' ? 'late' : 'wait'}>{trouble.severity === 'critical' ? 'Critical' : trouble.severity === 'warning' ? 'Warning' : 'Note'}</Pill></td>
            <td class="says"><span class="strong"><Said text={trouble.sentence} /></span> <span class="dim"><Said text={trouble.remedy} /></span></td>
            <td class="num muted c1">{trouble.since && <Countdown at={trouble.since} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
