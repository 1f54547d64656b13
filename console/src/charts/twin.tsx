// Every chart has a table with the same data, for who cannot see it and for who wants the numbers.
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';

export interface TwinTable {
  head: string[];
  rows: (string | number)[][];
}

export function Twin({name, table, children}: {name: string; table: () => TwinTable; children: ComponentChildren}) {
  const [asTable, setAsTable] = useState(false);
  return (
    <div>
      {asTable ? <DataTable name={name} {...table()} /> : children}
      <button type="button" class="as-table" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
        {asTable ? 'Show as chart' : 'Show as table'}
      </button>
    </div>
  );
}

const DataTable = ({name, head, rows}: TwinTable & {name: string}) => (
  <div class="table" style={{maxHeight: '320px', overflowY: 'auto'}} tabIndex={0} role="region" aria-label={name}>
    <table>
      <caption class="sr">{name}</caption>
      <thead>
        <tr>{head.map((text) => <th key={text}>{text}</th>)}</tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>{row.map((cell, k) => <td key={k} class={typeof cell === 'number' ? 'num' : ''}>{cell}</td>)}</tr>
        ))}
      </tbody>
    </table>
  </div>
);
