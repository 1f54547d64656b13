// Who changed what, the newest first.
import {useState} from 'preact/hooks';
import {admin} from '../../api/calls';
import {usePages} from '../../api/pages';
import type {AuditEntry} from '../../api/types';
import {Bones, Empty, PageHead, Trouble} from '../../ui/basics';
import {More, NewPill} from '../../ui/list';
import {Time, ZoneName} from '../../ui/time';

const words = (detail: Record<string, unknown>): string =>
  Object.entries(detail).map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ');

// What an object of the audit is on these pages, if it has one.
export function linkOf(object: string): string | undefined {
  const [kind, id = ''] = object.split(':');
  if (kind === 'job' && /^[0-9a-f]{16}$/.test(id)) return `/jobs/${id}`;
  if (kind === 'run' && /^[0-9a-f]{32}$/.test(id)) return `/runs/${id}`;
  if (kind === 'key') return '/settings/keys';
  if (kind === 'tenant') return '/settings/tenants';
  return kind === 'calendar' ? '/settings/calendars' : undefined;
}

export default function Audit() {
  const pages = usePages<AuditEntry>('audit', (cursor) => admin.audit({cursor, limit: 100}), {id: (entry) => String(entry.seq), on: () => true});
  const [text, setText] = useState('');
  const needle = text.toLowerCase();
  const rows = (pages.items ?? []).filter((entry) => !needle || `${entry.actor} ${entry.action} ${entry.object} ${entry.tenant_id} ${words(entry.detail)}`.toLowerCase().includes(needle));
  return (
    <>
      <PageHead title="Audit" sub="Every change, with who made it.">
        <input type="search" data-search aria-label="Search in what is loaded" placeholder="Search these rows" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </PageHead>
      <NewPill pages={pages} />
      {pages.problem && <Trouble problem={pages.problem} retry={pages.reload} />}
      <div class="card flush">
        {!pages.items ? (
          !pages.problem && <Bones rows={8} />
        ) : rows.length === 0 ? (
          <Empty title={needle ? 'Nothing matches' : 'Nothing was changed yet'} />
        ) : (
          <div class="table"><table>
            <thead><tr><th>When<ZoneName /></th><th>Who</th><th>What</th><th>To</th><th class="c3">Tenant</th><th class="c2">More</th></tr></thead>
            <tbody data-rows>
              {rows.map((entry) => (
                <tr key={entry.seq}>
                  <td><Time at={entry.at} seconds /></td>
                  <td class="max">{entry.actor}</td>
                  <td><code>{entry.action}</code></td>
                  <td class="max">{linkOf(entry.object) ? <a href={linkOf(entry.object)}>{entry.object}</a> : entry.object}</td>
                  <td class="muted c3">{entry.tenant_id}</td>
                  <td class="fill dim c2" title={words(entry.detail)}>{words(entry.detail)}</td>
                </tr>
              ))}
            </tbody>
          </table></div>
        )}
        <More pages={pages} />
      </div>
    </>
  );
}
