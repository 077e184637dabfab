import { sql } from 'kysely'
import { byNaturalOrder } from '#functions/domain/noun/natural-order.ts'
import { capLimit } from '#functions/domain/noun/paging.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import { whereDataTypeVisible } from '#functions/domain/data-type/visibility.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import { requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { Failure } from '#functions/errors.ts'
import type { Context } from '#functions/context.ts'
import type { CustomField } from '#functions/shapes/custom-field.ts'
import { toHubLanguages, type HubLanguages, type Locale } from '#functions/shapes/locale.ts'
import {
  listRowTexts,
  translatableNouns,
  type TextSlot,
  type TranslatableNoun,
} from '#functions/shapes/translatable.ts'
import type { PlaceTextRow, TextOptions, TextState } from '#functions/shapes/translation.ts'

/** The most rows that are read of a noun. */
const maxRows = 10_000
const usualLimit = 50

/** A row with texts: its display name, and the row that its hub pages belong to. */
interface TextRow {
  noun: TranslatableNoun
  id: string
  name: string
  /** What changes on hubs with it: itself, or the page or collection that it is a part of. */
  shownIn: { noun: 'place' | 'dataType' | 'source' | 'insight' | 'collection' | 'page'; id: string }
  row: object
}

/** A text of a place with its owner. */
export interface PlaceText extends TextSlot {
  of: Omit<TextRow, 'row'>
}

interface RowScope {
  placeId: string
  /** Only this row. */
  id?: string | undefined
}

/** Reads the rows of a noun that have texts and that the actor may see. */
type ReadRows = (ctx: Context, where: RowScope) => Promise<Omit<TextRow, 'noun'>[]>

/** Public metadata fields of a place. Those for members only are on no hub, and translations of a place are public. */
const publicFields = sql<Pick<CustomField, 'key' | 'title' | 'choices'>[]>`
  coalesce((select jsonb_agg(jsonb_build_object('key', key, 'title', title, 'choices', choices) order by position)
    from custom_field where place_id = place.id and is_public and removed_at is null), '[]'::jsonb)`.as(
  'customFields',
)

