-- What becomes of ticks that a job's calendar closes (core/schedule/rhythm.h): they are skipped, or the
-- newest runs when it opens. A revision has it in its `schedule`; one without it skips.
alter table jobs add column calendar_policy integer not null default 0;
