import { sql } from 'kysely'
import { loadGrants } from '#functions/domain/access/grants.ts'
import { isAllowed, noSubject } from '#functions/domain/access/allowed.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { capLimit } from '#functions/domain/noun/paging.ts'
import { expectVersion } from '#functions/domain/noun/versions.ts'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import { Failure } from '#functions/errors.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import { customFieldsPath, translatableNouns, type TranslatableNoun } from '#functions/shapes/translatable.ts'
import type { NewTranslation, TranslationOptions } from '#functions/shapes/translation.ts'
import { checkText } from './check.ts'
import { buildTextKey, placeTexts, requireLanguage, rowsWithTexts, type PlaceText } from './texts.ts'

/**
 * The operation that translating a noun takes: that of changing it. Another owner's data type is translated for the own
 * hub only.
 */
const operations: Record<TranslatableNoun, OperationName> = {
  place: 'place.update',
  page: 'page.update',
  content: 'page.update',
  dataType: 'dataType.update',
  source: 'source.update',
  insight: 'insight.update',
  collection: 'collection.update',
  collectionText: 'collection.update',
}

const columns = [
  ...(['id', 'placeId', 'noun', 'nounId', 'path', 'language', 'text', 'original', 'version'] as const),
  ...(['createdAt', 'updatedAt'] as const),
]

/** The nouns of a place whose texts the actor may translate. */
export async function translatableBy(ctx: Context, placeId: string): Promise<TranslatableNoun[]> {
  const grants = await loadGrants(ctx)
  const may = (noun: TranslatableNoun) =>
    isAllowed(ctx.actor, operations[noun], { ...noSubject, placeId }, grants)
  return translatableNouns.filter(may)
}

