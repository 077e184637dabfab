import * as v from 'valibot'
import { locales } from './locale.ts'
import { Version, wholeNumber } from './options.ts'
import { translatableNouns } from './translatable.ts'
import { listOf, Time } from './returns.ts'

const codes = locales.map(({ code }) => code)
const Language = v.picklist(codes, `Must be one of ${codes.join(', ')}.`)
const Noun = v.picklist(translatableNouns, `Must be one of ${translatableNouns.join(', ')}.`)
const NounId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Not a valid id.'))
const Path = v.pipe(v.string(), v.minLength(1, 'Required.'), v.maxLength(1000, 'Too long.'))
/** More than any text may have: how long it may be says its declaration. */
const Text = v.pipe(v.string(), v.maxLength(200_000, 'Must be at most 200000 characters.'))

/** A text in another language. Written again it takes the place of the one before; `version`: only where that is still the one known. */
export const NewTranslation = v.strictObject({
  noun: Noun,
  nounId: NounId,
  path: Path,
  language: Language,
  text: Text,
  version: v.optional(Version),
})
export type NewTranslation = v.InferOutput<typeof NewTranslation>

const pageOptions = {
  limit: v.optional(wholeNumber(1000, 'Invalid limit.')),
  offset: v.optional(wholeNumber(1_000_000, 'Invalid offset.')),
}

export const TranslationOptions = v.strictObject({
  language: v.optional(Language),
  noun: v.optional(Noun),
  nounId: v.optional(NounId),
  ...pageOptions,
})
export type TranslationOptions = v.InferOutput<typeof TranslationOptions>

/** missing: not translated; stale: the original is another one since; done: neither. */
export const textStates = ['missing', 'stale', 'done'] as const
export type TextState = (typeof textStates)[number]

export const TextOptions = v.strictObject({
  language: Language,
  noun: v.optional(Noun),
  state: v.optional(v.picklist(textStates, `Must be one of ${textStates.join(', ')}.`)),
  search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
  ...pageOptions,
})
export type TextOptions = v.InferOutput<typeof TextOptions>

/** A text in another language, as it is kept. `original`: what it was written for. */
export const TranslationRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  noun: Noun,
  nounId: v.string(),
  path: v.string(),
  language: Language,
  text: v.string(),
  original: v.string(),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
})

const textEntries = {
  noun: Noun,
  nounId: v.string(),
  /** What its noun is called. */
  name: v.string(),
  path: v.string(),
  label: v.string(),
  kind: v.picklist(['line', 'lines', 'rich']),
  most: v.number(),
  original: v.string(),
}

/** A text of a place, with its translation where there is one. `before`: of a stale one, the original that it was written for. */
export const PlaceTextRow = v.strictObject({
  ...textEntries,
  state: v.picklist(textStates),
  text: v.nullable(v.string()),
  before: v.nullable(v.string()),
  version: v.nullable(v.number()),
  translationId: v.nullable(v.string()),
})
export type PlaceTextRow = v.InferOutput<typeof PlaceTextRow>

const Counts = v.strictObject({ texts: v.number(), missing: v.number(), stale: v.number() })

/** A page of texts, and how far all of the place are: also by noun. */
export const PlaceTexts = v.strictObject({
  ...listOf(PlaceTextRow).entries,
  counts: Counts,
  nouns: v.array(v.strictObject({ noun: Noun, ...Counts.entries })),
  /** Of each of the hub's other languages. */
  languages: v.array(v.strictObject({ language: Language, ...Counts.entries })),
})

/** The most rows of one file of texts. */
export const mostImported = 20_000
/** The most characters of a file of texts, with all its languages. */
export const longestFile = 4_000_000

/** What comes back from a translator: a file as `texts.csv` gives it. */
export const TranslationImport = v.strictObject({
  language: Language,
  csv: v.pipe(
    v.string(),
    v.maxLength(longestFile, `A file of texts must have at most ${longestFile} characters.`),
  ),
  /** What a dry run gave: applies just what it showed, and is refused where that would be something else by now. */
  token: v.optional(v.pipe(v.string(), v.maxLength(100))),
})
export type TranslationImport = v.InferOutput<typeof TranslationImport>

/** What becomes of a row of a file; those of the second line are not taken. */
export const importVerdicts = [
  ...['new', 'changed', 'unchanged', 'stale', 'empty'],
  ...['unknown', 'forbidden', 'invalid', 'twice'],
] as const

export const ImportReport = v.strictObject({
  /** Null: it was written. */
  token: v.nullable(v.string()),
  counts: v.record(v.string(), v.number()),
  rows: v.array(
    v.strictObject({
      line: v.number(),
      noun: v.string(),
      nounId: v.string(),
      path: v.string(),
      verdict: v.string(),
      original: v.string(),
      before: v.nullable(v.string()),
      text: v.string(),
      notes: v.array(v.string()),
    }),
  ),
})
export type ImportReport = v.InferOutput<typeof ImportReport>

export const ExportOptions = v.strictObject({
  language: Language,
  state: v.optional(v.picklist(['open', 'all'])),
})
export type ExportOptions = v.InferOutput<typeof ExportOptions>
