import { sql, type Kysely } from 'kysely'
import { guardPlaceTable } from '../row-security.ts'

/**
 * The state of a deletion or incompatible change of a data type whose sources belong to other places too:
 * what the owner requested (`data_type_change`), the move of each of those places to a data type of its own
 * (`data_type_move`), and the progress of copying each source (`data_type_move_source`). The owner reads the
 * first; each place reads only its own rows of the others.
 */
export async function up(db: Kysely<unknown>) {
  // Set: deleted by its owner while sources still move away, or new and waiting for its first sources.
  await sql`alter table data_type add column closed_at timestamptz`.execute(db)
  await sql`
    create table data_type_change (
      id text primary key,
      data_type_id text not null references data_type (id) on delete cascade,
      -- The owner.
      place_id text not null references place (id) on delete cascade,
      kind text not null check (kind in ('delete', 'document', 'schema')),
      -- What was asked for, by the kind. json, not jsonb: the order of the fields is the person's.
      data json,
      asked_by text,
      status text not null default 'moving' check (status in ('moving', 'succeeded', 'failed', 'withdrawn')),
      error text,
      attempts int not null default 0,
      due_at timestamptz not null default now(),
      created_at timestamptz not null default now(),
      finished_at timestamptz
    )`.execute(db)
  // A new request of an owner replaces a pending one.
  await sql`create unique index data_type_change_open on data_type_change (data_type_id) where status = 'moving'`.execute(
    db,
  )
  await guardPlaceTable(db, 'data_type_change')
  await sql`
    create table data_type_move (
      id text primary key,
      change_id text not null references data_type_change (id) on delete cascade,
      place_id text not null references place (id) on delete cascade,
      from_type_id text not null references data_type (id) on delete cascade,
      to_type_id text not null references data_type (id) on delete cascade,
      status text not null default 'copying' check (status in ('copying', 'clearing', 'done')),
      -- Records written to the new table, and removed from the old one.
      copied bigint not null default 0,
      cleared bigint not null default 0,
      -- Who holds an older one can commit nothing.
      fence int not null default 0,
      lease_until timestamptz,
      due_at timestamptz not null default now(),
      attempts int not null default 0,
      error text,
      created_at timestamptz not null default now(),
      moved_at timestamptz,
      finished_at timestamptz,
      unique (change_id, place_id),
      unique (id, place_id)
    )`.execute(db)
  await sql`create index data_type_move_open on data_type_move (due_at) where status <> 'done'`.execute(db)
  await sql`create index data_type_move_from on data_type_move (from_type_id, place_id)`.execute(db)
  // Whoever may see where the sources are now may be redirected there.
  await guardPlaceTable(db, 'data_type_move', {
    alsoRead: sql`(moved_at is not null and to_type_id in (select data_type_id from source))`,
  })
  await sql`
    create table data_type_move_source (
      move_id text not null,
      source_id text not null,
      place_id text not null,
      -- The copy is of this version of the source's data, or of a later one.
      version int not null,
      -- The version that it is being brought up to; null: none.
      target int,
      -- The last record that was copied; null: all were.
      after_id bigint default 0,
      -- The last record that was brought up to date.
      after_external text not null default '',
      primary key (move_id, source_id),
      foreign key (move_id, place_id) references data_type_move (id, place_id) on delete cascade,
      foreign key (source_id, place_id) references source (id, place_id) on delete cascade
    )`.execute(db)
  await guardPlaceTable(db, 'data_type_move_source')
  for (const table of ['data_type_change', 'data_type_move', 'data_type_move_source'])
    await sql`alter table ${sql.table(table)} force row level security`.execute(db)
  await sequences(db)
  await measuring(db, (body) => turns.reduce((text, [from, to]) => turned(text, from, to), body))
}

/**
 * Makes `measure_data_change` of 0014 count the records of one place only: those of other places move away
 * first, so the change does not affect them.
 */
const turns: readonly (readonly [string, string])[] = [
  [
    `from data.%I', array_to_string(c.few, ', '), p_table) into one;`,
    `from data.%I where coalesce($1, place_id) = place_id', array_to_string(c.few, ', '), p_table) into one using p_plan->>'place';`,
  ],
  [
    `from data.%I group by 1, 2) ids',
          value, p_table) into one;`,
    `from data.%I where coalesce($1, place_id) = place_id group by 1, 2) ids',
          value, p_table) into one using p_plan->>'place';`,
  ],
]

function turned(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error('measure_data_change is not the function that it was.')
  return text.replace(from, () => to)
}

async function measuring(db: Kysely<unknown>, change: (body: string) => string) {
  const { rows } = await sql<{ body: string }>`
    select pg_get_functiondef('measure_data_change(text, jsonb)'::regprocedure) as body`.execute(db)
  await sql.raw(change(rows[0]?.body ?? '')).execute(db)
}

/** Records keep their ids when they move: the sequence of the new table continues that of the old one. */
async function sequences(db: Kysely<unknown>) {
  await sql`
    create function follow_data_sequence(p_from text, p_to text) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare old text; new text; last bigint; called boolean; own bigint;
    begin
      if not app_writes_all() then raise exception 'not allowed' using errcode = '42501'; end if;
      if p_from !~ '^t_[a-z0-9_]{1,47}$' or p_to !~ '^t_[a-z0-9_]{1,47}$' then
        raise exception 'bad table name' using errcode = '22023';
      end if;
      old := coalesce(pg_get_serial_sequence(format('data.%I', p_from), 'id'), format('data.%I', 'id_' || p_from));
      new := coalesce(pg_get_serial_sequence(format('data.%I', p_to), 'id'), format('data.%I', 'id_' || p_to));
      execute format('select last_value, is_called from %s', old) into last, called;
      execute format('select last_value from %s', new) into own;
      if last >= own then perform setval(new::regclass, last, called); end if;
    end $$`.execute(db)
  await sql`revoke all on function follow_data_sequence(text, text) from public`.execute(db)
  await sql`grant execute on function follow_data_sequence(text, text) to commonplace_app`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await measuring(db, (body) => turns.reduce((text, [from, to]) => turned(text, to, from), body))
  await sql`drop function follow_data_sequence(text, text)`.execute(db)
  await sql`drop table data_type_move_source, data_type_move, data_type_change`.execute(db)
  // A data type that waits for sources to leave was deleted by its owner.
  await sql`update data_type set deleted_at = closed_at where closed_at is not null`.execute(db)
  await sql`alter table data_type drop column closed_at`.execute(db)
}
