// What Belfry's own tables say about runs: the only place of the benches that knows them.
import { query } from './servers.mjs';
import { rounded } from './statistics.mjs';

const RUNS = `(select job_type, scheduled_for, decided_at, started_at from history union all
  select job_type, scheduled_for, decided_at, started_at from runs) as all_runs`;

// How late the ticks of [from, until) were decided.
export async function latest(scene, type, from, until) {
  const { rows } = await query(
    scene.url,
    `select max(extract(epoch from decided_at - scheduled_for)) as latest, count(*) as runs,
            count(*) filter (where decided_at - scheduled_for > interval '1 second') as late
     from ${RUNS} where job_type = $1 and scheduled_for >= to_timestamp($2) and scheduled_for < to_timestamp($3)`,
    [type, from / 1000, until / 1000],
  );
  return { latest: rounded(+rows[0].latest, 3), runs: +rows[0].runs, late: +rows[0].late };
}

// A herd of job type `herd` at one instant: when it was decided, and whether it started before what ticked later. In
// order: of those that were decided when the first of the later runs started, the share that had started, too.
export async function herdInLedger(scene, due) {
  const { rows } = await query(
    scene.url,
    `with herd as (select * from ${RUNS} where job_type = 'herd'),
          later as (select min(started_at) as at from herd where scheduled_for > to_timestamp($1))
     select extract(epoch from max(decided_at)) - $1 as decided, extract(epoch from max(started_at)) - $1 as last,
            count(started_at) as started,
            100.0 * count(*) filter (where started_at <= later.at) / count(*) filter (where decided_at <= later.at) as in_order
     from herd, later where scheduled_for = to_timestamp($1)`,
    [due / 1000],
  );
  const { decided, last, started, in_order: inOrder } = rows[0];
  return { decided: rounded(+decided, 3), last: rounded(+last, 3), started: +started, in_order: rounded(+inOrder, 2) };
}
