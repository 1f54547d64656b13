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
  tenant.value = found.scope === 'root' ? chosenTenant.value : '';
  keyWanted.value = false;
}

export async function resume(): Promise<void> {
  try {
    enter(await get<Session>('/session'));
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) keyWanted.value = true;
    else setTimeout(() => void resume(), 1500); // the node is away; the page waits for it
  }
}

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
