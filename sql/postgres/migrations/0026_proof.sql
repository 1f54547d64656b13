-- How far the ledger was compared with the definitions of its jobs. One row; the leader's work.
create table ledger_checks (
  id              integer primary key check (id = 1),
  version         bigint not null,       -- grows with each step: a deposed leader's is refused
  checked_through timestamptz not null,  -- every tick up to here was looked for
  kept_after      timestamptz not null,  -- what was written about ticks up to here may be dropped
  sealed_through  timestamptz not null,  -- days that ended by then have their statements
  violations      bigint not null,       -- found so far
  pass            text not null          -- over all jobs, where it stands (engine/proof); empty: none
);

-- What was found, each once.
create table ledger_flaws (
  id         bigint generated always as identity primary key,
  tenant_id  bigint not null,
  job_id     bigint not null,
  kind       smallint not null,
  first_tick timestamptz not null,
  last_tick  timestamptz not null,
  count      bigint not null,
  revision   integer not null,
  evidence   text not null,
  found_at   timestamptz not null,
  unique (job_id, kind, first_tick)
);
create index ledger_flaws_tenant on ledger_flaws (tenant_id, id);

-- A tenant's day as far as it was counted, while its statement is being made.
create table proof_tallies (
  tenant_id bigint primary key,
  tally     text not null
);

-- The statement about a tenant's day, as it was signed. Kept for ever.
create table proofs (
  tenant_id  bigint not null,
  day        timestamptz not null,  -- its first instant, in UTC
  statement  text not null,
  digest     text not null,         -- of the statement: the next one names it
  public_key text not null,         -- empty: there was no key to sign with
  signature  text not null,
  sealed_at  timestamptz not null,
  primary key (tenant_id, day)
);
