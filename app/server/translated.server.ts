import type { Context } from '#functions/context.ts'
import { dictionariesOf, type Dictionary } from '#functions/domain/translation/dictionary.ts'
import { keyOf } from '#functions/domain/translation/texts.ts'
import type { CustomField, CustomValues } from '#functions/shapes/customField.ts'
import { knowledgeOf, type FieldKnowledge } from '#functions/shapes/field.ts'
import { changeTexts, type TextSlot, type TranslatableNoun } from '#functions/shapes/translatable.ts'
import { isOther, languageAttributes, markHtml } from './mark-language.server.ts'

/** The texts that a page was given in the hub's own language instead of its own, as sets to look them up in. */
const untranslatedTexts = new WeakMap<Context, ReadonlySet<string>[]>()

/** The texts of a page that are not in its language; none on pages in the hub's own language and in the workspace. */
export const untranslatedIn = (ctx: Context): readonly ReadonlySet<string>[] =>
  untranslatedTexts.get(ctx) ?? []

/**
 * Notes texts that a page shows in the hub's own language, so that a page in another language says which language they are in. What
 * is remembered for several pages is made in a context of its own: it carries its texts along to each page that uses it.
 */
export function noteUntranslated(ctx: Context, texts: readonly ReadonlySet<string>[]): void {
  if (isOther(ctx.site) && texts.length > 0) untranslatedTexts.set(ctx, [...untranslatedIn(ctx), ...texts])
}

/** What was made of an answer for a language: answers are shared by all pages that are made in one go. */
interface Translated {
  answer: unknown
  untranslated: ReadonlySet<string>
}
const translationsOf = new WeakMap<object, Map<string, Translated>>()

/**
 * What an endpoint gave, in the language of a hub's page: each text as the place has translated it, the others as they are, noted
 * for `untranslatedIn`, and HTML with its language. What has no texts, and all that is not of a hub's other language, stays itself.
 */
export async function inPageLanguage(ctx: Context, endpoint: string, answer: unknown): Promise<unknown> {
  const { site } = ctx
  const translate = isOther(site) ? translatorOf(endpoint) : null
  if (!translate || site.mode !== 'hub' || typeof answer !== 'object' || answer === null) return answer
  const { locale, placeId } = site
  const dictionary = (await dictionariesIn(ctx, placeId)).get(locale) ?? emptyDictionary
  const name = `${placeId} ${locale} ${endpoint}`
  const before = translationsOf.get(answer) ?? new Map<string, Translated>()
  translationsOf.set(answer, before)
  let translation = before.get(name)
  if (!translation) {
    const untranslated = new Set<string>()
    translation = { answer: translate(answer, wordsOf(ctx, dictionary, untranslated)), untranslated }
    before.set(name, translation)
  }
  if (translation.untranslated.size > 0) noteUntranslated(ctx, [translation.untranslated])
  return translation.answer
}

const emptyDictionary: Dictionary = { byKey: new Map(), byText: new Map() }

type Dictionaries = ReturnType<typeof dictionariesOf>

/** What is read once for all pages that are made in one go. They name no versions: what changes a translation names the pages. */
const read = new WeakMap<object, Dictionaries>()

function dictionariesIn(ctx: Context, placeId: string): Dictionaries {
  const run = ctx.memo?.hub ?? ctx
  const before = read.get(run)
  if (before) return before
  const dictionaries = dictionariesOf(ctx, placeId)
  read.set(run, dictionaries)
  // What failed is dictionaries again by the next page.
  dictionaries.catch(() => read.delete(run))
  return dictionaries
}

/**
 * What a source says in fields that its place made, in their order and in the language of the page: titles and choices as the place has
 * translated them. What is written in the others is the source's own, in the language it was written in.
 */
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
  const place = await inPageLanguage(ctx, 'place.findById', { id: placeId, customFields: rows })
  return (place as { customFields: typeof rows }).customFields.map(({ choices, value, ...rest }) => ({
    ...rest,
    value: choices[0] ?? value,
  }))
}

/** How texts are said in a language. */
interface WordsIn {
  ofSlot(noun: TranslatableNoun, id: string): (slot: TextSlot) => string
  ofColumn(name: string): string
}

function wordsOf({ site }: Context, { byKey, byText }: Dictionary, untranslatedWords: Set<string>): WordsIn {
  const own = languageAttributes(site)
  const leave = (text: string) => {
    // Numbers and signs are of no language.
    if (/\p{L}/u.test(text))
      for (const part of [text, ...text.split(/\n+/)]) untranslatedWords.add(part.trim())
    return text
  }
  return {
    ofSlot: (noun, id) => (slot) => {
      const text = byKey.get(keyOf(noun, id, slot.path))
      if (text !== undefined) return text
      return slot.kind === 'rich' ? markHtml(slot.original, own) : leave(slot.original)
    },
    ofColumn: (name) => byText.get(name) ?? leave(name),
  }
}

type Translate = (answer: object, words: WordsIn) => object
type Row = Record<string, unknown>

/** What is done to what an endpoint gives, by its name in the tree; null: it has no texts of a place. */
function translatorOf(endpoint: string): Translate | null {
  if (endpoint.endsWith('.analytics')) return answerIn
  if (endpoint.endsWith('.fields')) return eachOf(fieldIn)
  const noun = /(?:^|\.)(place|source|dataType|insight|page|collection)\.(find|findById)$/.exec(endpoint)
  if (!noun) return null
  const of = (row: object, words: WordsIn) => rowIn(noun[1] as TranslatableNoun, row, words)
  return noun[2] === 'find' ? eachOf(of) : of
}

const eachOf =
  (translate: Translate): Translate =>
  (answer, words) => ({
    ...answer,
    ...('results' in answer &&
      Array.isArray(answer.results) && {
        results: answer.results.map((row: object) => translate(row, words)),
      }),
  })

function rowIn<R extends object>(noun: TranslatableNoun, row: R, words: WordsIn): R {
  const { id } = row as { id?: unknown }
  return changeTexts(noun, row, words.ofSlot(noun, String(id)), (of, inside) => rowIn(of, inside, words))
}

/** A field as lists of fields have it; what every record has beside its data is named by the product. */
function fieldIn(row: object, words: WordsIn): object {
  const { field } = row as Row
  return typeof field === 'string' && field.startsWith('data.') ? columnIn(row, words) : row
}

function columnIn(column: object, words: WordsIn): object {
  const { name, notes } = column as Row
  const { values } = knowledgeOf(column as FieldKnowledge)
  return {
    ...column,
    ...(typeof name === 'string' && { name: words.ofColumn(name) }),
    ...(typeof notes === 'string' && notes !== '' && { notes: words.ofColumn(notes) }),
    ...(values && {
      values: values.map((codedValue) =>
        codedValue.name === undefined ? codedValue : { ...codedValue, name: words.ofColumn(codedValue.name) },
      ),
    }),
  }
}

/** An answer with its columns named in the language. */
function answerIn(answer: object, words: WordsIn): object {
  const { output } = answer as {
    output?: { schema?: Record<string, object>; aggregations?: { name: string }[] }
  }
  if (!output?.schema) return answer
  const schema = Object.entries(output.schema).map(([alias, column]) => [alias, columnIn(column, words)])
  const aggregations = output.aggregations?.map((one) => ({ ...one, name: words.ofColumn(one.name) }))
  return {
    ...answer,
    output: { ...output, schema: Object.fromEntries(schema), ...(aggregations && { aggregations }) },
  }
}
