import { sql } from 'kysely'
import { seal, unseal } from '../../sealed.ts'
import { secretsOf } from '../check.ts'
import { withSecrets } from '../secrets.ts'
import { valuesFor } from './cursor.ts'
import { bytesOf, streamOf } from './objects.ts'
import { advance, isOver, pagesPrefix, type LogLine, type Run } from './run.ts'
import { storeStream } from '#functions/exports/prepared/store.ts'
import {
  FetchError,
  nextUrl,
  pages,
  type Caps,
  type Page,
  type PageRead,
} from '#functions/importers/fetch/index.ts'
import { bytesText } from '#functions/importers/parse/caps.ts'
import { parse } from '#functions/importers/parse/index.ts'
import type { ImporterSource } from '#functions/shapes/importerSource.ts'

/** A page in which the address of the next one stands is read as a whole. */
const mostDocumentBytes = 32 * 1024 * 1024
/** A run has tries of its own: a step does not wait long for a remote. */
const caps: Partial<Caps> = { attempts: 4, totalMs: 10 * 60_000 }

/**
 * Brings the pages of all sources into the bucket, one after the other, none of them whole in memory. What is kept of a
 * page is kept together with where the next one is: who goes on after an interruption asks for no page again that was
 * kept, and leaves none out. True when all are there; false: the step's time is over.
 */
export async function fetchPages(run: Run): Promise<boolean> {
  const { ctx, job, plan } = run
  const secrets = await secretsOf(ctx, { id: job.importerId, secrets: plan.secrets })
  const sources = withSecrets(plan.sources, secrets)
  for (let i = run.cursor.source; i < sources.length; i = run.cursor.source) {
    const source = sources[i]
    if (!source || !(await fetchSource(run, source, valuesFor(secrets, i)))) return false
  }
  await advance(run, { cursor: { stage: 'read' } })
  return true
}

async function fetchSource(run: Run, source: ImporterSource, secrets: string[]): Promise<boolean> {
  const { ctx, job, work, signal } = run
  const of = { purpose: 'importer', id: job.id } as const
  const secret = ctx.settings.authSecret
  const sealed = run.cursor.link
  const link = sealed === null ? null : await unseal(secret, of, sealed)
  const all = pages(work.ports, source, { signal, caps, secrets, begin: { number: run.cursor.page, link } })
  try {
    let step = await all.next()
    while (!step.done) {
      const page = step.value
      const stored = await store(run, page)
      const told = source.pagination ? await readPage(run, source, stored, page.number) : { rows: 1 }
      // Before it is kept: then where the next page is can be kept with it.
      step = await all.next(told)
      const next = step.done
        ? { source: run.cursor.source + 1, page: 1, link: null }
        : {
            page: step.value.number,
            link: step.value.link === null ? null : await seal(secret, of, step.value.link),
          }
      const isEmptyEnd = told.rows === 0 && page.number > 1
      if (isEmptyEnd) await ctx.files.delete(stored.key)
      await keep(run, page, isEmptyEnd ? null : stored, next)
      if (!step.done && isOver(run)) return false
    }
    return true
  } finally {
    await all.return()
  }
}

interface Stored {
  key: string
  size: number
}

/** Streams a page into the bucket, under a key that only the holder of this fence writes. */
async function store({ ctx, job, lease, cursor }: Run, { bytes }: Page): Promise<Stored> {
  const key = `${pagesPrefix(job.id)}${cursor.objects}-${job.fence}`
  async function* alive() {
    for await (const chunk of bytes) {
      lease.beat()
      yield chunk
    }
  }
  const stored = await storeStream(ctx.files, key, streamOf(alive()), 'application/octet-stream')
  return { key, size: stored.bytes }
}

/** What is in a page that decides whether there is another one. */
async function readPage(
  { ctx, lease }: Run,
  { parser, parserOptions, pagination }: ImporterSource,
  { key, size }: Stored,
  number: number,
): Promise<PageRead> {
  const selector = pagination?.nextPageSelector
  if (selector !== undefined) {
    if (size > mostDocumentBytes)
      throw new FetchError('pages', `Page ${number} is larger than 32 MB: no next page is looked for in it.`)
    const document = await ctx.files.get(key)
    const next = document && size > 0 ? nextUrl(new Uint8Array(await document.arrayBuffer()), selector) : null
    return { rows: 1, next }
  }
  // A page without a byte is one without rows.
  if (size === 0) return { rows: 0 }
  let rows = 0
  for await (const { cursor } of parse(parser, bytesOf(ctx.files, key, 0), parserOptions)) {
    lease.beat()
    rows = cursor.rows
  }
  return { rows }
}

async function keep(
  run: Run,
  { url, headers }: Page,
  stored: Stored | null,
  next: Partial<Run['cursor']>,
): Promise<void> {
  if (!stored) return advance(run, { cursor: next })
  const { id: jobId, placeId } = run.job
  const { objects, source } = run.cursor
  const line: LogLine = { level: 'info', message: `Fetched ${bytesText(stored.size)}.`, url }
  await advance(run, { cursor: { ...next, objects: objects + 1 }, lines: [line] }, async (tx) => {
    await tx
      .insertInto('importObject')
      .values({
        jobId,
        placeId,
        n: objects,
        source,
        key: stored.key,
        size: sql<string>`${stored.size}::bigint`,
        url,
        contentType: headers.get('content-type')?.slice(0, 200) ?? null,
      })
      .execute()
  })
}
