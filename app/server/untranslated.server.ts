import type { Context } from '#functions/context.ts'
import { readDictionaries, type Dictionary } from '#functions/domain/translation/dictionary.ts'
import { buildTextKey } from '#functions/domain/translation/texts.ts'
import type { CustomField, CustomValues } from '#functions/shapes/custom-field.ts'
import { pickFieldKnowledge, type FieldKnowledge } from '#functions/shapes/field.ts'
import { changeTexts, type TextSlot, type TranslatableNoun } from '#functions/shapes/translatable.ts'
import { isOther, languageAttributes, markHtml } from './mark-language.server.ts'

/** The untranslated texts of a page, as sets for lookup. */
const untranslatedTexts = new WeakMap<Context, ReadonlySet<string>[]>()

/** The untranslated texts of a page; empty on pages in the hub's own language and in the workspace. */
export const untranslatedIn = (ctx: Context): readonly ReadonlySet<string>[] =>
  untranslatedTexts.get(ctx) ?? []

/**
 * Records texts that a page shows in the hub's own language, so that they can be marked. Memoized parts are rendered in a context of
 * their own, and pass their texts on to each page that uses them.
 */
export function recordUntranslated(ctx: Context, texts: readonly ReadonlySet<string>[]): void {
  if (isOther(ctx.site) && texts.length > 0) untranslatedTexts.set(ctx, [...untranslatedIn(ctx), ...texts])
}

/** A translated result; results are shared by all pages rendered in one run. */
interface Translation {
  answer: unknown
  untranslated: ReadonlySet<string>
}
const translationsByAnswer = new WeakMap<object, Map<string, Translation>>()

/**
 * Translates the result of an endpoint into the language of a hub page. Untranslated texts stay and are noted for `untranslatedIn`,
 * HTML is marked with its language. Results without texts, and those outside of a hub's other languages, are returned unchanged.
 */
export async function translateResult(ctx: Context, endpoint: string, answer: unknown): Promise<unknown> {
  const { site } = ctx
  const translate = isOther(site) ? findTranslator(endpoint) : null
  if (!translate || site.mode !== 'hub' || typeof answer !== 'object' || answer === null) return answer
  const { locale, placeId } = site
  const dictionary = (await dictionariesIn(ctx, placeId)).get(locale) ?? emptyDictionary
  const name = `${placeId} ${locale} ${endpoint}`
  const before = translationsByAnswer.get(answer) ?? new Map<string, Translation>()
  translationsByAnswer.set(answer, before)
  let translation = before.get(name)
  if (!translation) {
    const untranslated = new Set<string>()
    translation = {
      answer: translate(answer, createTextTranslator(ctx, dictionary, untranslated)),
      untranslated,
    }
    before.set(name, translation)
  }
  if (translation.untranslated.size > 0) recordUntranslated(ctx, [translation.untranslated])
  return translation.answer
}

const emptyDictionary: Dictionary = { byKey: new Map(), byText: new Map() }

type Dictionaries = ReturnType<typeof readDictionaries>

/** Dictionaries, loaded once for all pages of a run. They add no dependency: a changed translation invalidates the pages itself. */
const read = new WeakMap<object, Dictionaries>()

function dictionariesIn(ctx: Context, placeId: string): Dictionaries {
  const run = ctx.memo?.hub ?? ctx
  const before = read.get(run)
  if (before) return before
  const dictionaries = readDictionaries(ctx, placeId)
  read.set(run, dictionaries)
  // After a failure the next page loads the dictionaries again.
  dictionaries.catch(() => read.delete(run))
  return dictionaries
}

/** The custom field values of a source, in order, with translated titles and choices. Free text stays in the language it was written in. */
export async function customTextsIn(
  ctx: Context,
  { placeId, customFields }: { placeId: string; customFields: CustomValues },
  fields: readonly CustomField[],
): Promise<{ key: string; kind: CustomField['kind']; title: string; value: string | number }[]> {
  const rows = fields.flatMap(({ key, kind, title }) => {
    const value = customFields[key]
    return value === undefined
      ? []
      : [{ key, kind, title, value, choices: kind === 'choice' ? [String(value)] : [] }]
  })
  const place = await translateResult(ctx, 'place.findById', { id: placeId, customFields: rows })
  return (place as { customFields: typeof rows }).customFields.map(({ choices, value, ...rest }) => ({
    ...rest,
    value: choices[0] ?? value,
  }))
}

