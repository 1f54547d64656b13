// The one place that talks to the server. Everything goes to the origin the page came from.
import {signal} from '@preact/signals';
import type {Problem} from './types';

// A refusal, in the server's own words.
export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
  }
  get status(): number {
    return this.problem.status;
  }
}

export type Query = Record<string, string | number | boolean | string[] | null | undefined>;
export interface Ask {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

// Set by the session: the tenant an admin looks at, and the token that changes must carry.
export const tenant = signal('');
export const csrfToken = signal('');
// Raised when a call was refused for want of a key.
export const keyWanted = signal(false);

export function urlOf(path: string, query: Query = {}): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue;
    for (const each of Array.isArray(value) ? value : [value]) parts.append(name, String(each));
  }
  const text = parts.toString();
  return `/api/v1${path}${text ? `?${text}` : ''}`;
}

export function headersOf(method: string, ask: Ask): Record<string, string> {
  const headers: Record<string, string> = {...ask.headers};
  if (ask.body !== undefined) headers['Content-Type'] ??= 'application/json';
  if (tenant.value) headers['Belfry-Tenant'] = tenant.value;
  if (method !== 'GET' && csrfToken.value) headers['Belfry-Csrf'] = csrfToken.value;
  return headers;
}

function unreachable(): Problem {
  return {
    type: 'about:blank',
    title: 'The node does not answer',
    status: 0,
    code: 'unreachable',
    detail: 'The node does not answer. Is `belfry serve` running? The page goes on by itself once it is back.',
  };
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    return (await response.json()) as Problem;
  } catch {
    return {
      type: 'about:blank',
      title: response.statusText,
      status: response.status,
      code: 'unknown',
      detail: `The answer was ${response.status} ${response.statusText}.`,
    };
  }
}

export async function call<T>(method: string, path: string, ask: Ask = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(urlOf(path, ask.query), {
      method,
      keepalive: method !== 'GET' && ask.body === undefined, // a page that is left still does what it said
      headers: headersOf(method, ask),
      ...(ask.body === undefined ? {} : {body: JSON.stringify(ask.body)}),
      ...(ask.signal ? {signal: ask.signal} : {}),
    });
  } catch (error) {
    if (ask.signal?.aborted) throw error;
    throw new Refusal(unreachable());
  }
  if (!response.ok) {
    if (response.status === 401) keyWanted.value = true;
    throw new Refusal(await problemOf(response));
  }
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const get = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  call<T>('GET', path, {...(query ? {query} : {}), ...(signal ? {signal} : {})});
export const post = <T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T> =>
  call<T>('POST', path, {body, ...(headers ? {headers} : {})});

// A key for a request that must not be done twice, should its answer get lost.
export const freshKey = (): string => `console-${crypto.randomUUID()}`;
