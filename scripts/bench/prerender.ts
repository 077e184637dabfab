import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { updateById } from '#functions/domain/page/contents.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { pageKey, readManifest } from '#functions/edge/hub/manifest.ts'
import { readSnapshot } from '#functions/edge/hub/snapshot.ts'
import { openGate } from '../crawl/gate.ts'
import { openHub } from '../crawl/world.ts'
import { findFreePort, openWorker } from '../local.ts'
import { prepareSources, publishHubs } from '../publish-hub.ts'
import { buildByAstro, writeAstro } from './astro-site.ts'
import { makeReportLine, median, type Line } from './measure.ts'
import { pageCount, type Scale } from './scale.ts'
import type { Server } from './server.ts'
import { buildByTemplate } from './template-site.ts'
import { extractWords, type Words } from './words.ts'

/**
 * The number of pages that the small world has by itself: home, map, lists, about, search, error, 404, a
 * story, a source.
 */
const ownPages = 10
const changes = 5
/** How many sources are prepared by one message. */
const atOnce = 10
/** The goal is stated for a hub of so many pages. */
const promisedPages = 1000
const folder = '.cache/bench/astro'
const root = new URL('../../', import.meta.url).pathname

/** The result of one build: its duration, and figures that do not depend on the machine. */
interface Build {
  ms: number
  /** Milliseconds until the last HTML page was rendered; feeds, catalogues and pictures come after. */
  pagesMs: number
  rendered: number
  statements: number
}

/**
 * Renders a hub of so many pages, half of them sources with a chart and a map and half stories, each in every
 * language: the whole hub from a Worker that has just started, and after one change. Compared with Astro,
 * which renders as many documents with the same words, and with template strings. Astro is given the data
 * that ours queries and the drawings that ours makes.
 */
