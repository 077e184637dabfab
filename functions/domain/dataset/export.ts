import { dependsOn } from '#functions/platform/cache/depends.ts'
import { readFileMetadata } from './export-about.ts'
import { chooseFormat } from './export-format.ts'
import { answerSource, isAnalytics, recordSource, type Rows } from './export-source.ts'
import { RowStreamError } from './export-walk.ts'
import { open, type Scope } from './open.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { UnfitRowsError } from '#functions/engine/export/file.ts'
import { writers } from '#functions/engine/export/formats.ts'
import { filesEdition } from '#functions/engine/export/prepared/manifest.ts'
import type { ExportOptions } from '#functions/shapes/datum.ts'
import { Download } from '#functions/shapes/download.ts'
import { exportFiles } from '#functions/shapes/export-format.ts'

/** The most rows of one export. */
const maxRows = 100_000_000

/**
 * All matching records as a file, streamed page by page as fast as the client reads. It is complete or breaks
 * off with an error: when the data changes meanwhile, a row is missing, or it takes longer than 15 minutes.
 * Local times are in `timezone`, otherwise in the place's zone, for records of several places in UTC. Sets
 * the headers `X-Row-Count` and `X-Data-Version`. Failure `invalid` at `format` where the format cannot hold
 * these rows.
 */
export async function exportRows(ctx: Context, scope: Scope, options: ExportOptions): Promise<Download> {
  const format = chooseFormat(options.format, ctx.request.headers.get('accept'))
  await dependsOn(ctx, { versions: { edition: filesEdition } })
  const dataset = await open(ctx, scope, {
    maxVisibility: options.maxVisibility,
    limits: { defaultLimit: maxRows, maxLimit: maxRows },
    question: options,
  })
  const about = await readFileMetadata(ctx, dataset, scope)
  const isAnswer = isAnalytics(options)
  const source = await (isAnswer
    ? answerSource(ctx, scope, options, about)
    : recordSource(ctx, dataset, format, options, about))
  const { names = false, bom = false, excel = false, timezone } = options
  // The query has been validated, so a given time zone is a valid one. Records of several places have no
  // common zone.
  const timeZone = typeof timezone === 'string' && timezone !== '' ? timezone : dataset.timeZone
  const pieces = writers[format](source, { names, bom, excel, timeZone })
  const body = await toStream(pieces, source)
  ctx.responseHeaders.set('x-row-count', String(source.count))
  ctx.responseHeaders.set('x-data-version', about.version)
  // The data package beside it describes these columns; there is none for the sources of an observer.
  if (!isAnswer && scope.sourceIds === undefined)
    ctx.responseHeaders.append('link', '<datapackage.json>; rel="describedby"; type="application/json"')
  const { type, extension } = exportFiles[format]
  const fileName = `${about.id}-${ctx.now().toISOString().slice(0, 10)}.${extension}`
  return new Download(type, body, fileName)
}

/**
 * The pieces as a stream with backpressure. The first rows are read before the response begins, so that an
 * early failure is a proper error response.
 */
async function toStream(
  pieces: AsyncIterable<Uint8Array | string>,
  source: Rows,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const iterator = pieces[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let isDone = false
  const readNextPiece = async (): Promise<Uint8Array | null> => {
    const { value, done } = await iterator.next()
    if (done) return null
    return typeof value === 'string' ? encoder.encode(value) : value
  }
  try {
    do {
      const piece = await readNextPiece()
      isDone = piece === null
      if (piece) first.push(piece)
    } while (!isDone && !source.hasBegun())
  } catch (error) {
    throw refuse(error)
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = first.shift() ?? (isDone ? null : await readNextPiece())
        if (piece === null) return controller.close()
        if (piece.length > 0) return controller.enqueue(piece)
        // A stream does not call `pull` again after one that enqueued nothing.
        return this.pull?.(controller)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Turns errors that occur before anything was sent into Failures. */
function refuse(error: unknown): unknown {
  if (error instanceof UnfitRowsError)
    return new Failure('invalid', { issues: [{ path: ['format'], message: error.message }], cause: error })
  if (error instanceof RowStreamError)
    return new Failure('unavailable', { message: 'The data has just changed: ask again.', cause: error })
  return error
}
