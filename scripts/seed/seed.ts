import { randomBytes } from 'node:crypto'
import { seedRoles } from '#functions/access/seed.ts'
import { call } from '#functions/api/call.ts'
import type { Context } from '#functions/context.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { placeHostnames } from '#functions/site/urls.ts'
import { v1 } from '#functions/v1/index.ts'
import { seedAccounts } from './accounts.ts'
import { seedBoundaries } from './boundaries.ts'
import { dataTypes } from './data-types.ts'
import { findDemo, writeDemo, type Demo } from './demo.ts'
import { insights } from './insights.ts'
import { collections, pages, type SeedPage } from './pages.ts'
import { places, type SeedPlace, type SeedSource } from './places.ts'

type Log = (line: string) => void

/**
 * Fills an empty database with the demo: through the same endpoints and the same ingestion as everyone, so what
 * they refuse cannot get in. Does nothing when there are places already; gives what was made, or null then.
 */
export async function seed(ctx: Context, demoFile: string, log: Log): Promise<Demo | null> {
  // Also where the demo is already: a newer product has operations that older roles must be given.
  await ctx.transaction((tx) => seedRoles(tx))
  const some = await ctx.db.selectFrom('place').select('id').limit(1).executeTakeFirst()
  if (some && findDemo(demoFile)) {
    log('  The demo places are there.')
    return null
  }
  if (some)
    throw new Error(
      `The database has places, but ${demoFile} is missing: it is not the demo's. Nothing was written.`,
    )
  await seedBoundaries(ctx, log)
  for (const data of dataTypes) await call(v1.dataType.create, ctx, { data: { ...data, ownerPlaceId: null } })
  for (const place of places) await seedPlace(ctx, place, log)
  for (const data of insights) {
    await call(v1.insight.create, ctx, { data: { visibility: 'public', notes: '', ...data } })
  }
  for (const page of pages) await seedPage(ctx, page)
  for (const { insightIds, text, placeId, ...data } of collections) {
    await call(v1.place.collection.create, ctx, {
      params: { placeId },
      data: { ...data, visibility: 'public' },
    })
    const params = { placeId, collectionId: data.id }
    if (text) await call(v1.place.collection.text.create, ctx, { params, data: text })
    for (const insightId of insightIds)
      await call(v1.place.collection.insight.updateById, ctx, { params: { ...params, insightId }, data: {} })
  }
  log(`  ${insights.length} insights, ${pages.length} pages, ${collections.length} collections`)
  const demo: Demo = {
    accounts: await seedAccounts(ctx, log),
    places: places.map(({ id, domain, isHub }) => {
      const hosts = placeHostnames({ id, domains: domain ? [domain] : [] }, ctx.settings)
      return { id, host: domain ?? hosts[0] ?? '', hosts, isHub }
    }),
  }
  writeDemo(demoFile, demo)
  return demo
}

async function seedPlace(ctx: Context, { sources, domain, ...data }: SeedPlace, log: Log) {
  await call(v1.place.create, ctx, { data })
  if (domain) {
    await ctx.db
      .insertInto('placeDomain')
      .values({
        host: domain,
        placeId: data.id,
        token: randomBytes(16).toString('hex'),
        verifiedAt: ctx.now(),
      })
      .execute()
  }
  for (const source of sources) await seedSource(ctx, data.id, source, log)
}

async function seedSource(ctx: Context, placeId: string, { rows, ...data }: SeedSource, log: Log) {
  await call(v1.source.create, ctx, { data: { ...data, placeId } })
  const began = performance.now()
  const { created, rejected } = await ingest(ctx, data.id, rows())
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  log(`  ${data.name}: ${created.toLocaleString('en')} records in ${seconds} s`)
  const [first] = rejected
  if (first) throw new Error(`${data.id}: record ${first.index} was refused: ${JSON.stringify(first.issues)}`)
}

async function seedPage(ctx: Context, { contents, placeId, isPublic, ...data }: SeedPage) {
  const visibility = isPublic ? 'public' : 'place'
  await call(v1.place.page.create, ctx, {
    params: { placeId },
    data: { ...data, visibility, publish: 'draft' },
  })
  for (const [position, content] of contents.entries()) {
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
