import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { call } from '#functions/api/call.ts'
import type { Context } from '#functions/context.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { placeHostnames } from '#functions/engine/address/urls.ts'
import { v1 } from '#functions/v1/index.ts'
import { CommandError } from '../command-error.ts'
import { seedAccounts } from './accounts.ts'
import { seedBoundaries } from './boundaries.ts'
import { dataTypes } from './data-types.ts'
import { findDemo, readDemo, writeDemo, type Demo } from './demo.ts'
import { endSeeding, isSeeding, markSeeding } from './seeding.ts'
import { insights } from './insights.ts'
import { collections, pages, type SeedPage } from './pages.ts'
import { places, type SeedPlace, type SeedSource } from './places.ts'
import { seedWork } from './work.ts'
import { translations, type SeedTranslation } from './translations.ts'

type Log = (line: string) => void

/** Where the demo is written to. */
interface SeedTarget {
  /** Contains `demo.json`, and the mark of an incomplete demo. */
  folder: string
  /** Identifies the database: a mark of another database is ignored. */
  database: string
}

/**
 * Fills an empty database with the demo: by the same endpoints and the same ingestion as everyone, so that
 * invalid data is rejected. Does nothing when the demo exists. Returns what was created, or null then. A
 * seeding that was killed is continued: existing rows stay. Throws `CommandError` when the places belong to someone
 * else.
 */
export async function seed(ctx: Context, { folder, database }: SeedTarget, log: Log): Promise<Demo | null> {
  const demoFile = join(folder, 'demo.json')
  // Also when the demo exists: a newer product has operations that must be granted to existing roles.
  await ctx.transaction((tx) => seedRoles(tx))
  const some = await ctx.db.selectFrom('place').select('id').limit(1).executeTakeFirst()
  const wasKilled = isSeeding(folder, database)
  if (some && !wasKilled) {
    if (!findDemo(demoFile))
      throw new CommandError(
        `The database has places, but ${demoFile} is missing: it is not the demo's, and nothing was written. Name an empty database, or put the file back.`,
      )
    log('  The demo places are there.')
    return null
  }
  if (some) log('  The last start was killed while it wrote the demo: this one goes on.')
  markSeeding(folder, database)
  await seedBoundaries(ctx, log)
  const isMissing = missingIn(ctx)
  for (const data of dataTypes)
    if (await isMissing('dataType', data.id))
      await call(v1.dataType.create, ctx, { data: { ...data, ownerPlaceId: null } })
  for (const place of places) await seedPlace(ctx, place, log)
  for (const data of insights) {
    if (await isMissing('insight', data.id))
      await call(v1.insight.create, ctx, { data: { visibility: 'public', notes: '', ...data } })
  }
  for (const page of pages) await seedPage(ctx, page)
  for (const { insightIds, text, placeId, ...data } of collections) {
    if (await isMissing('collection', data.id))
      await call(v1.place.collection.create, ctx, {
        params: { placeId },
        data: { ...data, visibility: 'public' },
      })
    const params = { placeId, collectionId: data.id }
    if (text && (await isMissing('collectionText', text.id)))
      await call(v1.place.collection.text.create, ctx, { params, data: text })
    for (const insightId of insightIds)
      await call(v1.place.collection.insight.updateById, ctx, { params: { ...params, insightId }, data: {} })
  }
  log(`  ${insights.length} insights, ${pages.length} pages, ${collections.length} collections`)
  for (const translation of translations) await seedTranslation(ctx, translation)
  const demoPlaces = places.map(({ id, domain, isHub }) => {
    const hosts = placeHostnames({ id, domains: domain ? [domain] : [] }, ctx.settings)
    return { id, host: domain ?? hosts[0] ?? '', hosts, isHub }
  })
  // The passwords are not stored elsewhere, so the file is written before the accounts are committed.
  await seedAccounts(ctx, log, (accounts) => writeDemo(demoFile, { accounts, places: demoPlaces }))
  const demo = readDemo(demoFile)
  await seedWork(ctx, demo, log)
  endSeeding(folder)
  return demo
}

/** Returns whether a row is missing; a killed start may have created it. */
const missingIn =
  (ctx: Context) =>
  async (table: 'dataType' | 'place' | 'source' | 'insight' | 'collection' | 'collectionText', id: string) =>
    !(await ctx.db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst())

async function seedPlace(ctx: Context, { sources, domain, ...data }: SeedPlace, log: Log) {
  if (await missingIn(ctx)('place', data.id)) await call(v1.place.create, ctx, { data })
  if (domain) {
    await ctx.db
      .insertInto('placeDomain')
      .values({
        host: domain,
        placeId: data.id,
        token: randomBytes(16).toString('hex'),
        verifiedAt: ctx.now(),
      })
      .onConflict((clash) => clash.doNothing())
      .execute()
  }
  for (const source of sources) await seedSource(ctx, data.id, source, log)
}

async function seedSource(ctx: Context, placeId: string, { rows, ...data }: SeedSource, log: Log) {
  if (await missingIn(ctx)('source', data.id))
    await call(v1.source.create, ctx, { data: { ...data, placeId } })
  const startMs = performance.now()
  const { created, rejected } = await ingest(ctx, data.id, rows())
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  log(`  ${data.name}: ${created.toLocaleString('en')} records in ${seconds} s`)
  const [first] = rejected
  if (first) throw new Error(`${data.id}: record ${first.index} was refused: ${JSON.stringify(first.issues)}`)
}

async function seedPage(ctx: Context, { contents, placeId, isPublic, ...data }: SeedPage) {
  const visibility = isPublic ? 'public' : 'place'
  const { page, there: existing } = await readStoredPage(ctx, data.id)
  if (page?.publish === 'published') return
  if (!page)
    await call(v1.place.page.create, ctx, {
      params: { placeId },
      data: { ...data, visibility, publish: 'draft' },
    })
  for (const [position, content] of contents.entries()) {
    if (existing.has(position)) continue
    await call(v1.place.page.content.create, ctx, {
      params: { placeId, pageId: data.id },
      data: { ...content, position },
    })
  }
  if (!isPublic) return
  await call(v1.place.page.updateById, ctx, {
    params: { placeId, pageId: data.id },
    data: { publish: 'published' },
  })
}

/** Idempotent, so that a killed seeding can be continued. */
async function seedTranslation(ctx: Context, { position, texts, ...data }: SeedTranslation) {
  const { placeId } = data
  const part =
    position === undefined
      ? null
      : await ctx.db
          .selectFrom('content')
          .select('id')
          .where('pageId', '=', data.nounId)
          .where('position', '=', position)
          .where('deletedAt', 'is', null)
          .executeTakeFirstOrThrow()
  for (const [path, text] of Object.entries(texts))
    await call(v1.place.translation.create, ctx, {
      params: { placeId },
      data: { noun: data.noun, nounId: part?.id ?? data.nounId, language: data.language, path, text },
    })
}

/** Finds a page that a killed start may have begun, and the positions of its existing contents. */
async function readStoredPage(ctx: Context, id: string) {
  const page = await ctx.db.selectFrom('page').select('publish').where('id', '=', id).executeTakeFirst()
  const contents = await ctx.db.selectFrom('content').select('position').where('pageId', '=', id).execute()
  return { page, there: new Set(contents.map(({ position }) => position)) }
}
