import { sql, type Kysely } from 'kysely'

/** At most two runs of importers of a place at a time; places take turns. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table job
      -- Which of the runs of its place that go on at once it is; null: none of them.
      add column slot smallint check (slot between 1 and 2),
      -- When it was last taken up: the place that was served longest ago is next.
      add column claimed_at timestamptz`.execute(db)
  // Of the current runs two per place continue; the others wait for their turn and then resume.
  await sql`
    with going as (
      select id, row_number() over (partition by place_id order by started_at, id) as n
      from job where status = 'running')
    update job j set
      slot = case when n <= 2 then n end,
      status = case when n <= 2 then 'running' else 'waiting' end,
      lease_until = case when n <= 2 then lease_until end,
      due_at = case when n <= 2 then due_at else now() end
    from going where going.id = j.id`.execute(db)
  await sql`
    create unique index job_slot on job (place_id, slot)
      where slot is not null and status in ('running', 'stopping')`.execute(db)
  await sql`create index job_turn on job (place_id, claimed_at) where claimed_at is not null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop index job_turn, job_slot`.execute(db)
  await sql`alter table job drop column claimed_at, drop column slot`.execute(db)
}
