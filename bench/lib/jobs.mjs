// Definitions of jobs, and their way to a node.

export const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));

const iso = (moment) => new Date(moment).toISOString();

// Ticks every `period` seconds on whole seconds, the jobs spread over them evenly, from `begin` on.
export const everySoOften = (index, begin, period, rest = {}) => ({
  job_name: `every-${index}`,
  schedule_type: 'EVERY',
  every: `${period}s`,
  start_at: iso(begin - period * 1000 + (index % period) * 1000),
  ...rest,
});

export const once = (index, moment, rest = {}) => ({
  job_name: `once-${index}`,
  schedule_type: 'ONCE',
  run_at: iso(moment),
  ...rest,
});

// Half a year away, on 40,320 different schedules.
export function cold(index) {
  const month = ((new Date().getUTCMonth() + 6) % 12) + 1;
  const [minute, hour, day] = [index % 60, Math.floor(index / 60) % 24, 1 + (Math.floor(index / 1440) % 28)];
  return {
    job_name: `cold-${index}`,
    job_type: 'cold',
    schedule_type: 'CRON',
    cron_expression: `${minute} ${hour} ${day} ${month} *`,
  };
}

const BATCH = 10_000;

// Registers jobs `first` to `first + count`, made by `make(index)`, with two calls in flight.
export async function register(rest, count, make, { first = 0, headers } = {}) {
  let next = first;
  const lane = async () => {
    while (next < first + count) {
      const begin = next;
      next = Math.min(first + count, begin + BATCH);
      const jobs = range(next - begin, (index) => make(begin + index));
      await rest.call('POST', '/jobs:batch', { jobs }, headers);
    }
  };
  await Promise.all([lane(), lane()]);
}

export const unlimited = (rest, tenant = 'default') => rest.call('PUT', `/tenants/${tenant}`, { max_jobs: 0, max_in_flight: 0, max_requests: 0 });
