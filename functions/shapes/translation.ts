import * as v from 'valibot'
import { locales } from './locale.ts'
import { amount, Version } from './options.ts'
import { translatableNouns } from './translatable.ts'
import { buildListShape, Time } from './returns.ts'

const codes = locales.map(({ code }) => code)
const Language = v.picklist(codes, `Must be one of ${codes.join(', ')}.`)
const Noun = v.picklist(translatableNouns, `Must be one of ${translatableNouns.join(', ')}.`)
const NounId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Not a valid id.'))
const Path = v.pipe(v.string(), v.minLength(1, 'Required.'), v.maxLength(1000, 'Too long.'))
/** More than any text; the actual limit depends on its declaration. */
const Text = v.pipe(v.string(), v.maxLength(200_000, 'Must be at most 200000 characters.'))

/** A translation of a text, which replaces an existing one; with `version` only if that is the current one. */
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
  /** Capped at the maximum, which the response reports. */
  limit: v.optional(amount('Invalid limit.')),
  offset: v.optional(amount('Invalid offset.')),
}

export const TranslationOptions = v.strictObject({
  language: v.optional(Language),
  noun: v.optional(Noun),
  nounId: v.optional(NounId),
  ...pageOptions,
})
export type TranslationOptions = v.InferOutput<typeof TranslationOptions>

/** missing: not translated; stale: the original has changed since; done: neither. */
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

/** A stored translation. `original`: the text it was made for. */
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
  /** The name of its noun. */
  name: v.string(),
  path: v.string(),
  label: v.string(),
  kind: v.picklist(['line', 'lines', 'rich']),
  most: v.number(),
  original: v.string(),
}

/** A text of a place, with its translation if it exists. `before`: for a stale one, the original it was made for. */
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

/** A page of texts, with the progress of the whole place, also by noun. */
export const PlaceTexts = v.strictObject({
  ...buildListShape(PlaceTextRow).entries,
  counts: Counts,
  nouns: v.array(v.strictObject({ noun: Noun, ...Counts.entries })),
  /** For each of the hub's other languages. */
  languages: v.array(v.strictObject({ language: Language, ...Counts.entries })),
})

/** Maximum number of rows in a file of texts. */
export const maxImported = 20_000
/** Maximum size of a file of texts in characters, with all its languages. */
export const longestFile = 4_000_000

/** A file from a translator, in the format of `texts.csv`. */
export const TranslationImport = v.strictObject({
  language: Language,
  csv: v.pipe(
    v.string(),
    v.maxLength(longestFile, `A file of texts must have at most ${longestFile} characters.`),
  ),
  /** The token of a dry run: applies exactly its changes, and is rejected if they would differ by now. */
  token: v.optional(v.pipe(v.string(), v.maxLength(100))),
})
export type TranslationImport = v.InferOutput<typeof TranslationImport>

/** The outcomes of a row; those in the second line are not applied. */
export const importVerdicts = [
  ...['new', 'changed', 'unchanged', 'stale', 'empty'],
  ...['unknown', 'forbidden', 'invalid', 'twice'],
] as const

export const ImportReport = v.strictObject({
  /** Null: it was applied. */
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
