// How much comes when: cells in rows and columns, darker is more.
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
  picked?: [number, number] | undefined;
  onPick?: (row: number, column: number) => void;
}

const LEFT = 40;

// The square root keeps one herd from making everything else look empty.
const shade = (value: number, most: number): number => (value === 0 ? 0.05 : 0.14 + 0.86 * Math.sqrt(value / most));

export function Heatmap({label, cells, rows, columns, tall = 20, picked, onPick}: HeatmapProps) {
  const most = Math.max(1, ...cells.flat().map((cell) => cell.value));
  const wide = columns.length;
  const cell = 1000 / wide;
  const height = rows.length * tall + 18;
  return (
    <svg class="heat" width="100%" viewBox={`0 0 ${LEFT + 1000} ${height}`} role="img" aria-label={label}>
      {rows.map((text, y) => (
        <text key={text + y} x={LEFT - 8} y={y * tall + tall / 2 + 4} text-anchor="end">{text}</text>
      ))}
      {cells.map((line, y) =>
        line.map((each, x) => (
          <rect
            key={`${y}-${x}`}
            class={onPick ? 'pick' : ''}
            x={LEFT + x * cell + 0.5}
            y={y * tall + 0.5}
            width={cell - 1.2}
            height={tall - 1.2}
            rx={2}
            fill="var(--accent)"
            fill-opacity={shade(each.value, most)}
            stroke={picked && picked[0] === y && picked[1] === x ? 'var(--ink)' : 'none'}
            stroke-width={1.5}
            onClick={() => onPick?.(y, x)}
          >
            <title>{each.name}</title>
          </rect>
        )),
      )}
      {columns.map((text, x) => text && <text key={x} x={LEFT + x * cell} y={height - 4}>{text}</text>)}
    </svg>
  );
}
