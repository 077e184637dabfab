import { sql } from 'kysely'
import type { Actor } from '#functions/context.ts'
import type { Db } from '../schema.ts'

/** A row as JSON, with the database's own names. */
export type Row = Record<string, unknown>
export type ReaderCheck = (actor: Actor) => boolean

const anyone: ReaderCheck = () => true
const nobody: ReaderCheck = () => false
const isSuper: ReaderCheck = ({ user }) => user?.role === 'super_admin'
const readsAll: ReaderCheck = ({ user, kind }) => kind === 'system' || user?.role === 'super_admin'
const readsAccounts: ReaderCheck = (actor) => readsAll(actor) || actor.user?.role === 'support'
/** Support staff may read a place after giving a reason. */
const readsPlace =
  (placeId: unknown): ReaderCheck =>
  (actor) =>
    readsAll(actor) ||
    (actor.user?.role === 'support' && (actor.opened ?? []).some((open) => open.placeId === placeId))

const roleIn = (actor: Actor, placeId: unknown) =>
  actor.memberships.find((membership) => membership.placeId === placeId)?.role ?? null
const hasRole =
  (placeId: unknown, ...roles: string[]): ReaderCheck =>
  (actor) => {
    const role = roleIn(actor, placeId)
    return role !== null && (roles.length === 0 || roles.includes(role))
  }
const either =
  (...all: ReaderCheck[]): ReaderCheck =>
  (actor) =>
    all.some((sees) => sees(actor))
const eitherWorld =
  (...all: ReaderCheck[]): ReaderCheck =>
  (actor) =>
    all.every((sees) => sees(actor))
const self =
  (userId: unknown): ReaderCheck =>
  ({ user }) =>
    user !== null && user.id === userId
const checkByPlace = (placeId: unknown) => either(readsPlace(placeId), hasRole(placeId))
const admins = (placeId: unknown) => either(isSuper, hasRole(placeId, 'content_admin', 'organization_admin'))

/** "public < place (members) < private (its creator and admins)"; deleted rows are visible to nobody. */
export function checkByVisibility(row: Row | undefined): ReaderCheck {
  if (!row || row.deleted_at != null) return nobody
  const isPublished = row.publish === undefined || row.publish === 'published'
  if (row.visibility === 'public' && isPublished) return anyone
  if (row.visibility !== 'private') return checkByPlace(row.place_id)
  return either(
    readsPlace(row.place_id),
    hasRole(row.place_id, 'content_admin', 'organization_admin'),
    eitherWorld(hasRole(row.place_id), self(row.created_by)),
  )
}

/** The holder of a source's write key may read that source, since it could overwrite all of it. */
const checkByKey =
  (row: Row | undefined): ReaderCheck =>
  ({ source }) =>
    source !== null && row !== undefined && source.id === row.id

/** Who may see a source and its records. */
export const sourceSeenBy = (row: Row | undefined): ReaderCheck =>
  either(checkByVisibility(row), checkByKey(row))

/** Columns that are never returned to anyone. */
const secret = new Set([
  'token',
  'token_hash',
  'password',
  'secret',
  'secrets',
  'access_token',
  'refresh_token',
  'value',
])

/**
 * Tables whose columns with these names are returned: the text of a rejected row is not a secret of the
 * product, and the token of a host is shown to the place's admins, for DNS.
 */
const toldTo = new Set(['import_reject', 'place_domain'])

type Rule = (row: Row, of: (table: string, id: unknown) => Row | undefined, column: string) => ReaderCheck

