import { streamObject, readChunks, createRanges, toStream } from './job/objects.ts'
import { fetchPorts } from './ports.ts'
import { parseFileId, missingFileMessage, openStored, type openAnnounced } from './stored.ts'
import type { Context } from '#functions/context.ts'
import { storeParts } from '#functions/engine/export/prepared/store.ts'
import { pendingUploadKey } from '#functions/engine/media/keys.ts'
import { FetchError, pages, type Page } from '#functions/engine/import/fetch/index.ts'
import {
  readGrid,
  parse,
  listRowLists,
  listSelectors,
  type RowList,
} from '#functions/engine/import/parse/index.ts'
import { inspectArchive, type ArchiveFormat } from '#functions/engine/import/parse/archive-inspector.ts'
import type { Grid } from '#functions/engine/import/parse/find-head.ts'
import { rangesOfFile, type Ranges } from '#functions/engine/import/parse/ranges.ts'
import { selectorsIn } from '#functions/engine/import/parse/reading.ts'
import { selectorText, parseSelector } from '#functions/engine/import/parse/selector.ts'
import { UnreadableError, type Notice, type Reject, type SourceRow } from '#functions/engine/import/row.ts'
import { expandUrlTemplate } from '#functions/engine/import/url-template.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'
import { isArchive, parsers } from '#functions/shapes/parser/index.ts'
import type { Parser } from '#functions/shapes/parser/parser.ts'

/** `isWhole`: counted in the whole source, not only in its beginning. */
interface ShownRows extends RowList {
  isWhole: boolean
}

/** The beginning of a source. `error`: why there is not more of it, in a sentence. */
export interface Sample {
  rows: SourceRow[]
  rejects: Reject[]
  notices: Notice[]
  selectors: string[]
  /** Possible positions of the rows, best first, for structured formats: lists of JSON, sheets of workbooks. */
  lists: ShownRows[]
  /** The first raw rows of a format whose header can be chosen. */
  grid: Grid | null
  /** The formats in which a zip archive can be read, best first; null for a source that is none. */
  archive: ArchiveFormat[] | null
  error?: string
}

const most = { rows: 100, bytes: 1_000_000, listBytes: 4_000_000, ms: 20_000 }

/**
 * The first rows of a source, valid and invalid: at most 100, from 1 MB of text, 4 MB of JSON (whose lists are counted)
 * or a whole archive, within 20 s. `of`: the source's owner, for uploaded files and
 * placeholders in URLs. Errors of reading are returned as a diagnosis, not thrown. `secrets` never occur in one.
 */
export async function readSourceSample(
  ctx: Context,
  of: { id: string; placeId: string; timeZone: string },
  source: ImporterSource,
  secrets: string[],
): Promise<Sample> {
  const signal = AbortSignal.timeout(most.ms)
  const bytes = getByteLimit(source)
  const fileId = parseFileId(source.url)
  if (fileId !== null) {
    const file = await openStored(ctx, of, fileId)
    return file ? readSample(source, file, bytes) : { ...nothing(), error: missingFileMessage }
  }
  const url = expandUrlTemplate(source.url, ctx.now(), of.timeZone)
  const row = pages(
    fetchPorts(ctx),
    { ...source, url },
    {
      signal,
      secrets,
      caps: { attempts: 2, totalMs: most.ms },
    },
  )
  try {
    const first = await row.next()
    if (first.done) return { ...nothing(), error: 'There is nothing to read.' }
    const page = first.value
    return await (isByRanges(source) ? sampleOfStored(ctx, source, page) : readSample(source, page, bytes))
  } catch (error) {
    return { ...nothing(), error: describeError(error, signal) }
  } finally {
    await row.return(undefined as never)
  }
}

/** Whether a source is read by ranges: in memory it might not fit. */
const isByRanges = ({ parser, parserOptions }: ImporterSource) =>
  isArchive(parser) || parserOptions?.zip === true

/** The first rows of a page of an archive, which is in the bucket meanwhile: among uploads, of which what stays is deleted. */
async function sampleOfStored(
  ctx: Context,
  source: ImporterSource,
  { headers, bytes }: Pick<Page, 'headers' | 'bytes'>,
): Promise<Sample> {
  const key = pendingUploadKey(crypto.randomUUID())
  try {
    const size = await storeParts(ctx.files, key, toStream(chunksIn(bytes)), 'application/octet-stream')
    const page = {
      headers,
      bytes: streamObject(ctx.files, key, 0),
      ranges: createRanges(ctx.files, key, size),
    }
    return await readSample(source, page, getByteLimit(source))
  } finally {
    await ctx.files.delete(key)
  }
}

async function* chunksIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* bytes
}

const nothing = (): Sample => ({
  ...{ rows: [], rejects: [], notices: [], selectors: [], lists: [] },
  ...{ grid: null, archive: null },
})

/** `ranges`: an archive is read by ranges, whatever its size. */
type ReadablePage = Pick<Page, 'headers' | 'bytes'> & { ranges?: Ranges }

/** The first rows of a file that was uploaded before its source exists, with the same limits as `readSourceSample`. */
export function sampleOfUpload(
  source: ImporterSource,
  file: NonNullable<Awaited<ReturnType<typeof openAnnounced>>>,
): Promise<Sample> {
  return readSample(source, { ...file, bytes: file.bytes() }, getByteLimit(source))
}

