import * as activities from './activities.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { toStream } from '#functions/domain/importer/job/objects.ts'
import type { Context } from '#functions/context.ts'
import { csvCells, csvHead, csvLine } from '#functions/engine/export/csv.ts'
import { maxFileLines, type ActivityFileOptions } from '#functions/shapes/activity.ts'
import { Download } from '#functions/shapes/download.ts'

/** Lines of the file that are read at a time. */
const atOnce = 5000

type Line = Awaited<ReturnType<typeof activities.find>>['results'][number]

/**
 * The audit log of a place as CSV, newest first: the newest 50,000 entries that match the filters, in UTC. Values that a
 * spreadsheet would take for a formula are prefixed with an apostrophe.
 */
export async function csv(ctx: Context, request: NounRequest<ActivityFileOptions>): Promise<Download> {
  // Reads the first page before the response begins, so that errors are still reported by its status.
  const first = await readPage(ctx, request, undefined)
  const name = `${param(request, 'placeId')}-activity.csv`
  return new Download('text/csv; charset=utf-8', toStream(makeLines(ctx, request, first)), name)
}

const readPage = (ctx: Context, request: NounRequest<ActivityFileOptions>, next: string | undefined) =>
  activities.find(ctx, { ...request, options: { ...request.options, limit: atOnce, next } }, atOnce)

async function* makeLines(
  ctx: Context,
  request: NounRequest<ActivityFileOptions>,
  first: Awaited<ReturnType<typeof readPage>>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(csvLine(csvHead(columns)))
  let page = first
  for (let lines = 0; ;) {
    yield encoder.encode(page.results.map(toCsvLine).join(''))
    lines += page.results.length
    if (page.meta.next === undefined || lines >= maxFileLines) return
    page = await readPage(ctx, request, page.meta.next)
  }
}

const texts = ['at', 'verb', 'targetType', 'targetId', 'targetName', 'actorId', 'actorName']
const numbers = ['created', 'updated', 'removed']
const columns = [
  ...texts.map((key) => ({ key, head: key, type: 'text' })),
  ...numbers.map((key) => ({ key, head: key, type: 'number' })),
]

function toCsvLine({ at, counts, ...line }: Line): string {
  return csvLine(csvCells(columns, { ...line, ...counts, at: at.toISOString() }, true))
}
