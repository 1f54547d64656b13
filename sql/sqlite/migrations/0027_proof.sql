-- How far the ledger was compared with the definitions of its jobs. One row; the leader's work.
create table ledger_checks (
  id              integer primary key check (id = 1),
  version         integer not null,       -- grows with each step: a deposed leader's is refused
  checked_through integer not null,       -- every tick up to here was looked for
  kept_after      integer not null,       -- what was written about ticks up to here may be dropped
  sealed_through  integer not null,       -- days that ended by then have their statements
  violations      integer not null,       -- found so far
  pass            text not null           -- over all jobs, where it stands (engine/proof); empty: none
) strict;

-- What was found, each once.
create table ledger_flaws (
  id         integer primary key autoincrement,
  tenant_id  integer not null,
  job_id     integer not null,
  kind       integer not null,
  first_tick integer not null,
  last_tick  integer not null,
  count      integer not null,
  revision   integer not null,
  evidence   text not null,
  found_at   integer not null,
  unique (job_id, kind, first_tick)
) strict;
create index ledger_flaws_tenant on ledger_flaws (tenant_id, id);

-- A tenant's day as far as it was counted, while its statement is being made.
create table proof_tallies (
  tenant_id integer primary key,
  tally     text not null
) strict;

-- The statement about a tenant's day, as it was signed. Kept for ever.
create table proofs (
  tenant_id  integer not null,
  day        integer not null,  -- its first instant, in UTC
  statement  text not null,
  digest     text not null,     -- of the statement: the next one names it
  public_key text not null,     -- empty: there was no key to sign with
  signature  text not null,
  sealed_at  integer not null,
  primary key (tenant_id, day)
) strict, without rowid;
