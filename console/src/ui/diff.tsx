// What differs between two definitions, field by field.
export interface Change {
  field: string;
  before: string;
  after: string;
}

export const Diff = ({changes, heads}: {changes: Change[]; heads: readonly [string, string]}) => (
  <div class="table">
    <table class="diff">
      <thead><tr><th>Field</th><th>{heads[0]}</th><th>{heads[1]}</th></tr></thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <td class="dim">{change.field}</td>
            <td class="was"><code>{change.before || '—'}</code></td>
            <td class="will"><code>{change.after || '—'}</code></td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