/** The first rows of a file in a form, with the same limits as `readSourceSample`. */
export async function sampleOfFile(source: ImporterSource, file: File): Promise<Sample> {
  const headers = new Headers(file.type ? { 'content-type': file.type } : {})
  return readSample(
    source,
    { headers, bytes: readChunks(file.stream()), ranges: rangesOfFile(file) },
    getByteLimit(source),
  )
}

async function readSample(source: ImporterSource, page: ReadablePage, bytes: number): Promise<Sample> {
  const sample = nothing()
  const { parser: name, parserOptions: options } = source
  const ranges = isByRanges(source) ? page.ranges : undefined
  const { pieces, isCut } = await readBeginning(page, ranges ? 1 : bytes)
  const look = isCut && !page.ranges ? null : await inspectArchive(yieldAll(pieces), page.ranges)
  sample.archive = look?.formats ?? null
  // By ranges all of it can be read.
  const goesOn = isCut && !ranges
  const replayPieces = () => yieldAll(pieces)
  const parser: Parser = parsers[name]
  const lists = await listRowLists(name, replayPieces(), options, ranges).catch(() => null)
  if (lists) sample.selectors = lists.map(({ selector }) => selector)
  else if (parser.options.includes('selector'))
    sample.selectors = await listSelectors(name, replayPieces(), ranges, options).catch(() => [])
  sample.lists = (lists ?? []).map(({ isWhole = true, ...each }) => ({
    ...each,
    isWhole: isWhole && !goesOn,
  }))
  // For a workbook without a selected sheet, the proposed one is shown.
  const best =
    lists?.[0] && options?.selector === undefined ? { ...options, selector: lists[0].selector } : options
  sample.grid = truncateGrid(
    await readGrid(name, replayPieces(), best, { isCut: goesOn, ...(ranges && { ranges }) }).catch(
      () => null,
    ),
  )
  try {
    const contentType = page.headers.get('content-type') ?? undefined
    const settings = {
      batchRows: most.rows,
      ...(contentType !== undefined && { contentType }),
      ...(ranges && { ranges }),
    }
    for await (const batch of parse(name, replayPieces(), options, settings)) {
      sample.rows.push(...batch.rows.slice(0, most.rows - sample.rows.length))
      sample.rejects.push(...batch.rejects)
      sample.notices.push(...batch.notices)
      if (batch.cursor.rows >= most.rows) break
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    // A truncated input has errors at its end, which are ignored.
    if (!isCut || ranges) sample.error = error.message
    else if (sample.rows.length === 0)
      sample.error = `${withFullStop(error.message)} ${describePartialRead(bytes)}`
  }
  if (look?.refusal) sample.error = look.refusal
  if (sample.error === undefined)
    sample.notices.push(...elsewhere(sample.lists, name === 'json' ? selectorsIn(options ?? {}) : []))
  const last = sample.rows.at(-1)?.at.row ?? most.rows
  sample.rejects = sample.rejects.filter(({ at }) => at.row <= Math.max(last, most.rows))
  return sample
}

/** The part of a grid that a screen shows: 12 rows and those of the header, 20 columns, truncated cells. */
function truncateGrid(grid: Grid | null): Grid | null {
  if (!grid) return null
  const last = grid.head?.[1] ?? 0
  const rows = grid.rows.filter(({ line }, i) => i < 12 || line <= last + 3)
  return { ...grid, rows: rows.map(truncateRow), leftOut: grid.leftOut.slice(0, 100).map(truncateRow) }
}

const truncateRow = <R extends { cells: string[] }>(row: R): R => ({
  ...row,
  cells: row.cells.slice(0, 20).map((cell) => cell.slice(0, 80)),
})

/** Reports where the longest list is, if the selector does not lead to one. */
function elsewhere([best, ...others]: ShownRows[], selectors: string[]): Notice[] {
  const paths = selectors.map((selector) => selectorText(parseSelector(selector)))
  const isKnown = (path: string) =>
    path === '' || [best, ...others].some((each) => each?.selector === path || each?.selector === `${path}.*`)
  if (!best?.selector.endsWith('*') || !selectors.length || paths.some(isKnown)) return []
  const where = `“${best.selector}” (${best.rows === 1 ? '1 object' : `${best.rows} objects`}: ${best.keys.join(', ')})`
  return [
    { level: 'info', message: `Rows were looked for at “${selectors.join('”, “')}”. A list is at ${where}.` },
  ]
}

async function* yieldAll(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

const describePartialRead = (bytes: number) =>
  `Only its first ${bytes / 1_000_000} MB were looked at, which may be why: a run reads all of it.`

function getByteLimit({ parser }: ImporterSource): number {
  return parser === 'json' ? most.listBytes : most.bytes
}

/** The beginning of a page, up to a limit; `isCut`: there is more. */
async function readBeginning(page: Pick<Page, 'bytes'>, bytes: number) {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of page.bytes) {
    const rest = bytes - size
    pieces.push(piece.length > rest ? piece.subarray(0, rest) : piece)
    size += piece.length
    if (size >= bytes) return { pieces, isCut: true }
  }
  return { pieces, isCut: false }
}

/** Why a source cannot be read, as a sentence. */
function describeError(error: unknown, signal: AbortSignal): string {
  if (error instanceof FetchError)
    return [withFullStop(error.message), error.diagnosis ?? ''].join(' ').trim()
  if (error instanceof UnreadableError) return error.message
  if (signal.aborted) return `The source did not give its first rows within ${most.ms / 1000} seconds.`
  throw error
}

/** A sentence with its full stop. */
const withFullStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
