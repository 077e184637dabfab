import { sql } from 'kysely'
import { encrypt, decrypt } from '#functions/domain/secrets/encrypt.ts'
import { prepareRecordSubject } from '#functions/domain/records/change.ts'
import { decryptSecrets } from '../check.ts'
import { parseFileId, missingFileMessage, openStored } from '../stored.ts'
import { withSecrets } from '../secrets.ts'
import { describeUnknownFields } from '../unknown-fields.ts'
import { valuesFor } from './cursor.ts'
import { RunRefusal } from './errors.ts'
import { streamObject, toStream } from './objects.ts'
import { advance, isOver, pagesPrefix, type LogLine, type Run } from './run.ts'
import { storeParts } from '#functions/engine/export/prepared/store.ts'
import {
  FetchError,
  findNextPageUrl,
  pages,
  type Caps,
  type Page,
  type PageRead,
} from '#functions/engine/import/fetch/index.ts'
import { formatByteCount } from '#functions/engine/import/parse/caps.ts'
import { parse } from '#functions/engine/import/parse/index.ts'
import { endWhereNothingSelected } from '#functions/engine/import/row.ts'
import { expandUrlTemplate, isTemplate } from '#functions/engine/import/url-template.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'

/** The largest page that may contain the address of the next one: it is read into memory for that. */
const maxDocumentBytes = 32 * 1024 * 1024
/** Runs are retried as a whole, so a single step does not wait long for a remote server. */
const caps: Partial<Caps> = { attempts: 4, totalMs: 10 * 60_000 }

/**
 * Streams the pages of all sources into the bucket, one after the other. A page is recorded together with the URL of the
 * next one, so that after an interruption no page is fetched twice or left out. True when all are stored; false at the
 * time limit of the step.
 */
export async function fetchPages(run: Run): Promise<boolean> {
  const { ctx, job, plan } = run
  const secrets = await decryptSecrets(ctx, { id: job.importerId, secrets: plan.secrets })
  if (secrets === null) throw new RunRefusal(unreadableSecrets)
  const sources = withSecrets(plan.sources, secrets)
  for (let i = run.cursor.source; i < sources.length; i = run.cursor.source) {
    const source = sources[i]
    if (!source) return false
    const fileId = parseFileId(source.url)
    if (fileId !== null) await copyUploadedFile(run, fileId)
    else if (!(await fetchSource(run, await fillAddress(run, source), valuesFor(secrets, i)))) return false
    if (isOver(run)) return false
  }
  await advance(run, { cursor: { stage: 'read' }, lines: await mappingLines(run) })
  return true
}

const unreadableSecrets =
  'The passwords and keys stored in this importer cannot be read any more: they were stored with a secret of the server that is not set now. Nothing was asked for. Type them again and save the importer.'
const unreadableLink =
  'Where the next page is was stored with a secret of the server that is not set now. Run the importer again.'

/** Warnings about the mapping itself; rows may be valid nevertheless. */
async function mappingLines({ ctx, job, plan }: Run): Promise<LogLine[]> {
  const subject = await prepareRecordSubject(ctx, job.sourceId)
  const message = subject && describeUnknownFields(plan.mapping, subject.schema)
  return message ? [{ level: 'warn', message }] : []
}

/** Copies an uploaded file: later changes do not affect this run. */
async function copyUploadedFile(run: Run, fileId: string): Promise<void> {
  const { ctx, job, cursor } = run
  const file = await openStored(ctx, { id: job.sourceId, placeId: job.placeId }, fileId)
  if (!file) throw new RunRefusal(`${missingFileMessage} (source ${cursor.source + 1})`)
  const page = { ...file, url: `file:${fileId}` }
  await recordPage(run, page, await store(run, page), { source: cursor.source + 1, page: 1, link: null })
}

/** The source with placeholders in its URL filled in by the start time of the run: the same in each of its steps. */
async function fillAddress({ ctx, job }: Run, source: ImporterSource): Promise<ImporterSource> {
  if (!isTemplate(source.url)) return source
  const { startedAt, timeZone } = await ctx.db
    .selectFrom('job')
    .innerJoin('place', 'place.id', 'job.placeId')
    .select(['job.startedAt', 'place.timeZone'])
    .where('job.id', '=', job.id)
    .executeTakeFirstOrThrow()
  return { ...source, url: expandUrlTemplate(source.url, startedAt ?? ctx.now(), timeZone) }
}