/** The translations of a place, of nouns that the actor may see. */
export async function find(ctx: Context, request: NounRequest<TranslationOptions>) {
  const placeId = requirePlaceId(request)
  const { language, noun, nounId, offset = 0 } = request.options
  const { limit, capped } = capLimit(request.options.limit)
  dependsOn(ctx, { rows: { place: [placeId] } })
  const rows = await rowsWithTexts(ctx, noun ? [noun] : translatableNouns, { placeId, id: nounId })
  const keys = rows.map((row) => `${row.noun} ${row.id}`)
  // Translations of a metadata field that is not public any more, or was removed, are not returned.
  const allowedPaths = placeTexts(rows.filter((row) => row.noun === 'place')).map(({ path }) => path)
  const query = ctx.db
    .selectFrom('translation')
    .where('placeId', '=', placeId)
    .where(sql<boolean>`(noun || ' ' || noun_id) = any(${keys}::text[])`)
    .where(
      sql<boolean>`not (starts_with(path, ${customFieldsPath}) and path <> all(${allowedPaths}::text[]))`,
    )
    .$if(language !== undefined, (q) => q.where('language', '=', language as Locale))
  const [results, total] = await Promise.all([
    query
      .select(columns)
      .orderBy('language')
      .orderBy('noun')
      .orderBy('nounId')
      .orderBy('path')
      .limit(limit)
      .offset(offset)
      .execute(),
    query.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { results, meta: { results: results.length, total: Number(total.total), ...capped } }
}

/**
 * Creates or replaces a translation. Failure `invalid` where there is no such text, `forbidden` where the actor may not
 * change the noun.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewTranslation>) {
  const placeId = requirePlaceId(request)
  const { noun, nounId, path, language, version } = request.data
  await requireLanguage(ctx, placeId, language)
  if (!(await translatableBy(ctx, placeId)).includes(noun)) throw new Failure('forbidden')
  const [row] = await rowsWithTexts(ctx, [noun], { placeId, id: nounId })
  if (!row) throw refusal('nounId', nounId, 'There is no such row.')
  const text = placeTexts([row]).find((each) => each.path === path)
  if (!text) throw refusal('path', path, 'It has no such text.')
  const result = checkText(text, request.data.text)
  if (result.refusal) {
    const { message, validator } = result.refusal
    throw new Failure('invalid', { issues: [{ path: ['text'], message, validator }] })
  }
  const id = await write(ctx, async (tx) => {
    const row = await tx
      .selectFrom('translation')
      .select(['id', 'version'])
      .where('placeId', '=', placeId)
      .where('language', '=', language)
      .where('noun', '=', noun)
      .where('nounId', '=', nounId)
      .where('path', '=', path)
      .forUpdate()
      .executeTakeFirst()
    if (row) expectVersion(ctx, version, row)
    const [textId] = await writeTexts(tx, ctx, { placeId, language }, [{ ...text, text: result.text }])
    await announce(tx, ctx, { placeId, language }, [text])
    return textId
  })
  return ctx.db
    .selectFrom('translation')
    .select(columns)
    .where('id', '=', id ?? '')
    .executeTakeFirstOrThrow()
}

const refusal = (path: string, value: string, message: string) =>
  new Failure('invalid', { issues: [{ path: [path], value, message, validator: path }] })

interface TranslationTarget {
  placeId: string
  language: Locale
}

/** A text with its translation; `original` is what that was written for. */
export type TextToWrite = PlaceText & { text: string }

/** Stores validated translations, replacing existing ones. Returns the ids of their rows. */
export async function writeTexts(
  tx: Tx,
  ctx: Context,
  { placeId, language }: TranslationTarget,
  texts: readonly TextToWrite[],
): Promise<string[]> {
  const ids: string[] = []
  const now = ctx.now()
  const updatedBy = ctx.actor.user?.id ?? null
  for (let at = 0; at < texts.length; at += 500) {
    const rows = texts.slice(at, at + 500).map(({ of, path, text, original }) => ({
      ...{ id: crypto.randomUUID(), placeId, noun: of.noun, nounId: of.id, path, language, text, original },
      ...{ updatedBy, createdAt: now, updatedAt: now },
    }))
    const savedRows = await tx
      .insertInto('translation')
      .values(rows)
      .onConflict((c) =>
        c.columns(['placeId', 'language', 'noun', 'nounId', 'path']).doUpdateSet((eb) => ({
          text: eb.ref('excluded.text'),
          original: eb.ref('excluded.original'),
          updatedBy: eb.ref('excluded.updatedBy'),
          updatedAt: eb.ref('excluded.updatedAt'),
          version: eb('translation.version', '+', 1),
        })),
      )
      .returning('id')
      .execute()
    ids.push(...savedRows.map(({ id }) => id))
  }
  return ids
}

/** Writes an audit log entry for each noun with changed translations, and emits that its pages in that language are stale. */
export async function announce(
  tx: Tx,
  ctx: Context,
  { placeId, language }: TranslationTarget,
  texts: readonly Pick<PlaceText, 'of'>[],
): Promise<void> {
  const textByKey = new Map(texts.map(({ of }) => [buildTextKey(of.shownIn.noun, of.shownIn.id, ''), of]))
  for (const { shownIn, name } of textByKey.values()) {
    await recordActivity(tx, ctx, {
      ...{ verb: 'updated', type: 'translation', id: shownIn.id, name: `${name} (${language})`, placeId },
    })
    const payload = { language, of: shownIn.noun, ofId: shownIn.id }
    await emit(tx, { kind: 'translation', placeId, payload })
  }
}

/** Deletes a translation: the hub shows the original again. Returns its id. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const placeId = requirePlaceId(request)
  const row = await ctx.db
    .selectFrom('translation')
    .select(columns)
    .where('id', '=', param(request, 'translationId'))
    .where('placeId', '=', placeId)
    .executeTakeFirst()
  const [of] = row ? await rowsWithTexts(ctx, [row.noun], { placeId, id: row.nounId }) : []
  if (!row || !of) return undefined
  if (!(await translatableBy(ctx, placeId)).includes(row.noun)) throw new Failure('forbidden')
  await write(ctx, async (tx) => {
    await tx.deleteFrom('translation').where('id', '=', row.id).execute()
    await announce(tx, ctx, { placeId, language: row.language }, [{ of }])
  })
  return { id: row.id }
}
