// The calls of the REST API that the pages use, with the types of its document.
import {call, freshKey, get, post, type Query} from './client';
import type {
  AlertMessages, AlertPage, AlertRule, AlertRuleDefinition, AlertRulePage, AlertSilence, AlertSilenceDefinition,
  AlertSilences, AuditPage, BackfillReport, Bulk, BulkPage, BulkTrial, Calendar, CalendarPage, Checkin, Cluster,
  Explanation, Forecast, HerdAdvice, Job, JobBatchResult, JobDefinition, JobPage, JobPatch, JobReplacement, JobType, JobTypeDefinition,
  JobTypePage, JobsBulk, Key, KeyDefinition, KeyPage, NewCheckin, NewKey, PauseRequest, Preview, PreviewRequest,
  RevisionPage, Run, RunDetail, RunLog, RunPage, Secret, SecretPage, Stats, Tenant, TenantDefinition, TenantPage,
  TickPage, Workers,
} from './types';

const part = encodeURIComponent;

export const jobs = {
  list: (query: Query, signal?: AbortSignal) => get<JobPage>('/jobs', query, signal),
  read: (job: string) => get<Job>(`/jobs/${part(job)}`),
  create: (body: JobDefinition) => post<Job>('/jobs', body, {'Idempotency-Key': freshKey()}),
  replace: (job: string, body: JobReplacement, version: number) =>
    call<Job>('PUT', `/jobs/${part(job)}`, {body, headers: {'If-Match': `"${version}"`}}),
  patch: (job: string, body: JobPatch, version: number) =>
    call<Job>('PATCH', `/jobs/${part(job)}`, {body, headers: {'If-Match': `"${version}"`, 'Content-Type': 'application/merge-patch+json'}}),
  importAll: (body: JobDefinition[], paused: boolean) =>
    post<JobBatchResult>('/jobs:batch', {jobs: body, atomic: false, paused}, {'Idempotency-Key': freshKey()}),
  remove: (job: string) => call<undefined>('DELETE', `/jobs/${part(job)}`),
  pause: (job: string, body: PauseRequest) => post<Job>(`/jobs/${part(job)}/pause`, body),
  resume: (job: string) => post<Job>(`/jobs/${part(job)}/resume`, {}),
  cancel: (job: string) => post<Job>(`/jobs/${part(job)}/cancel`, {}),
  trigger: (job: string, payload?: unknown) =>
    post<Run>(`/jobs/${part(job)}/trigger`, payload === undefined ? {} : {payload}, {'Idempotency-Key': freshKey()}),
  backfill: (job: string, from: string, to: string, dryRun: boolean) =>
    post<BackfillReport>(`/jobs/${part(job)}/backfill`, {from, to, dry_run: dryRun}),
  runs: (job: string, query: Query) => get<RunPage>(`/jobs/${part(job)}/runs`, query),
  ticks: (job: string, query: Query) => get<TickPage>(`/jobs/${part(job)}/ticks`, query),
  explain: (job: string, at?: string) => get<Explanation>(`/jobs/${part(job)}/explain`, {at}),
  revisions: (job: string, cursor?: string) => get<RevisionPage>(`/jobs/${part(job)}/revisions`, {cursor, limit: 50}),
  restore: (job: string, revision: number, version: number) =>
    call<Job>('POST', `/jobs/${part(job)}/revisions/${revision}/restore`, {body: {}, headers: {'If-Match': `"${version}"`}}),
  next: (job: string, count: number) => get<Preview>(`/jobs/${part(job)}/next`, {count}),
};

export const runs = {
  list: (query: Query, signal?: AbortSignal) => get<RunPage>('/runs', query, signal),
  read: (run: string) => get<RunDetail>(`/runs/${part(run)}`),
  log: (run: string, attempt?: number) => get<RunLog>(`/runs/${part(run)}/log`, {attempt}),
  cancel: (run: string) => post<Run>(`/runs/${part(run)}/cancel`, {}),
  unstick: (run: string, note: string) => post<Run>(`/runs/${part(run)}/unstick`, note ? {note} : {}),
  retry: (run: string) => post<Run>(`/runs/${part(run)}/retry`, {}, {'Idempotency-Key': freshKey()}),
};

