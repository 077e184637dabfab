import { sql, type Kysely, type RawBuilder } from 'kysely'

/**
 * Protects a new table of places by row-level security: the application's role may use it, and sees only rows of the
 * actor's places, or all of them for identities that may read everything. `alsoRead` and `alsoWrite` are further
 * conditions for reading and writing, over the table's own columns.
 */
export async function guardPlaceTable(
  db: Kysely<unknown>,
  table: string,
  { alsoRead, alsoWrite }: { alsoRead?: RawBuilder<unknown>; alsoWrite?: RawBuilder<unknown> } = {},
): Promise<void> {
  const isOwnPlace = sql`place_id = any ((select app_places())::text[])`
  const readable = sql`((select app_reads_all()) or ${isOwnPlace} or ${alsoRead ?? sql`false`})`
  const writable = sql`((select app_writes_all()) or ${isOwnPlace} or ${alsoWrite ?? sql`false`})`
  await grantTable(db, table)
  await policy(db, table, 'select', sql`using ${readable}`)
  await policy(db, table, 'insert', sql`with check ${writable}`)
  await policy(db, table, 'update', sql`using ${writable} with check ${writable}`)
  await policy(db, table, 'delete', sql`using ${writable}`)
  await hideClosed(db, table)
}

/**
 * A condition that the place of a row is not closed. Usually none is, and then no row is checked. `coalesce` hides the
 * condition from the planner, which would expect `<> all` to leave no rows.
 */
export const isPlaceOpen =
  '((select app_none_closed()) or not coalesce(place_id = any ((select app_closed())::text[]), false))'

/**
 * Hides rows of closed places in a table with a `place_id` from everybody, whatever its other policies (`open_place`).
 * Does nothing in migrations before 0082, which does it for their tables.
 */
export async function hideClosed(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`
    do $do$
    begin
      if to_regprocedure('app_closed()') is not null then
        create policy open_place on ${sql.table(table)} as restrictive using (${sql.raw(isPlaceOpen)});
      end if;
    end $do$`.execute(db)
}

const readsAll = '( SELECT app_reads_all() AS app_reads_all)'
const readsOpened =
  '( SELECT app_writes_all() AS app_writes_all) OR (place_id = ANY (( SELECT app_opened() AS app_opened)::text[]))'

/**
 * Restricts support staff to rows of places that they opened with a reason (`app.opened`): rewrites each policy that
 * shows support every row, on every table with a place. Call it at the end of migrations that protect a table of places,
 * from 0056 on. Memberships and keys are read with accounts and do not change.
 */
export async function requireReasonOfSupport(db: Kysely<unknown>): Promise<void> {
  await replaceInPolicies(db, readsAll, `(${readsOpened})`)
}

/** Reverts `requireReasonOfSupport` on all tables. */
export async function requireNoReasonOfSupport(db: Kysely<unknown>): Promise<void> {
  await replaceInPolicies(db, readsOpened, readsAll)
}

/** Texts are as printed by the catalog. */
async function replaceInPolicies(db: Kysely<unknown>, before: string, after: string): Promise<void> {
  await sql`
    do $do$
    declare found record; before constant text := ${sql.lit(before)}; after constant text := ${sql.lit(after)};
    begin
      for found in select p.* from pg_policies p
        join pg_attribute a on a.attrelid = format('%I.%I', p.schemaname, p.tablename)::regclass
          and a.attname = 'place_id' and not a.attisdropped
        where p.schemaname in ('public', 'data') and p.tablename not in ('place_user', 'api_key')
          and position(before in concat(p.qual, p.with_check)) > 0 loop
        execute format('alter policy %I on %I.%I', found.policyname, found.schemaname, found.tablename)
          || coalesce(' using (' || replace(found.qual, before, after) || ')', '')
          || coalesce(' with check (' || replace(found.with_check, before, after) || ')', '');
      end loop;
    end $do$`.execute(db)
}

/** Protects a table whose rows only `who` and the product may read and write. */
export async function guardTable(
  db: Kysely<unknown>,
  table: string,
  { read, write }: { read: RawBuilder<unknown>; write: RawBuilder<unknown> },
): Promise<void> {
  await grantTable(db, table)
  await policy(db, table, 'select', sql`using ((select app_writes_all()) or ${read})`)
  await policy(db, table, 'insert', sql`with check ((select app_writes_all()) or ${write})`)
  await policy(db, table, 'update', sql`using ((select app_writes_all()) or ${write})`)
  await policy(db, table, 'delete', sql`using ((select app_writes_all()) or ${write})`)
}

/**
 * Protects a table about accounts: code with access to accounts (`app.accounts`) and the product read and write all of
 * it, others what `read`, `write` and `remove` (by default as `write`) permit. Forced.
 */
export async function guardAccountTable(
  db: Kysely<unknown>,
  table: string,
  {
    read,
    write,
    remove = write,
  }: Record<'read' | 'write', RawBuilder<unknown>> & { remove?: RawBuilder<unknown> },
): Promise<void> {
  const or = (condition: RawBuilder<unknown>) => sql`((select app_accounts()) or ${condition})`
  await grantTable(db, table)
  await policy(db, table, 'select', sql`using ${or(read)}`)
  await policy(db, table, 'insert', sql`with check ${or(write)}`)
  await policy(db, table, 'update', sql`using ${or(write)} with check ${or(write)}`)
  await policy(db, table, 'delete', sql`using ${or(remove)}`)
  await sql`alter table ${sql.table(table)} force row level security`.execute(db)
}

/** Reverts `guardTable` for a table that remains; its grants stay as well. */
export async function unguardTable(db: Kysely<unknown>, table: string): Promise<void> {
  for (const verb of Object.keys(verbs))
    await sql`drop policy ${sql.ref(`${table}_${verb}`)} on ${sql.table(table)}`.execute(db)
  await sql`alter table ${sql.table(table)} disable row level security`.execute(db)
}

/**
 * Redefines a function with `after` instead of a text that it contains exactly once. Throws where it does not. `name`
 * includes the argument types.
 */
export async function replaceInFunction(
  db: Kysely<unknown>,
  name: string,
  before: string,
  after: string,
): Promise<void> {
  await sql`
    do $do$
    declare body text;
    begin
      select pg_get_functiondef(${sql.lit(name)}::regprocedure) into body;
      if (length(body) - length(replace(body, ${sql.lit(before)}, ''))) <> length(${sql.lit(before)}) then
        raise exception '% is not as it was', ${sql.lit(name)};
      end if;
      execute replace(body, ${sql.lit(before)}, ${sql.lit(after)});
    end $do$`.execute(db)
}

async function grantTable(db: Kysely<unknown>, table: string) {
  await sql`grant select, insert, update, delete on ${sql.table(table)} to commonplace_app`.execute(db)
  await sql`alter table ${sql.table(table)} enable row level security`.execute(db)
}

const verbs = { select: sql`select`, insert: sql`insert`, update: sql`update`, delete: sql`delete` }

async function policy(
  db: Kysely<unknown>,
  table: string,
  verb: keyof typeof verbs,
  condition: RawBuilder<unknown>,
) {
  await sql`create policy ${sql.ref(`${table}_${verb}`)} on ${sql.table(table)} for ${verbs[verb]} ${condition}`.execute(
    db,
  )
}
