// Which calls a page of the console makes before it can be used: as console/src asks them.
const DAY = 86_400_000;
const ago = (ms) => new Date(Date.now() - ms).toISOString();

// For each page a function from the number of the visit to its calls: [method, address, body].
export async function pagesOf(rest, jobs) {
  const job = (i) => jobs[i % jobs.length];
  const { items: runs } = await rest.call('GET', '/runs?limit=50');
  const run = (i) => runs[i % runs.length];
  const rail = [['GET', '/runs?state=DEAD&limit=100'], ['GET', '/cluster'], ['GET', '/jobs?label=belfry-demo%3Dtrue&limit=1']];
  const strips = (list) => list.slice(0, 20).map((each) => ['GET', `/jobs/${each.job_id}/runs?limit=20`]);
  return {
    frame: () => [['GET', '/session'], ...rail],
    overview: () => [['GET', '/stats'], ['GET', '/cluster'], ['GET', '/jobs?failing=true&limit=100'], ['GET', `/runs?from=${ago(DAY)}&limit=1000`],
      ['GET', '/runs?state=DEAD&limit=100'], ['GET', '/forecast?hours=24'], ['GET', '/jobs?status=ACTIVE&limit=1000']],
    jobs: () => [['GET', '/jobs?limit=50'], ['GET', '/stats'], ...strips(jobs)],
    'jobs, searched': (i) => [['GET', `/jobs?q=port-${(i * 7919) % 10_000}&limit=50`], ['GET', '/stats']],
    'jobs, by label': () => [['GET', '/jobs?label=team%3Dreports&limit=50'], ['GET', '/stats']],
    'jobs, failing': () => [['GET', '/jobs?failing=true&limit=50'], ['GET', '/stats']],
    job: (i) => [['GET', `/jobs/${job(i).job_id}`], ['GET', `/jobs/${job(i).job_id}/runs?limit=20`], ['GET', `/jobs/${job(i).job_id}/ticks?from=${ago(14 * DAY)}&limit=500`]],
    'job, runs': (i) => [['GET', `/jobs/${job(i).job_id}`], ['GET', `/jobs/${job(i).job_id}/runs?limit=100`]],
    'job, schedule': (i) => [['GET', `/jobs/${job(i).job_id}`], ['GET', `/jobs/${job(i).job_id}/next?count=25`]],
    'job, revisions': (i) => [['GET', `/jobs/${job(i).job_id}`], ['GET', `/jobs/${job(i).job_id}/revisions?limit=50`]],
    'job, why': (i) => [['GET', `/jobs/${job(i).job_id}`], ['GET', `/jobs/${job(i).job_id}/explain`]],
    runs: () => [['GET', '/runs?limit=100']],
    'runs, failed': () => [['GET', '/runs?state=FAILED&limit=100']],
    run: (i) => [['GET', `/runs/${run(i).run_id}`], ['GET', `/runs/${run(i).run_id}/log`], ['GET', `/jobs/${run(i).job_id}`]],
    upcoming: () => [['GET', '/forecast?hours=24']],
    'upcoming, a week': () => [['GET', '/forecast?hours=168']],
    calendar: (i) => [['GET', `/jobs/${job(i).job_id}`], ['GET', `/jobs/${job(i).job_id}/ticks?from=${ago(31 * DAY)}&limit=1000`]],
    'dead letters': () => [['GET', '/runs?state=DEAD&limit=100']],
    workers: () => [['GET', '/stats'], ['GET', '/runs?limit=1000'], ['GET', '/cluster']],
    cluster: () => [['GET', '/cluster']],
    audit: () => [['GET', '/audit?limit=100']],
    settings: () => [['GET', '/keys'], ['GET', '/tenants?limit=1000'], ['GET', '/calendars?limit=1000'], ['GET', '/secrets?limit=100']],
  };
}
