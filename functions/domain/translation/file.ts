import { csvLine, escapeFormula, unescapeFormula } from '#functions/engine/export/csv.ts'
import { parse } from '#functions/engine/import/parse/index.ts'
import { UnreadableError } from '#functions/engine/import/row.ts'
import { requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { Failure } from '#functions/errors.ts'
import type { Context } from '#functions/context.ts'
import { Download } from '#functions/shapes/download.ts'
import { translatableNouns } from '#functions/shapes/translatable.ts'
import {
  maxImported,
  type ExportOptions,
  type ImportReport,
  type importVerdicts,
  type TranslationImport,
} from '#functions/shapes/translation.ts'
import { checkText } from './check.ts'
import {
  buildTextKey,
  placeTexts,
  requireLanguage,
  rowsWithTexts,
  translationsInto,
  withTranslation,
  type PlaceText,
} from './texts.ts'
import { announce, translatableBy, writeTexts, type TextToWrite } from './translations.ts'

/** Required columns of an imported file; `of`, `text`, `kind` and `most` are only for the translator. */
const requiredColumns = ['noun', 'id', 'path', 'original', 'translation'] as const
const columns = ['noun', 'id', 'path', 'of', 'text', 'kind', 'most', 'original', 'translation']

/**
 * The texts of a place with their translations into a language, as CSV: missing and outdated ones, or all. Values that a
 * spreadsheet would take for a formula are prefixed with an apostrophe, which `readTexts` removes.
 */
export async function csv(ctx: Context, request: NounRequest<ExportOptions>): Promise<Download> {
  const placeId = requirePlaceId(request)
  const { language, state = 'open' } = request.options
  dependsOn(ctx, { rows: { place: [placeId] } })
  await requireLanguage(ctx, placeId, language)
  const [rows, translations] = await Promise.all([
    rowsWithTexts(ctx, translatableNouns, { placeId }),
    translationsInto(ctx, placeId, language),
  ])
  const lines = placeTexts(rows)
    .map((text) => withTranslation(text, translations))
    .filter((text) => state === 'all' || text.state !== 'done')
    .map(({ noun, nounId, path, name, label, kind, most, original, text }) =>
      csvLine([
        ...[noun, nounId, path, name, label, kind, String(most), original].map(escapeFormula),
        escapeFormula(text ?? ''),
      ]),
    )
  const body = `\ufeff${csvLine(columns)}${lines.join('')}`
  return new Download('text/csv; charset=utf-8', body, `${placeId}-texts-${language}.csv`)
}

type Verdict = (typeof importVerdicts)[number]

/** A row of a file and its outcome; `write` where it is written. */
interface Judgement {
  line: number
  noun: string
  nounId: string
  path: string
  verdict: Verdict
  original: string
  before: string | null
  text: string
  notes: string[]
  write: TextToWrite | null
}

/**
 * Imports a file of translations. Without a token it changes nothing and reports the outcome of each row; with the token
 * of that report it applies it, and fails with `conflict` where the texts have changed meanwhile.
 */
export async function importTexts(
  ctx: Context,
  request: NounRequest<unknown, TranslationImport>,
): Promise<ImportReport> {
  const placeId = requirePlaceId(request)
  const { language, csv: file, token } = request.data
  await requireLanguage(ctx, placeId, language)
  const judgements = await evaluateRows(ctx, { placeId, language }, await readTexts(file))
  const digest = hex(await sha256(JSON.stringify([placeId, language, judgements])))
  if (token === undefined) return buildReport(judgements, digest)
  if (token !== digest)
    throw new Failure('conflict', {
      message: 'The file or the texts are not what they were when they were looked at. Look at it once more.',
      issues: [{ path: ['token'], message: 'Is of another look.', validator: 'token' }],
    })
  const texts = judgements.flatMap((row) => row.write ?? [])
  if (texts.length > 0)
    await write(ctx, async (tx) => {
      await writeTexts(tx, ctx, { placeId, language }, texts)
      await announce(tx, ctx, { placeId, language }, texts)
    })
  return buildReport(judgements, null)
}

/** The most characters of a text in the report. */
const maxShown = 300
const shorten = (text: string) => (text.length > maxShown ? `${text.slice(0, maxShown)} …` : text)

/** Rows without remarks are counted and not listed. */
function buildReport(judgements: readonly Judgement[], token: string | null): ImportReport {
  const counts: Record<string, number> = {}
  for (const { verdict } of judgements) counts[verdict] = (counts[verdict] ?? 0) + 1
  const rows = judgements
    .filter(({ verdict }) => verdict !== 'unchanged' && verdict !== 'empty')
    .map(({ write: _, original, before, text, ...row }) => ({
      ...row,
      original: shorten(original),
      before: before === null ? null : shorten(before),
      text: shorten(text),
    }))
  return { token, counts, rows }
}

interface FileRow extends Record<(typeof requiredColumns)[number], string> {
  line: number
}

/** The rows of a file. Failure `invalid` where it is not such a file, or has too many rows. */
async function readTexts(file: string): Promise<FileRow[]> {
  const rows: FileRow[] = []
  const refuse = (message: string, validator: string) =>
    new Failure('invalid', { issues: [{ path: ['csv'], message, validator }] })
  try {
    for await (const batch of parse('csv', streamBytes(new TextEncoder().encode(file)))) {
      const [reject] = batch.rejects
      if (reject) throw refuse(`Line ${reject.at.line ?? reject.at.row}: ${reject.message}`, 'csv')
      for (const { at, value } of batch.rows) {
        const cells = value as Record<string, unknown>
        const missing = requiredColumns.find((name) => typeof cells[name] !== 'string')
        if (missing && rows.length === 0)
          throw refuse(
            `The first line must name the columns ${requiredColumns.join(', ')}: “${missing}” is missing.`,
            'columns',
          )
        const cell = (name: string) => unescapeFormula(String(cells[name] ?? '')).replaceAll('\r\n', '\n')
        if (rows.length === maxImported)
          throw refuse(`A file of texts must have at most ${maxImported} rows.`, 'maxLength')
        rows.push({
          ...{
            line: at.line ?? at.row,
            noun: cell('noun').trim(),
            id: cell('id').trim(),
            path: cell('path').trim(),
          },
          ...{ original: cell('original'), translation: cell('translation') },
        })
      }
    }
  } catch (error) {
    if (error instanceof UnreadableError) throw refuse(error.message, 'csv')
    throw error
  }
  if (rows.length === 0) throw refuse('There is no row in this file.', 'csv')
  return rows
}

async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function evaluateRows(
  ctx: Context,
  { placeId, language }: { placeId: string; language: TranslationImport['language'] },
  rows: readonly FileRow[],
): Promise<Judgement[]> {
  const [ownNouns, visible, translations] = await Promise.all([
    translatableBy(ctx, placeId),
    rowsWithTexts(ctx, translatableNouns, { placeId }),
    translationsInto(ctx, placeId, language),
  ])
  const texts = new Map(
    placeTexts(visible).map((text) => [buildTextKey(text.of.noun, text.of.id, text.path), text]),
  )
  const ids = new Set(visible.map(({ noun, id }) => `${noun} ${id}`))
  const read = new Map<string, number>()
  return rows.map((row): Judgement => {
    const { line, noun, id, path, translation } = row
    const key = buildTextKey(noun, id, path)
    const text = texts.get(key)
    const current = translations.get(key)
    const about = {
      ...{ line, noun, nounId: id, path, original: text?.original ?? row.original },
      ...{ before: current?.text ?? null, text: translation.trim(), write: null },
    }
    const twice = read.get(key)
    if (twice !== undefined)
      return { ...about, verdict: 'twice', notes: [`Line ${twice} is of the same text.`] }
    read.set(key, line)
    if (!text)
      return {
        ...about,
        verdict: 'unknown',
        notes: [
          ids.has(`${noun} ${id}`) ? `It has no text “${path}”.` : `There is no such ${noun || 'row'}.`,
        ],
      }
    if (about.text === '') return { ...about, verdict: 'empty', notes: [] }
    if (!ownNouns.includes(text.of.noun))
      return { ...about, verdict: 'forbidden', notes: ['Your role may not change what this is of.'] }
    return { ...about, ...evaluateText(text, row, current) }
  })
}

/**
 * The outcome of a text that may be written: by its validation, the original that the translator saw, and the stored
 * translation.
 */
function evaluateText(
  text: PlaceText,
  { original, translation }: FileRow,
  current: { text: string; original: string } | undefined,
): Pick<Judgement, 'verdict' | 'notes' | 'text' | 'write'> {
  const result = checkText(text, translation)
  if (result.refusal)
    return { text: result.text, verdict: 'invalid', notes: [result.refusal.message], write: null }
  const isOld = normalizeText(original) !== normalizeText(text.original)
  const writtenFor = isOld ? original : text.original
  if (current?.text === result.text && (isOld || current.original === text.original))
    return { text: result.text, verdict: 'unchanged', notes: [], write: null }
  return {
    text: result.text,
    verdict: isOld ? 'stale' : current ? 'changed' : 'new',
    notes: [...(isOld ? ['The original has changed since the file was made.'] : []), ...result.notes],
    write: { ...text, original: writtenFor, text: result.text },
  }
}

/** Normalises differences that tools make unintentionally. */
const normalizeText = (text: string) => text.replaceAll('\r\n', '\n').normalize('NFC').trim()