const readers: Record<TranslatableNoun, ReadRows> = {
  async place(ctx, { placeId }) {
    const row = await ctx.db
      .selectFrom('place')
      .select(['id', 'displayName', 'description', 'about', 'publisher', 'privacy', publicFields])
      .where('id', '=', placeId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
    return row ? [{ id: placeId, name: row.displayName, shownIn: { noun: 'place', id: placeId }, row }] : []
  },
  async page(ctx, { placeId, id }) {
    const rows = await ctx.db
      .selectFrom('page')
      .select(['page.id', 'page.title', 'page.description', 'page.author'])
      .where('page.placeId', '=', placeId)
      .where(whereRowsVisible(ctx, 'page'))
      .$if(id !== undefined, (q) => q.where('page.id', '=', id ?? ''))
      .orderBy('page.title', byNaturalOrder)
      .orderBy('page.id')
      .limit(maxRows)
      .execute()
    return rows.map((row) => ({
      ...{ id: row.id, name: row.title, shownIn: { noun: 'page', id: row.id }, row },
    }))
  },
  async content(ctx, { placeId, id }) {
    const rows = await ctx.db
      .selectFrom('content')
      .innerJoin('page', 'page.id', 'content.pageId')
      .select(['content.id', 'content.pageId', 'content.settings', 'page.title'])
      .where('content.placeId', '=', placeId)
      .where('content.deletedAt', 'is', null)
      .where(whereRowsVisible(ctx, 'page'))
      .$if(id !== undefined, (q) => q.where('content.id', '=', id ?? ''))
      .orderBy('page.title', byNaturalOrder)
      .orderBy('page.id')
      .orderBy('content.position')
      .limit(maxRows)
      .execute()
    return rows.map((row) => ({
      ...{ id: row.id, name: row.title, shownIn: { noun: 'page', id: row.pageId }, row },
    }))
  },
  async dataType(ctx, { placeId, id }) {
    const rows = await ctx.db
      .selectFrom('dataType')
      .select(['dataType.id', 'dataType.name', 'dataType.category', 'dataType.notes', 'dataType.schema'])
      .where(whereDataTypeVisible(ctx, placeId))
      .$if(id !== undefined, (q) => q.where('dataType.id', '=', id ?? ''))
      .orderBy('dataType.name', byNaturalOrder)
      .orderBy('dataType.id')
      .limit(maxRows)
      .execute()
    return rows.map((row) => ({
      ...{ id: row.id, name: row.name, shownIn: { noun: 'dataType', id: row.id }, row },
    }))
  },
  async source(ctx, { placeId, id }) {
    const rows = await ctx.db
      .selectFrom('source')
      .select([
        ...(['source.id', 'source.name', 'source.notes', 'source.topic', 'source.publisher'] as const),
        ...(['source.attribution', 'source.tags'] as const),
      ])
      .where('source.placeId', '=', placeId)
      .where(whereRowsVisible(ctx, 'source'))
      .$if(id !== undefined, (q) => q.where('source.id', '=', id ?? ''))
      .orderBy('source.name', byNaturalOrder)
      .orderBy('source.id')
      .limit(maxRows)
      .execute()
    return rows.map((row) => ({
      ...{ id: row.id, name: row.name, shownIn: { noun: 'source', id: row.id }, row },
    }))
  },
  async insight(ctx, { placeId, id }) {
    const rows = await ctx.db
      .selectFrom('insight')
      .select(['insight.id', 'insight.name', 'insight.notes', 'insight.query'])
      .where('insight.placeId', '=', placeId)
      .where(whereRowsVisible(ctx, 'insight'))
      .$if(id !== undefined, (q) => q.where('insight.id', '=', id ?? ''))
      .orderBy('insight.name', byNaturalOrder)
      .orderBy('insight.id')
      .limit(maxRows)
      .execute()
    return rows.map((row) => ({
      ...{ id: row.id, name: row.name, shownIn: { noun: 'insight', id: row.id }, row },
    }))
  },
  async collection(ctx, { placeId, id }) {
    const rows = await ctx.db
      .selectFrom('collection')
      .select(['collection.id', 'collection.name', 'collection.notes'])
      .where('collection.placeId', '=', placeId)
      .where(whereRowsVisible(ctx, 'collection'))
      .$if(id !== undefined, (q) => q.where('collection.id', '=', id ?? ''))
      .orderBy('collection.name', byNaturalOrder)
      .orderBy('collection.id')
      .limit(maxRows)
      .execute()
    return rows.map((row) => ({
      ...{ id: row.id, name: row.name, shownIn: { noun: 'collection', id: row.id }, row },
    }))
  },
  async collectionText(ctx, { placeId, id }) {
    const rows = await ctx.db
      .selectFrom('collectionText')
      .innerJoin('collection', 'collection.id', 'collectionText.collectionId')
      .select([
        ...(['collectionText.id', 'collectionText.collectionId', 'collectionText.title'] as const),
        ...(['collectionText.html', 'collection.name'] as const),
      ])
      .where('collectionText.placeId', '=', placeId)
      .where('collectionText.deletedAt', 'is', null)
      .where(whereRowsVisible(ctx, 'collection'))
      .$if(id !== undefined, (q) => q.where('collectionText.id', '=', id ?? ''))
      .orderBy('collection.name', byNaturalOrder)
      .orderBy('collection.id')
      .orderBy('collectionText.position')
      .limit(maxRows)
      .execute()
    return rows.map((row) => ({
      ...{ id: row.id, name: row.name, shownIn: { noun: 'collection', id: row.collectionId }, row },
    }))
  },
}

/** Rows of a place with their texts, if the actor may see them: of some nouns, or of one row if its id is given. */
export async function rowsWithTexts(
  ctx: Context,
  nouns: readonly TranslatableNoun[],
  where: RowScope,
): Promise<TextRow[]> {
  const read = await Promise.all(
    nouns.map(async (noun) => (await readers[noun](ctx, where)).map((row) => ({ noun, ...row }))),
  )
  return read.flat()
}

/** The texts of rows, each with its owner. */
export const placeTexts = (rows: readonly TextRow[]): PlaceText[] =>
  rows.flatMap(({ row, ...of }) => listRowTexts(of.noun, row).map((slot) => ({ ...slot, of })))

/** The key of a text among translations. */
export const buildTextKey = (noun: string, nounId: string, path: string) => `${noun} ${nounId} ${path}`

/** The languages that a place's hub has, its own first: that is the one its texts are written in. */
export async function languagesOfPlace(ctx: Context, placeId: string): Promise<HubLanguages> {
  const row = await ctx.db
    .selectFrom('place')
    .select('languages')
    .where('id', '=', placeId)
    .executeTakeFirst()
  return toHubLanguages(row?.languages)
}

/** Rejects a language that the hub does not have, and its original language. Returns all target languages. */
export async function requireLanguage(ctx: Context, placeId: string, language: Locale): Promise<Locale[]> {
  const [own, ...others] = await languagesOfPlace(ctx, placeId)
  if (others.includes(language)) return others
  const message =
    language === own
      ? 'The texts are written in this language.'
      : `The hub has no pages in this language: ${others.length ? `its others are ${others.join(', ')}` : 'it has no other'}.`
  throw new Failure('invalid', {
    issues: [{ path: ['language'], value: language, message, validator: 'language' }],
  })
}

/** All translations of a place into a language that the actor may see, by `buildTextKey`. */
export async function translationsInto(ctx: Context, placeId: string, language: Locale) {
  const rows = await ctx.db
    .selectFrom('translation')
    .select(['id', 'noun', 'nounId', 'path', 'text', 'original', 'version'])
    .where('placeId', '=', placeId)
    .where('language', '=', language)
    .execute()
  return new Map(rows.map((row) => [buildTextKey(row.noun, row.nounId, row.path), row]))
}

/** The originals that the translations of a place were written for, by language and `buildTextKey`. */
async function readOriginals(ctx: Context, placeId: string) {
  const rows = await ctx.db
    .selectFrom('translation')
    .select(['language', 'noun', 'nounId', 'path', 'original'])
    .where('placeId', '=', placeId)
    .execute()
  return new Map(rows.map((row) => [`${row.language} ${buildTextKey(row.noun, row.nounId, row.path)}`, row]))
}

/** The state of a text's translation: missing, outdated or current. */
const getTextState = (original: string, translation: { original: string } | undefined): TextState =>
  translation === undefined ? 'missing' : translation.original === original ? 'done' : 'stale'

/** The texts of a place with their translations into a language, and the number of missing and outdated ones. */
export async function find(ctx: Context, request: NounRequest<TextOptions>) {
  const placeId = requirePlaceId(request)
  const { language, noun, state, search, offset = 0 } = request.options
  const { limit, capped } = capLimit(request.options.limit ?? usualLimit)
  dependsOn(ctx, { rows: { place: [placeId] } })
  const others = await requireLanguage(ctx, placeId, language)
  const [rows, translations, languageRows] = await Promise.all([
    rowsWithTexts(ctx, translatableNouns, { placeId }),
    translationsInto(ctx, placeId, language),
    readOriginals(ctx, placeId),
  ])
  const texts = placeTexts(rows)
  const all = texts.map((text) => withTranslation(text, translations))
  const words = search?.toLowerCase() ?? ''
  const matching = all.filter(
    (text) =>
      (noun === undefined || text.noun === noun) &&
      (state === undefined || text.state === state) &&
      [text.original, text.text ?? '', text.name, text.label].some((each) =>
        each.toLowerCase().includes(words),
      ),
  )
  const results = matching.slice(offset, offset + limit)
  return {
    results,
    meta: { results: results.length, total: matching.length, ...capped },
    counts: countTexts(all),
    nouns: translatableNouns.flatMap((each) => {
      const nounTexts = all.filter((text) => text.noun === each)
      return nounTexts.length ? [{ noun: each, ...countTexts(nounTexts) }] : []
    }),
    languages: others.map((each) => {
      const stateIn = ({ of, path, original }: PlaceText) =>
        getTextState(original, languageRows.get(`${each} ${buildTextKey(of.noun, of.id, path)}`))
      return { language: each, ...countTexts(texts.map((text) => ({ state: stateIn(text) }))) }
    }),
  }
}

/** A text with its translation into a language. */
export function withTranslation(
  { of, path, label, kind, most, original }: PlaceText,
  translations: Awaited<ReturnType<typeof translationsInto>>,
): PlaceTextRow {
  const row = translations.get(buildTextKey(of.noun, of.id, path))
  const state = getTextState(original, row)
  return {
    ...{ noun: of.noun, nounId: of.id, name: of.name, path, label, kind, most, original, state },
    text: row?.text ?? null,
    before: row && state === 'stale' ? row.original : null,
    version: row?.version ?? null,
    translationId: row?.id ?? null,
  }
}

const countTexts = (texts: readonly { state: TextState }[]) => ({
  texts: texts.length,
  missing: texts.filter(({ state }) => state === 'missing').length,
  stale: texts.filter(({ state }) => state === 'stale').length,
})
