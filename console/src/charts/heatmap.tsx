// How much comes when: cells in rows and columns, darker is more.
import {useWidth} from './width';

export interface HeatCell {
  value: number;
  name: string; // what the pointer and a screen reader are told
}

interface HeatmapProps {
  label: string;
  cells: HeatCell[][]; // by row
  rows: string[];
  columns: string[]; // empty where no label is to stand
  tall?: number;
  unit: string; // what is counted, and in how long
  picked?: [number, number] | undefined;
  onPick?: (row: number, column: number) => void;
}

const LETTER = 7; // pixels, at most

// From the least to the most that there is, so that a herd stands out of any crowd.
const shade = (value: number, least: number, most: number): number =>
  value === 0 ? 0.05 : 0.16 + 0.84 * (Math.max(0, value - least) / Math.max(1, most - least)) ** 0.8;

export function Heatmap({label, cells, rows, columns, tall = 20, unit, picked, onPick}: HeatmapProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  const values = cells.flat().map((each) => each.value).filter(Boolean).sort((a, b) => a - b);
  const least = values[Math.floor(values.length / 10)] ?? 0; // the hour that has begun is no measure
  const most = values.at(-1) ?? 1;
  const left = 10 + LETTER * Math.max(...rows.map((text) => text.length));
  const cell = (width - left) / columns.length;
  const height = rows.length * tall + 18;
  return (
    <div ref={box}>
    <svg class="heat" width={width} height={height} role="img" aria-label={label}>
      {rows.map((text, y) => (
        <text key={text + y} x={left - 8} y={y * tall + tall / 2 + 4} text-anchor="end">{text}</text>
      ))}
      {cells.map((line, y) =>
        line.map((each, x) => (
          <rect
            key={`${y}-${x}`}
            class={onPick ? 'pick' : ''}
            x={left + x * cell + 0.5}
            y={y * tall + 0.5}
            width={cell - 1.2}
            height={tall - 1.2}
            rx={2}
            fill="var(--accent)"
            fill-opacity={shade(each.value, least, most)}
            stroke={picked && picked[0] === y && picked[1] === x ? 'var(--ink)' : 'none'}
            stroke-width={1.5}
            onClick={() => onPick?.(y, x)}
          >
            <title>{each.name}</title>
          </rect>
        )),
      )}
      {columns.map((text, x) => text && <text key={x} x={left + x * cell} y={height - 4}>{text}</text>)}
    </svg>
    <p class="row tight muted small heat-scale" aria-hidden="true">
      0
      {[0, 1, 2, 3, 4].map((step) => <svg key={step} width={16} height={11}><rect width={16} height={11} rx={2} fill="var(--accent)" fill-opacity={step === 0 ? 0.05 : 0.16 + 0.84 * ((step - 1) / 3)} /></svg>)}
      {most.toLocaleString('en')} {unit}
    </p>
    </div>
  );
}