async function fetchSource(run: Run, source: ImporterSource, secrets: string[]): Promise<boolean> {
  const { ctx, job, work, signal } = run
  const of = { purpose: 'importer', id: job.id } as const
  const encryptedLink = run.cursor.link
  const link = encryptedLink === null ? null : await decrypt(ctx.settings, of, encryptedLink)
  if (encryptedLink !== null && link === null) throw new RunRefusal(unreadableLink)
  const gaps = gapWatch(source, await rowsBefore(run, source))
  const all = pages(work.ports, source, { signal, caps, secrets, begin: { number: run.cursor.page, link } })
  try {
    let step = await all.next()
    while (!step.done) {
      const page = step.value
      const storedPage = await store(run, page)
      const values = source.pagination ? await readPage(run, source, storedPage, page.number) : { rows: 1 }
      gaps(page.number, values.rows)
      // Before the page is recorded, since the address of the next one is recorded with it.
      step = await all.next(values)
      const next = step.done
        ? { source: run.cursor.source + 1, page: 1, link: null }
        : {
            page: step.value.number,
            link: step.value.link === null ? null : await encrypt(ctx.settings, of, step.value.link),
          }
      const isEmptyEnd = values.rows === 0 && page.number > 1
      if (isEmptyEnd) await ctx.files.delete(storedPage.key)
      await recordPage(run, page, isEmptyEnd ? null : storedPage, next)
      if (!step.done && isOver(run)) return false
    }
    return true
  } finally {
    await all.return()
  }
}

/** The number of rows of the last stored page, where a step continues after it; null: there is none, or it is not needed. */
async function rowsBefore(run: Run, source: ImporterSource): Promise<number | null> {
  const { ctx, job, cursor } = run
  if (cursor.page === 1 || source.pagination?.offsetParam === undefined) return null
  const last = await ctx.db
    .selectFrom('importObject')
    .select(['key', sql<number>`size::float8`.as('size')])
    .where('jobId', '=', job.id)
    .where('n', '=', cursor.objects - 1)
    .executeTakeFirstOrThrow()
  return (await readPage(run, source, last, cursor.page - 1)).rows
}

/**
 * Detects gaps in paging by offset: some servers silently return fewer rows than requested, and the next offset then
 * skips rows. So only the last page may be short. Returns a function that is called with the rows of each page and
 * throws at a gap.
 */
function gapWatch({ pagination }: ImporterSource, rowsBefore: number | null) {
  const { offsetParam, nextPageSelector, limit = 0 } = pagination ?? {}
  let before = rowsBefore
  return (page: number, rows: number): void => {
    if (offsetParam === undefined || nextPageSelector !== undefined) return
    if (before !== null && before < limit && rows > 0)
      throw new FetchError(
        'pages',
        `Page ${page - 1} has ${before} rows where ${limit} were asked for, and page ${page} has rows too: those between them would be missing. Set the limit to what the server gives at most.`,
      )
    before = rows
  }
}

interface StoredPage {
  key: string
  size: number
}

/** Streams a page into the bucket, under a key that contains the fencing token, so that no other worker writes it. */
async function store({ ctx, job, lease, cursor }: Run, { bytes }: Pick<Page, 'bytes'>): Promise<StoredPage> {
  const key = `${pagesPrefix(job.id)}${cursor.objects}-${job.fence}`
  async function* alive() {
    for await (const chunk of bytes) {
      lease.beat()
      yield chunk
    }
  }
  return { key, size: await storeParts(ctx.files, key, toStream(alive()), 'application/octet-stream') }
}

/** Parses from a page whether there is another one. */
async function readPage(
  { ctx, lease }: Run,
  { parser, parserOptions, pagination }: ImporterSource,
  { key, size }: StoredPage,
  number: number,
): Promise<PageRead> {
  const selector = pagination?.nextPageSelector
  if (selector !== undefined) {
    if (size > maxDocumentBytes)
      throw new FetchError('pages', `Page ${number} is larger than 32 MB: no next page is looked for in it.`)
    const document = await ctx.files.get(key)
    const next =
      document && size > 0 ? findNextPageUrl(new Uint8Array(await document.arrayBuffer()), selector) : null
    return { rows: 1, next }
  }
  // An empty page has no rows.
  if (size === 0) return { rows: 0 }
  let rows = 0
  // A first page without a list is reported when it is read.
  const batches = endWhereNothingSelected(parse(parser, streamObject(ctx.files, key, 0), parserOptions))
  for await (const { cursor } of batches) {
    lease.beat()
    rows = cursor.rows
  }
  return { rows }
}

async function recordPage(
  run: Run,
  { url, headers }: Pick<Page, 'url' | 'headers'>,
  storedPage: StoredPage | null,
  next: Partial<Run['cursor']>,
): Promise<void> {
  if (!storedPage) return advance(run, { cursor: next })
  const { id: jobId, placeId } = run.job
  const { objects, source } = run.cursor
  const line: LogLine = { level: 'info', message: `Fetched ${formatByteCount(storedPage.size)}.`, url }
  await advance(run, { cursor: { ...next, objects: objects + 1 }, lines: [line] }, async (tx) => {
    await tx
      .insertInto('importObject')
      .values({
        jobId,
        placeId,
        n: objects,
        source,
        key: storedPage.key,
        size: sql<string>`${storedPage.size}::bigint`,
        url,
        contentType: headers.get('content-type')?.slice(0, 200) ?? null,
      })
      .execute()
  })
}
