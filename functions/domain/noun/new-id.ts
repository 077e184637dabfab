import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { whereDataTypeVisible } from '#functions/domain/data-type/visibility.ts'
import { isRestorable } from './restore.ts'
import { whereRowsVisible, type PlacedNoun } from './visible.ts'
import { getReadablePlaceIds, readsAll } from '#functions/domain/access/identity.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Tx } from '#db/schema.ts'

/** The nouns whose id the client may choose, unique over all places, with their names for error messages. */
const nouns = {
  source: 'a source',
  insight: 'an insight',
  collection: 'a collection',
  collectionText: 'a text',
  page: 'a page',
  content: 'a content',
  importer: 'an importer',
  observer: 'an observer',
  dataType: 'a data type',
  boundarySet: 'a boundary set',
  assetFolder: 'a folder',
} as const
export type NewNoun = keyof typeof nouns

/** The characters of a random ending: no vowels, so that it spells no word, and none that look alike. */
const letters = 'bcdfghjkmnpqrstvwxyz23456789'
const endingLength = 5
/** The longest id of a data type, and of anything else. */
export const longestDataTypeId = 63
const longestId = 64

/** The most attempts. With 17 million endings, several collisions in a row would mean a bug. */
const maxTries = 8

/** An id with a short random ending: `airport` becomes `airport-k3m9x`. */
export function withEnding(id: string, most = longestId): string {
  const start = id.slice(0, most - endingLength - 1).replace(/-+$/, '')
  return `${start}-${ending()}`
}

function ending(): string {
  let text = ''
  while (text.length < endingLength) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    // Bytes above the last multiple of the alphabet's length are skipped: they would favour its first characters.
    if (byte < letters.length * Math.floor(256 / letters.length)) text += letters[byte % letters.length]
  }
  return text
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Makes another id for one that is taken. */
function another(noun: NewNoun, id: string): string {
  if (uuid.test(id)) return crypto.randomUUID()
  return withEnding(id, noun === 'dataType' ? longestDataTypeId : longestId)
}

/** A row that is about to be inserted. */
export interface NewRow {
  noun: NewNoun
  /** Its place; null for an official data type. */
  placeId: string | null
  /** The requested id; undefined: any. */
  chosenId: string | undefined
  /** Proposes an id where none was requested; otherwise it is random. */
  make?: () => string
  /** The Failure for an id that is taken. */
  refusal?: Failure
}

/**
 * Inserts a new row and gives its id: the requested one, else a free one. Where the actor may see or restore the row that has the
 * requested id already, it throws `conflict`. Where that row is hidden from the actor, the new one gets another id, `given-k3m9x`,
 * which the answer contains: a refusal would reveal the hidden row. `insert` must do nothing when the id is taken
 * (`onConflict … doNothing`); it is then called again.
 */
export async function insertNew(
  tx: Tx,
  ctx: Context,
  row: NewRow,
  insert: (id: string) => Promise<{ numInsertedOrUpdatedRows?: bigint | undefined }>,
): Promise<string> {
  const { noun, chosenId: value, make = () => crypto.randomUUID() } = row
  let id = value ?? make()
  for (let tries = 0; tries < maxTries; tries += 1) {
    if ((await insert(id)).numInsertedOrUpdatedRows) return id
    if (id === value && (await isKnown(tx, ctx, row, id)))
      throw row.refusal ?? new Failure('conflict', { message: `There is ${nouns[noun]} with this id.` })
    id = value === undefined ? make() : another(noun, value)
  }
  throw new Failure('broken', { cause: new Error(`No free id for ${nouns[noun]}.`) })
}

/** Whether a row of this id exists that the actor may see, or that is of its place and could be restored. */
async function isKnown(tx: Tx, ctx: Context, { noun, placeId }: NewRow, id: string): Promise<boolean> {
  if (readsAll(ctx.actor)) return true
  // All of them have an id.
  const row = await tx
    .selectFrom(noun as 'source')
    .select('id')
    .where(sql.ref(`${noun}.id`), '=', id)
    .where(rowsOfNouns[noun](ctx, placeId))
    .executeTakeFirst()
  return row !== undefined
}

type KnownRows = (ctx: Context, placeId: string | null) => RawBuilder<SqlBool>

/** The rows that the actor may see, with the deleted ones of the place that are not gone for good. */
const rowsOfPlacedNoun =
  (noun: PlacedNoun): KnownRows =>
  (ctx, placeId) => {
    const deletedAt = `${noun}.deletedAt`
    const isLiveOrRestorable = sql`(${sql.ref(deletedAt)} is null
      or (${sql.ref(`${noun}.placeId`)} = ${placeId} and ${isRestorable(ctx, deletedAt)}))`
    return whereRowsVisible(ctx, noun, 'private', isLiveOrRestorable)
  }

/** Parts of visible pages and collections, with the deleted ones of this place: they come back with an older version of their page. */
const buildPartCondition =
  (noun: 'content' | 'collectionText', whole: 'page' | 'collection'): KnownRows =>
  (ctx, placeId) =>
    sql<SqlBool>`((${sql.ref(`${noun}.deletedAt`)} is null or ${sql.ref(`${noun}.placeId`)} = ${placeId})
      and exists (select from ${sql.table(whole)} where ${sql.ref(`${whole}.id`)} = ${sql.ref(`${noun}.${whole}Id`)}
        and ${rowsOfPlacedNoun(whole)(ctx, placeId)}))`

/** Nouns that only people of the place see and that cannot be restored. */
const buildMemberCondition =
  (noun: 'importer' | 'observer'): KnownRows =>
  ({ actor }) =>
    sql<SqlBool>`(${sql.ref(`${noun}.deletedAt`)} is null
      and ${sql.ref(`${noun}.placeId`)} = any(${getReadablePlaceIds(actor)}::text[]))`

const rowsOfNouns: Record<NewNoun, KnownRows> = {
  source: rowsOfPlacedNoun('source'),
  insight: rowsOfPlacedNoun('insight'),
  collection: rowsOfPlacedNoun('collection'),
  collectionText: buildPartCondition('collectionText', 'collection'),
  page: rowsOfPlacedNoun('page'),
  content: buildPartCondition('content', 'page'),
  importer: (ctx, placeId) =>
    sql<SqlBool>`(${buildMemberCondition('importer')(ctx, placeId)} and exists (select from source
      where source.id = ${sql.ref('importer.sourceId')} and ${whereRowsVisible(ctx, 'source')}))`,
  observer: buildMemberCondition('observer'),
  boundarySet: rowsOfPlacedNoun('boundarySet'),
  // A deleted folder cannot be restored.
  assetFolder: ({ actor }) =>
    sql<SqlBool>`(${sql.ref('assetFolder.deletedAt')} is null
      and (${sql.ref('assetFolder.placeId')} = any(${getReadablePlaceIds(actor)}::text[])
        or ${sql.ref('assetFolder.userId')} = ${actor.user?.id ?? null}))`,
  dataType: (ctx, placeId) =>
    sql<SqlBool>`(${whereDataTypeVisible(ctx, null)} or (${sql.ref('dataType.ownerPlaceId')} = ${placeId}
      and ${isRestorable(ctx, 'dataType.deletedAt')}))`,
}
