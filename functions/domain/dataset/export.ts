import { dependsOn } from '#functions/platform/cache/depends.ts'
import { aboutOf } from './exportAbout.ts'
import { formatOf } from './exportFormat.ts'
import { answerSource, isAnalytics, recordSource, type Rows } from './exportSource.ts'
import { BrokenWalk } from './exportWalk.ts'
import { open, type Scope } from './open.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { UnfitRows } from '#functions/engine/export/file.ts'
import { writers } from '#functions/engine/export/formats.ts'
import { filesEdition } from '#functions/engine/export/prepared/manifest.ts'
import type { ExportOptions } from '#functions/shapes/datum.ts'
import { Download } from '#functions/shapes/download.ts'
import { exportFiles } from '#functions/shapes/exportFormat.ts'

/** The most rows of one export. */
const maxRows = 100_000_000

/**
 * Records as a file, all that match. Nothing of it is held back: rows are read page by page while they are sent, no
 * faster than they are taken. Either it is complete or it breaks off with an error: when the data changes meanwhile, a
 * row is missing, or it takes longer than 15 minutes. Times that people read are by the clock of `timezone`, else of the
 * place, of records of several places in UTC. Tells rows and data version in `X-Row-Count` and `X-Data-Version`. Failure
 * `invalid` with the path `format` where the format cannot hold these rows.
 */
export async function exportRows(ctx: Context, scope: Scope, options: ExportOptions): Promise<Download> {
  const format = formatOf(options.format, ctx.request.headers.get('accept'))
  await dependsOn(ctx, { versions: { edition: filesEdition } })
  const dataset = await open(ctx, scope, {
    maxVisibility: options.maxVisibility,
    limits: { defaultLimit: maxRows, maxLimit: maxRows },
    question: options,
  })
  const about = await aboutOf(ctx, dataset, scope)
  const isAnswer = isAnalytics(options)
  const source = await (isAnswer
    ? answerSource(ctx, scope, options, about)
    : recordSource(ctx, dataset, format, options, about))
  const { names = false, bom = false, excel = false, timezone } = options
  // The question was understood, so where it names a time zone it is one. Records of several places have no zone in common.
  const timeZone = typeof timezone === 'string' && timezone !== '' ? timezone : dataset.timeZone
  const pieces = writers[format](source, { names, bom, excel, timeZone })
  const body = await streamOf(pieces, source)
  ctx.responseHeaders.set('x-row-count', String(source.count))
  ctx.responseHeaders.set('x-data-version', about.version)
  // Its columns are those of the package's description, which is found beside it; an observer has none.
  if (!isAnswer && scope.sourceIds === undefined)
    ctx.responseHeaders.append('link', '<datapackage.json>; rel="describedby"; type="application/json"')
  const { type, extension } = exportFiles[format]
  const fileName = `${about.id}-${ctx.now().toISOString().slice(0, 10)}.${extension}`
  return new Download(type, body, fileName)
}

/**
 * The pieces as a stream that asks for the next one when the last was taken. The first rows are read before the answer
 * begins, so that what fails at once is a proper error.
 */
async function streamOf(
  pieces: AsyncIterable<Uint8Array | string>,
  source: Rows,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const iterator = pieces[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let isDone = false
  const next = async (): Promise<Uint8Array | null> => {
    const { value, done } = await iterator.next()
    if (done) return null
    return typeof value === 'string' ? encoder.encode(value) : value
  }
  try {
    do {
      const piece = await next()
      isDone = piece === null
      if (piece) first.push(piece)
    } while (!isDone && !source.hasBegun())
  } catch (error) {
    throw refuse(error)
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = first.shift() ?? (isDone ? null : await next())
        if (piece === null) return controller.close()
        if (piece.length > 0) return controller.enqueue(piece)
        // A pull that gives nothing is not asked again.
        return this.pull?.(controller)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Before anything was sent, a file that cannot be made is a question that cannot be answered. */
function refuse(error: unknown): unknown {
  if (error instanceof UnfitRows)
    return new Failure('invalid', { issues: [{ path: ['format'], message: error.message }], cause: error })
  if (error instanceof BrokenWalk)
    return new Failure('unavailable', { say: 'The data has just changed: ask again.', cause: error })
  return error
}
