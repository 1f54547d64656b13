// A node with one of everything, and the address of every page about it.
export async function furnish(node, words = (name) => name) {
  const job = await node.job(words('fine'), {job_type: 'fine', cron_expression: '0 3 * * *', every: undefined, timezone: 'Europe/Berlin', description: words('about'), labels: {team: words('team')}, payload: {text: words('payload')}});
  const bad = await node.job(words('bad'), {job_type: 'bad', max_attempts: 1});
  const held = await node.job(words('held'), {job_type: 'held'});
  const good = await node.finished(job, {status: 'SUCCEEDED', result: {text: words('result')}, log: `${words('log')}\n`});
  const dead = await node.finished(bad, {status: 'FAILED', error: words('error'), retryable: false, log: words('log')});
  await node.call('POST', `/jobs/${held.job_id}/pause`, {note: words('note')});
  const waiting = await node.call('POST', `/jobs/${held.job_id}/trigger`, {payload: [words('payload')]});
  await node.call('PUT', '/calendars/holidays', {rules: ['SAT,SUN']});
  await node.call('PUT', '/tenants/rival', {});
  await node.call('PUT', '/secrets/billing-key', {value: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'});
  const watched = await node.job(words('watched'), {target: {kind: 'CHECKIN'}, start_within: '1h'});
  await node.call('POST', `/jobs/${watched.job_id}/checkin`, {});
  await node.call('PUT', '/types/fine', {max_concurrent: 5, rate: '100/m', defaults: {timeout: '2m'}});
  await node.call('PUT', '/alerts/rules/failing', {when: 'failed_in_a_row', count: 1, labels: [`team=${words('team')}`], to: [{kind: 'HTTP', url: 'https://example.com/alerts'}]});
  await node.call('POST', '/alerts/silences', {duration: '2h', note: words('note')});
  await node.call('POST', '/alerts/rules/failing/test', {});
  await node.call('PATCH', `/jobs/${job.job_id}`, {payload: {text: words('changed')}, timeout: '7m'});
  return {
    overview: '/', jobs: '/jobs', selected: '/jobs?status=ACTIVE', timeline: `/jobs/${job.job_id}`, runs: `/jobs/${bad.job_id}/runs`, schedule: `/jobs/${job.job_id}/schedule`,
    definition: `/jobs/${job.job_id}/definition`, revisions: `/jobs/${job.job_id}/revisions`, why: `/jobs/${held.job_id}/why`, new: '/jobs/new', edit: `/jobs/${job.job_id}/edit`, import: '/jobs/import', 'all runs': '/runs',
    'good run': `/runs/${good}`, 'dead run': `/runs/${dead}`, 'waiting run': `/runs/${waiting.run_id}`, upcoming: '/upcoming', week: '/upcoming?span=7d', calendar: `/calendar?job=${job.job_id}`,
    dead: '/dead-letters', workers: '/workers', cluster: '/cluster', audit: '/audit', settings: '/settings', keys: '/settings/keys', tenants: '/settings/tenants', calendars: '/settings/calendars', secrets: '/settings/secrets', types: '/settings/types', 'check-ins': '/checkins', 'check-in': `/jobs/${watched.job_id}/checkin`, 'job alerts': `/jobs/${bad.job_id}/alerts`,
    alerts: '/alerts', 'alert history': '/alerts/history', rules: '/alerts/rules', silences: '/alerts/silences', messages: '/alerts/messages', docs: '/docs', doc: '/docs/concepts/schedules', 'docs search': '/docs?q=lease', problem: '/problems/version_mismatch', 'api index': '/docs/api', 'api call': '/docs/api/createJob', 'api schema': '/docs/api/schema:JobDefinition',
    nowhere: '/no/such/page',
  };
}

// Loaded and drawn: nothing is fetched any more but events, and no placeholder is left.
export async function settled(page) {
  await page.locator('h1, .empty').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.bone'));
}