export async function benchPrerender({ rows, server }: Scale): Promise<Line[]> {
  const pages = pageCount(rows)
  const sources = Math.floor((pages - ownPages) / 2)
  const stories = pages - ownPages - sources
  const { world, ids } = await onServer(server, () => openHub({ sources, stories, records: 25 }))
  const gate = await openGate(world.database.env.DB_PROXY ?? '')
  const port = await findFreePort()
  const renderedPages: { path: string; at: number }[] = []
  const { worker, miniflare, close } = await openWorker({
    env: { ...world.database.env, DB_PROXY: gate.address },
    port,
    folder: null,
    vars: { APP_HOST: `127.0.0.1:${port}`, PUBLIC_HOST: `localhost:${port}` },
    log: (text) => {
      const path = /prerender: rendered oakton (\S+)/.exec(text)?.[1]
      if (path) renderedPages.push({ path, at: performance.now() })
      else if (/not published/.test(text)) console.error(text)
    },
  })
  const buildHub = async (kind: 'hub' | 'outbox'): Promise<Build> => {
    renderedPages.length = 0
    gate.consumeRequests()
    const startMs = performance.now()
    await publishHubs(worker, world.database.env, kind === 'hub' ? ['oakton'] : [])
    const ms = performance.now() - startMs
    // Log lines of the Worker come through a pipe, some after the answer.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const last = renderedPages.filter(({ path }) => !isFile(path)).at(-1)
    return {
      ms,
      pagesMs: (last?.at ?? NaN) - startMs,
      rendered: renderedPages.length,
      statements: gate.consumeRequests().length,
    }
  }
  try {
    // Statistics and files of the sources are made first: otherwise the queue makes them beside the builds measured
    // here, and their events render pages again.
    for (let i = 0; i < ids.length; i += atOnce) await prepareSources(worker, ids.slice(i, i + atOnce))
    const full = await buildHub('hub')
    const hubs = (await miniflare.getR2Bucket('HUBS')) as unknown as R2Bucket
    const { documents, bytes, files } = await readDocuments(hubs)
    const counts = `${full.rendered} addresses rendered, ${full.statements} statements, ${Math.round(bytes / 1000)} kB of pages`

    const admin = world.as('organization_admin')
    const system = world.as('system')
    const texts: Build[] = []
    const records: Build[] = []
    for (let i = 1; i <= changes + 1; i += 1) {
      const settings = { html: `<p>Story ${i}, told again.</p>` }
      const data = { settings, version: 1 }
      if (
        !(await updateById(admin, {
          params: { contentId: `text-${i}` },
          placeId: 'oakton',
          options: {},
          data,
        }))
      )
        throw new Error('There is no such text.')
      texts.push(await buildHub('outbox'))
      const at = new Date(Date.UTC(2026, 10, i)).toISOString()
      await ingest(system, `station-${i + 1}`, [{ id: 'new', kind: 'rain', amount: 1000 + i, at }])
      records.push(await buildHub('outbox'))
    }

    writeAstro(join(root, folder), documents)
    const astro = await buildByAstro(join(root, folder), documents)
    writeAstro(join(root, folder), documents.slice(0, 1))
    const started = await buildByAstro(join(root, folder), documents.slice(0, 1))
    const byHand = `${folder}-template`
    const template = buildByTemplate(join(root, byHand), documents)
    for (const each of [folder, byHand]) rmSync(join(root, each), { recursive: true, force: true })

    const about = { area: 'prerender', rows: null, unit: 'ms' as const }
    const whole = `${pages} pages in every language (${documents.length} documents)`
    const isWhole = pages >= promisedPages
    const againstAstro = { peer: 'Astro, as many documents of the same words', theirs: astro }
    const summarizeChange = (work: string, all: Build[]) =>
      makeReportLine({
        ...about,
        work: `${work} changed, of ${pages} pages`,
        // The first change loads modules that the whole build did not need.
        ours: median(all.slice(1).map(({ ms }) => ms)),
        peer: 'the whole build',
        theirs: full.ms,
        ...(isWhole && { most: 0.02 }),
        note: `${median(all.map((each) => each.rendered))} addresses rendered, ${median(all.map((each) => each.statements))} statements`,
      })
    return [
      makeReportLine({
        ...about,
        ...againstAstro,
        work: whole,
        ours: full.pagesMs,
        ...(isWhole && { most: 0.5 }),
        note: `Astro takes ${Math.round(started)} ms of it for one document`,
      }),
      makeReportLine({
        ...about,
        ...againstAstro,
        work: `${whole} and ${files} files (feeds, catalogues, pictures)`,
        ours: full.ms,
        note: counts,
      }),
      makeReportLine({
        ...about,
        work: whole,
        ours: full.pagesMs,
        peer: 'template strings',
        theirs: template,
      }),
      summarizeChange('the text of a story', texts),
      summarizeChange('records of a source', records),
    ]
  } finally {
    await close()
    await gate.close()
    await world.close()
  }
}

const isFile = (path: string) => /\.\w+$/.test(path) || path.startsWith('/embed/') || path.startsWith('/api/')

/** Runs code that creates a test database, on this server. */
async function onServer<T>(server: Server, run: () => Promise<T>): Promise<T> {
  const before = process.env.TEST_POSTGRES_URL
  process.env.TEST_POSTGRES_URL = server.owner.href
  try {
    return await run()
  } finally {
    if (before === undefined) delete process.env.TEST_POSTGRES_URL
    else process.env.TEST_POSTGRES_URL = before
  }
}

/** Reads the words of every HTML page that is served now, the bytes of all pages, and the number of files. */
async function readDocuments(hubs: R2Bucket): Promise<{ documents: Words[]; bytes: number; files: number }> {
  const snapshot = await readSnapshot(hubs, 'oakton.localhost')
  const manifest = await readManifest(hubs, 'oakton', snapshot?.manifest ?? 0)
  const documents: Words[] = []
  let bytes = 0
  let files = 0
  for (const [name, { hash }] of Object.entries(manifest?.pages ?? {})) {
    const [locale = '', path = ''] = name.split(' ')
    if (isFile(path)) {
      files += 1
      continue
    }
    const html = (await (await hubs.get(pageKey('oakton', hash)))?.text()) ?? ''
    bytes += html.length
    documents.push(extractWords(html, `${locale}${path}`.replace(/\/$/, ''), locale))
  }
  return { documents, bytes, files }
}