// Work on many jobs, done by the server.
export const bulk = {
  list: (query: Query) => get<BulkPage>('/bulk', query),
  read: (id: string) => get<Bulk>(`/bulk/${part(id)}`),
  look: (body: JobsBulk) => post<BulkTrial>('/jobs:bulk', {...body, dry_run: true}),
  begin: (body: JobsBulk) => post<Bulk>('/jobs:bulk', body, {'Idempotency-Key': freshKey()}),
  stop: (id: string) => post<Bulk>(`/bulk/${part(id)}/stop`, {}),
};

export const types = {
  list: (cursor?: string) => get<JobTypePage>('/types', {cursor, limit: 200}),
  put: (name: string, body: JobTypeDefinition) => call<JobType>('PUT', `/types/${part(name)}`, {body}),
  remove: (name: string) => call<undefined>('DELETE', `/types/${part(name)}`),
};

export const checkins = {
  read: (job: string) => get<Checkin>(`/jobs/${part(job)}/checkin`),
  make: (job: string) => post<NewCheckin>(`/jobs/${part(job)}/checkin`, {}),
  revoke: (job: string) => call<undefined>('DELETE', `/jobs/${part(job)}/checkin`),
};

export const preview = (body: PreviewRequest) => post<Preview>('/schedules/preview', body);

export const cluster = {
  read: () => get<Cluster>('/cluster'),
  stats: () => get<Stats>('/stats'),
  workers: () => get<Workers>('/workers'),
  forecast: (hours: number) => get<Forecast>('/forecast', {hours}),
  advice: (hours: number) => get<HerdAdvice>('/forecast/advice', {hours}),
};

export const alerts = {
  list: (query: Query) => get<AlertPage>('/alerts', query),
  rules: () => get<AlertRulePage>('/alerts/rules', {limit: 1000}),
  putRule: (rule: string, body: AlertRuleDefinition) => call<AlertRule>('PUT', `/alerts/rules/${part(rule)}`, {body}),
  removeRule: (rule: string) => call<undefined>('DELETE', `/alerts/rules/${part(rule)}`),
  messages: (failed: boolean) => get<AlertMessages>('/alerts/messages', failed ? {failed} : {}),
  test: (rule: string) => post<unknown>(`/alerts/rules/${part(rule)}/test`),
  silences: () => get<AlertSilences>('/alerts/silences'),
  silence: (body: AlertSilenceDefinition) => post<AlertSilence>('/alerts/silences', body),
  endSilence: (silence: number) => call<undefined>('DELETE', `/alerts/silences/${silence}`),
};

export const admin = {
  audit: (query: Query) => get<AuditPage>('/audit', query),
  keys: () => get<KeyPage>('/keys'),
  createKey: (body: KeyDefinition) => post<NewKey>('/keys', body),
  revokeKey: (key: Key) => call<undefined>('DELETE', `/keys/${part(key.key_id)}`),
  tenants: () => get<TenantPage>('/tenants', {limit: 1000}),
  putTenant: (name: string, body: TenantDefinition) => call<Tenant>('PUT', `/tenants/${part(name)}`, {body}),
  calendars: () => get<CalendarPage>('/calendars', {limit: 1000}),
  putCalendar: (name: string, rules: string[]) => call<Calendar>('PUT', `/calendars/${part(name)}`, {body: {rules}}),
  secrets: (cursor?: string) => get<SecretPage>('/secrets', {cursor, limit: 100}),
  putSecret: (name: string, value: string) => call<Secret>('PUT', `/secrets/${part(name)}`, {body: {value}}),
  removeSecret: (name: string) => call<undefined>('DELETE', `/secrets/${part(name)}`),
  removeCalendar: (name: string) => call<undefined>('DELETE', `/calendars/${part(name)}`),
};
