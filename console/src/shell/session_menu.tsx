import {tenant} from '../api/client';
import {session, signOut} from '../state/session';
import {Menu} from '../ui/menu';

export function SessionMenu() {
  const {actor, scope, has_key: hasKey, tenant_id: own} = session.value!;
  const shown = tenant.value || own;
  if (!hasKey) return <span class="tag" title={`${actor}, without a key: this node has none yet`}>{shown}</span>;
  return <Menu label={`Signed in as ${actor}`} text={shown} entries={[{text: `${actor} (${scope})`, to: '/settings'}, 'line', {text: 'Sign out', run: () => void signOut()}]} />;
}
