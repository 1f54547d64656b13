// Who is signed in, and what they may do. A node without keys needs no signing in: whoever owns the machine owns it.
import {computed, signal} from '@preact/signals';
import {csrfToken, get, keyWanted, post, Refusal, tenant} from '../api/client';
import type {Session} from '../api/types';
import {kept} from './prefs';

export const session = signal<Session | undefined>(undefined);
const chosenTenant = kept('tenant', '');

export const mayOperate = computed(() => ['operator', 'admin', 'root'].includes(session.value?.scope ?? ''));
export const mayAdminister = computed(() => ['admin', 'root'].includes(session.value?.scope ?? ''));
export const isRoot = computed(() => session.value?.scope === 'root');

function enter(found: Session): void {
  session.value = found;
  csrfToken.value = found.csrf_token;
  tenant.value = found.scope === 'root' ? chosenTenant.value || found.tenant_id : ''; // who names none counts all tenants
  keyWanted.value = false;
}

// What a link has behind its #. It leaves the address at once: what stands there is kept in the history, and copied.
function takeCode(): string {
  const code = /^#sign-in=([\w-]+)$/.exec(location.hash)?.[1] ?? '';
  if (code) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

let code = takeCode();
export const linkRefused = signal(''); // why the link that the page was opened with does not sign in

// Whoever needs no link keeps it unused. A cookie that was refused is gone with the answer, so the second call says who
// we are without it.
async function whoAmI(): Promise<Session> {
  const refused = (error: unknown): boolean => error instanceof Refusal && error.status === 401;
  let first: unknown;
  for (let tries = 0; tries < 2; ++tries) {
    try {
      return await get<Session>('/session');
    } catch (error) {
      if (!refused(error)) throw error;
      first ??= error;
    }
  }
  if (!code) throw first;
  return post<Session>('/session:redeem', {code}).catch((error: unknown) => {
    if (refused(error)) linkRefused.value = (error as Refusal).message;
    throw error;
  });
}

export async function resume(): Promise<void> {
  try {
    enter(await whoAmI());
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) keyWanted.value = true;
    else setTimeout(() => void resume(), 1500); // the node is away; the page waits for it
  }
}

// A link that is pasted where the page is open already changes only what follows the #: nothing is loaded anew.
addEventListener('hashchange', () => {
  code = takeCode();
  if (!code || !keyWanted.value) return;
  linkRefused.value = '';
  void resume().then(() => session.value && location.reload());
});

export async function signIn(key: string): Promise<void> {
  enter(await post<Session>('/session', {}, {Authorization: `Bearer ${key}`}));
}

export async function signOut(): Promise<void> {
  await fetch('/api/v1/session', {method: 'DELETE', headers: {'Belfry-Csrf': csrfToken.value}});
  session.value = undefined;
  csrfToken.value = '';
  keyWanted.value = true;
}

export function chooseTenant(name: string): void {
  chosenTenant.value = name === session.value?.tenant_id ? '' : name;
  location.reload(); // nothing of the other tenant may stay on the page
}
