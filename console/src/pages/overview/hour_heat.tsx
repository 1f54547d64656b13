// The next day as a picture: columns are hours, rows are sixths of an hour.
import type {Forecast} from '../../api/types';
import {Heatmap} from '../../charts/heatmap';
import {Twin} from '../../charts/twin';
import {clock, localZone} from '../../time/format';

const TEN = 10;

export function HourHeat({forecast}: {forecast: Forecast}) {
  const from = Date.parse(forecast.from);
  const hour = Math.floor(from / 3_600_000) * 3_600_000;
  const offset = Math.round((from - hour) / 60_000);
  const ticks = (x: number, y: number): number => {
    const first = x * 60 + y * TEN - offset;
    let sum = 0;
    for (let i = first; i < first + TEN; ++i) sum += forecast.minutes[i] ?? 0;
    return sum;
  };
  const at = (x: number, y: number): string => clock(hour + x * 3_600_000 + y * TEN * 60_000, localZone);
  const cells = Array.from({length: 6}, (_, y) => Array.from({length: 24}, (_unused, x) => ({value: ticks(x, y), name: `${at(x, y)}: ${ticks(x, y)} ticks in ten minutes`})));
  const columns = Array.from({length: 24}, (_, x) => (x % 6 === 0 ? at(x, 0) : ''));
  const table = () => ({
    head: ['Hour', 'Ticks'],
    rows: Array.from({length: 24}, (_, x) => [at(x, 0), cells.reduce((sum, row) => sum + (row[x]?.value ?? 0), 0)]),
  });
  return (
    <Twin name="Ticks in the next 24 hours" table={table}>
      <Heatmap label="Ticks in the next 24 hours" cells={cells} rows={['00', '10', '20', '30', '40', '50'].map((minute) => `:${minute}`)} columns={columns} tall={22} unit="ticks in ten minutes" />
    </Twin>
  );
}