/** Translates texts into a language. */
interface WordsIn {
  createSlotTranslator(noun: TranslatableNoun, id: string): (slot: TextSlot) => string
  translateColumn(name: string): string
}

function createTextTranslator(
  { site }: Context,
  { byKey, byText }: Dictionary,
  untranslatedWords: Set<string>,
): WordsIn {
  const own = languageAttributes(site)
  const markUntranslated = (text: string) => {
    // Texts without letters have no language.
    if (/\p{L}/u.test(text))
      for (const part of [text, ...text.split(/\n+/)]) untranslatedWords.add(part.trim())
    return text
  }
  return {
    createSlotTranslator: (noun, id) => (slot) => {
      const text = byKey.get(buildTextKey(noun, id, slot.path))
      if (text !== undefined) return text
      return slot.kind === 'rich' ? markHtml(slot.original, own) : markUntranslated(slot.original)
    },
    translateColumn: (name) => byText.get(name) ?? markUntranslated(name),
  }
}

type TranslateAnswer = (answer: object, words: WordsIn) => object
type Row = Record<string, unknown>

/** The translation of an endpoint's result, by the endpoint's name; null: it has no texts of a place. */
function findTranslator(endpoint: string): TranslateAnswer | null {
  if (endpoint.endsWith('.analytics')) return answerIn
  if (endpoint.endsWith('.fields')) return createListTranslator(fieldIn)
  const noun = /(?:^|\.)(place|source|dataType|insight|page|collection)\.(find|findById)$/.exec(endpoint)
  if (!noun) return null
  const translateNounRow = (row: object, words: WordsIn) => rowIn(noun[1] as TranslatableNoun, row, words)
  return noun[2] === 'find' ? createListTranslator(translateNounRow) : translateNounRow
}

const createListTranslator =
  (translate: TranslateAnswer): TranslateAnswer =>
  (answer, words) => ({
    ...answer,
    ...('results' in answer &&
      Array.isArray(answer.results) && {
        results: answer.results.map((row: object) => translate(row, words)),
      }),
  })

function rowIn<R extends object>(noun: TranslatableNoun, row: R, words: WordsIn): R {
  const { id } = row as { id?: unknown }
  return changeTexts(noun, row, words.createSlotTranslator(noun, String(id)), (of, inside) =>
    rowIn(of, inside, words),
  )
}

/** A field in a list of fields; built-in columns are named by the product. */
function fieldIn(row: object, words: WordsIn): object {
  const { field } = row as Row
  return typeof field === 'string' && field.startsWith('data.') ? columnIn(row, words) : row
}

function columnIn(column: object, words: WordsIn): object {
  const { name, notes } = column as Row
  const { values } = pickFieldKnowledge(column as FieldKnowledge)
  return {
    ...column,
    ...(typeof name === 'string' && { name: words.translateColumn(name) }),
    ...(typeof notes === 'string' && notes !== '' && { notes: words.translateColumn(notes) }),
    ...(values && {
      values: values.map((codedValue) =>
        codedValue.name === undefined
          ? codedValue
          : { ...codedValue, name: words.translateColumn(codedValue.name) },
      ),
    }),
  }
}

/** A query result with translated column names. */
function answerIn(answer: object, words: WordsIn): object {
  const { output } = answer as {
    output?: { schema?: Record<string, object>; aggregations?: { name: string }[] }
  }
  if (!output?.schema) return answer
  const schema = Object.entries(output.schema).map(([alias, column]) => [alias, columnIn(column, words)])
  const aggregations = output.aggregations?.map((one) => ({ ...one, name: words.translateColumn(one.name) }))
  return {
    ...answer,
    output: { ...output, schema: Object.fromEntries(schema), ...(aggregations && { aggregations }) },
  }
}
