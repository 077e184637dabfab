import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Findable, SearchFile, SearchRows } from '#functions/edge/search/index.ts'
import { slots } from '#functions/edge/search/search-page.ts'
import { v1 } from '#functions/v1/index.ts'
import { publicSources, sourcesOf } from '#app/server/hub-frame.server.ts'
import { load } from '#app/server/load.server.ts'
import { readingOf } from '#app/server/reading.server.ts'

/** More of a noun is not put into an index: it is to stay one file. */
const mostOfEach = 10_000

/**
 * The page of results with its slots, and beside it the index that a search is answered from, and the rows that the
 * lists of `/v1` answer a search with. Of the index there is one for all languages.
 */
export async function hubSearch(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const [{ locale }, { place }, dataTypes, sources, pages] = await Promise.all([
    readingOf(args),
    load(args, { place: v1.place.findById }),
    all(async (cut) => {
      const options = { ...publicSources(placeId), ...cut }
      return (await load(args, { list: { endpoint: v1.place.dataType.find, options } })).list
    }),
    all(async (cut) => {
      const includes = [{ resource: 'dataType', attributes: ['id', 'name', 'category'] }]
      const options = { maxVisibility: 'public', includes, ...cut }
      return (await load(args, { list: { endpoint: v1.place.source.find, options } })).list
    }),
    all(async (cut) => {
      const filters = { publish: 'published', type: ['blank', 'storytelling'] }
      const options = { visibility: 'public', filters, ...cut }
      return (await load(args, { list: { endpoint: v1.place.page.find, options } })).list
    }),
  ])
  const names = new Map(dataTypes.map(({ id, name }) => [id, name]))
  const entries: Findable[] = [
    ...dataTypes.map((dataType): Findable => {
      const { id, name, category } = dataType
      const [first] = sourcesOf(dataType)
      const href = first ? `/domains/${id}/source/${first.id}` : '/domains'
      return { kind: 'domain', title: name, href, note: category ?? '', domain: id }
    }),
    ...sources.map(({ id, name, dataTypeId }): Findable => {
      const href = `/domains/${dataTypeId}/source/${id}`
      return { kind: 'indicator', title: name, href, note: names.get(dataTypeId) ?? '', domain: dataTypeId }
    }),
    ...pages.map(({ id, type, title, description }): Findable => {
      return { kind: 'story', title, href: `/pages/${type}/${id}/preview`, note: description, domain: null }
    }),
    ...(place.boundaryId === null
      ? []
      : [{ kind: 'map' as const, title: place.displayName, href: '/map', note: '', domain: null }]),
  ]
  const byId = (rows: { id: string }[]) =>
    Object.fromEntries(rows.map((row) => [row.id, JSON.stringify(row)]))
  const rows: SearchRows = { dataTypes: byId(dataTypes), sources: byId(sources), pages: byId(pages) }
  const file: SearchFile = {
    domains: Object.fromEntries(names),
    entries,
    rows: await ctx.attach('application/json', JSON.stringify(rows)),
  }
  return { slots, locale, index: await ctx.attach('application/json', JSON.stringify(file)) }
}

interface Cut {
  limit: string
  next?: string
}

/** All rows of a list, page by page. */
async function all<Row>(
  ask: (cut: Cut) => Promise<{ results: Row[]; meta: { next?: string | undefined } }>,
): Promise<Row[]> {
  const rows: Row[] = []
  let next: string | undefined
  do {
    const page = await ask({ limit: '1000', ...(next === undefined ? {} : { next }) })
    rows.push(...page.results)
    next = page.meta.next
  } while (next !== undefined && rows.length < mostOfEach)
  return rows
}
