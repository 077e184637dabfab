import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { maxVersionedPageBytes } from '#functions/shapes/page-version.ts'
import type { Tx } from '#db/schema.ts'

/** Saves by one person within this many minutes of the first are one version. */
const foldedFor = 10
/** How many older versions of a page are stored, of published ones and of others each. */
const keptEach = 50
/** Most bytes of all versions of a page; published ones are deleted last, the newest never. */
const bytesKept = 20_000_000

/** The size of a page in bytes, from the settings of its contents (`c`). */
const bytes = sql`coalesce(sum(octet_length(c.settings::text)), 0)`

/** A CTE with the page's current state; no row where it is too large for versions. */
const selectPageState = (pageId: string) => sql`
  state as (
    select title, description, author, contents, place_id, saved_at,
      -- An empty author leaves the digest as it was before pages had authors.
      md5(jsonb_build_array(title, description, contents)::text || author) as digest, bytes
    from (
      select p.title, p.description, p.author, p.place_id, greatest(p.updated_at, max(c.updated_at)) as saved_at,
        ${bytes}::int as bytes,
        coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'kind', c.kind, 'settings', c.settings)
          order by c.position, c.id) filter (where c.id is not null), '[]') as contents
      from page p left join content c on c.page_id = p.id and c.deleted_at is null
      where p.id = ${pageId} group by p.id
      having ${bytes} <= ${maxVersionedPageBytes}) page
  ),
  newest as (
    select id, number, kind, digest, created_by, created_at from page_version
    where page_id = ${pageId} order by number desc limit 1
  )`

/**
 * Whether a page is too large for versions: its changes are not stored as versions until contents are
 * deleted.
 */
export async function isTooLarge(ctx: Context, pageId: string): Promise<boolean> {
  const { rows } = await sql<{ isOver: boolean }>`
    select ${bytes} > ${maxVersionedPageBytes} as is_over
    from content c where c.page_id = ${pageId} and c.deleted_at is null`.execute(ctx.db)
  return rows[0]?.isOver ?? false
}

/**
 * Call before changing a page, in the same transaction: locks the page and stores its current state as a
 * version, unless it is stored already (pages from before there were versions). Returns whether it is stored.
 */
export async function changing(tx: Tx, pageId: string): Promise<boolean> {
  await sql`select from page where id = ${pageId} for no key update`.execute(tx)
  const { rows } = await sql<{ isKept: boolean }>`
    with ${selectPageState(pageId)},
    added as (
      insert into page_version (id, place_id, page_id, number, kind, title, description, author, contents, digest, bytes,
        created_at, updated_at)
      select ${crypto.randomUUID()}, state.place_id, ${pageId}, coalesce(newest.number, 0) + 1, 'edited',
        state.title, state.description, state.author, state.contents, state.digest, state.bytes, state.saved_at, state.saved_at
      from state left join newest on true where newest.digest is distinct from state.digest)
    select exists (select from state) as is_kept`.execute(tx)
  return rows[0]?.isKept ?? false
}

/** Why a version is stored. `restoredFrom`: when the restored version had been saved. */
interface VersionReason {
  kind: 'edited' | 'published' | 'restored'
  restoredFrom?: Date
}

/**
 * Stores the state of a page as a version, after a change and in the same transaction. An unchanged state is
 * not stored again, unless it is published now. An edit replaces the version before it, if that is by the
 * same person and began a short time ago. Then deletes the oldest: at most 51 published versions and 51
 * others remain, 20 MB together.
 */
export async function storePageVersion(
  tx: Tx,
  ctx: Context,
  pageId: string,
  { kind, restoredFrom }: VersionReason = { kind: 'edited' },
): Promise<void> {
  const now = ctx.now()
  const since = new Date(now.getTime() - foldedFor * 60_000)
  const author = ctx.actor.user?.id ?? null
  await sql`
    with ${selectPageState(pageId)},
    folded as (
      update page_version v
      set title = state.title, description = state.description, author = state.author, contents = state.contents,
        digest = state.digest, bytes = state.bytes, updated_at = ${now}
      from state, newest
      where v.id = newest.id and newest.digest <> state.digest and newest.kind = 'edited' and ${kind} = 'edited'
        and newest.created_by is not distinct from ${author}::text and newest.created_at > ${since}
      returning v.id),
    added as (
      insert into page_version (id, place_id, page_id, number, kind, title, description, author, contents, digest, bytes,
        restored_from, created_by, created_at, updated_at)
      select ${crypto.randomUUID()}, state.place_id, ${pageId}, coalesce(newest.number, 0) + 1, ${kind},
        state.title, state.description, state.author, state.contents, state.digest, state.bytes,
        ${restoredFrom ?? null}::timestamptz, ${author}::text, ${now}::timestamptz, ${now}::timestamptz
      from state left join newest on true
      where not exists (select from folded) and (newest.digest is distinct from state.digest
        or (${kind} = 'published' and newest.kind <> 'published')))
    delete from page_version where id in (
      select id from (
        select id, row_number() over (partition by kind = 'published' order by number desc) as place,
          row_number() over (order by number desc) as age,
          sum(bytes) over (order by kind = 'published' desc, number desc) as bytes
        from page_version where page_id = ${pageId}) old
      where age > 1 and (place > ${keptEach} or bytes > ${bytesKept}))`.execute(tx)
}