/** Who may see a row's texts, by table: the product's rules, restated from the rows alone. */
const rules: Record<string, Rule> = {
  place: (row) => (row.deleted_at == null ? anyone : nobody),
  place_domain: (row, _of, column) =>
    column === 'token'
      ? either(isSuper, hasRole(row.place_id, 'organization_admin'))
      : checkByPlace(row.place_id),
  source: (row, _of, column) =>
    column === 'custom_fields'
      ? eitherWorld(checkByPlace(row.place_id), checkByVisibility(row))
      : sourceSeenBy(row),
  // A removed field also hides its name.
  custom_field: (row) =>
    row.is_public === true && row.removed_at == null ? anyone : checkByPlace(row.place_id),
  insight: checkByVisibility,
  collection: checkByVisibility,
  boundary_set: checkByVisibility,
  boundary_set_area: (row, of) => checkByVisibility(of('boundary_set', row.boundary_set_id)),
  page: checkByVisibility,
  content: (row, of) => (row.deleted_at == null ? checkByVisibility(of('page', row.page_id)) : nobody),
  page_version: (row, of) => eitherWorld(admins(row.place_id), checkByVisibility(of('page', row.page_id))),
  facet_pyramid: (row, of) => sourceSeenBy(of('source', row.source_id)),
  source_stat: (row, of) => sourceSeenBy(of('source', row.source_id)),
  source_version: (row, of) => sourceSeenBy(of('source', row.source_id)),
  field_profile: (row, of) => sourceSeenBy(of('source', row.source_id)),
  data_history: (row, of) => sourceSeenBy(of('source', row.source_id)),
  insight_result: (row, of) => checkByVisibility(of('insight', row.insight_id)),
  collection_insight: (row, of) =>
    eitherWorld(
      checkByVisibility(of('collection', row.collection_id)),
      checkByVisibility(of('insight', row.insight_id)),
    ),
  collection_text: (row, of) =>
    row.deleted_at == null ? checkByVisibility(of('collection', row.collection_id)) : nobody,
  translation: (row, of) =>
    row.noun === 'source' ? sourceSeenBy(of('source', row.noun_id)) : checkByPlace(row.place_id),
  importer: (row, of) =>
    eitherWorld(checkByPlace(row.place_id), checkByVisibility(of('source', row.source_id))),
  job: (row, of) => eitherWorld(checkByPlace(row.place_id), checkByVisibility(of('source', row.source_id))),
  job_log: (row, of) =>
    eitherWorld(
      checkByPlace(row.place_id),
      checkByVisibility(of('source', of('job', row.job_id)?.source_id)),
    ),
  import_object: (row, of) =>
    eitherWorld(
      checkByPlace(row.place_id),
      checkByVisibility(of('source', of('job', row.job_id)?.source_id)),
    ),
  import_batch: (row, of) =>
    eitherWorld(
      checkByPlace(row.place_id),
      checkByVisibility(of('source', of('job', row.job_id)?.source_id)),
    ),
  import_reject: (row, of) =>
    eitherWorld(
      checkByPlace(row.place_id),
      checkByVisibility(of('source', of('job', row.job_id)?.source_id)),
    ),
  observer: (row) => checkByPlace(row.place_id),
  alert: (row) => checkByPlace(row.place_id),
  delivery: (row) => checkByPlace(row.place_id),
  error_report: (row, of, column) =>
    column === 'form_hash' || of('source', row.source_id)?.deleted_at != null ? nobody : admins(row.place_id),
  activity: (row) => (row.person_id ? either(self(row.person_id), isSuper) : checkByPlace(row.place_id)),
  invite: (row) => either(isSuper, hasRole(row.place_id, 'organization_admin')),
  place_archive: (row) => either(isSuper, hasRole(row.place_id, 'organization_admin')),
  place_import: (row) => either(isSuper, hasRole(row.place_id, 'organization_admin')),
  place_request(row, _of, column) {
    // Once it exists it has the requested name.
    if (row.status === 'accepted' && column === 'name') return anyone
    return row.kind === 'new'
      ? either(isSuper, self(row.user_id))
      : either(isSuper, self(row.user_id), hasRole(row.place_id, 'organization_admin'))
  },
  asset_folder: (row) => (row.user_id ? self(row.user_id) : checkByPlace(row.place_id)),
  asset(row, of) {
    if (row.user_id) return self(row.user_id)
    return row.source_id
      ? eitherWorld(checkByPlace(row.place_id), checkByVisibility(of('source', row.source_id)))
      : checkByPlace(row.place_id)
  },
  short_link: () => anyone,
  field_use: () => readsAccounts,
  place_access: (row) => self(row.user_id),
  api_key: (row) => (row.user_id ? self(row.user_id) : admins(row.place_id)),
  session: (row) => self(row.user_id),
  account: () => nobody,
  verification: () => nobody,
  mail: () => nobody,
  outbox: () => nobody,
  idempotency: () => nobody,
}

/**
 * Returns the function that says who may see a column of a row. For tables without a rule, such as later ones: members
 * of the row's place, or nobody where it has none.
 */
export async function readers(db: Db): Promise<(table: string, column: string, row: Row) => ReaderCheck> {
  const rows = new Map<string, Row>()
  for (const table of ['source', 'page', 'insight', 'collection', 'boundary_set', 'job']) {
    const result = await sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(db)
    for (const { row } of result.rows) rows.set(`${table} ${String(row.id)}`, row)
  }
  const members = await db.selectFrom('placeUser').select(['placeId', 'userId']).execute()
  const joining = await db
    .selectFrom('placeRequest')
    .select(['placeId', 'userId'])
    .where('kind', '=', 'join')
    .execute()
  const findRow = (table: string, id: unknown) => rows.get(`${table} ${String(id)}`)
  return (table, column, row) => {
    const isSecret = secret.has(column) && !toldTo.has(table)
    if (isSecret || (table === 'api_key' && column === 'hash')) return nobody
    if (table === 'user') {
      const places = members.filter(({ userId }) => userId === row.id).map(({ placeId }) => placeId)
      // Staff who act in all places are named in the audit log of each.
      const isEverywhere = row.role != null && column !== 'email'
      if (isEverywhere)
        return either(readsAccounts, self(row.id), ({ memberships }) =>
          memberships.some(({ role }) => role !== null),
        )
      const among = column === 'email' ? ['content_admin', 'organization_admin'] : []
      // Who asks to join shows themselves to those who decide.
      const answerers = joining
        .filter(({ userId }) => userId === row.id)
        .map(({ placeId }) => hasRole(placeId, 'organization_admin'))
      const colleagues = places.map((placeId) => hasRole(placeId, ...among))
      return either(readsAccounts, self(row.id), ...colleagues, ...answerers)
    }
    if (table === 'data_type') {
      if (row.deleted_at != null) return nobody
      const typeRows = [...rows].filter(
        ([key, { data_type_id }]) => key.startsWith('source ') && data_type_id === row.id,
      )
      return row.owner_place_id == null
        ? anyone
        : either(checkByPlace(row.owner_place_id), ...typeRows.map(([, source]) => checkByVisibility(source)))
    }
    const rule = Object.hasOwn(rules, table) ? rules[table] : undefined
    if (rule) return rule(row, findRow, column)
    return row.place_id ? checkByPlace(row.place_id) : nobody
  }
}
