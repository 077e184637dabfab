import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { formatValue } from '#functions/engine/chart/format.ts'
import { load } from '#app/server/load.server.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { csvMetadata, tableSchemaText } from '#functions/engine/catalogue/csvw.ts'
import { toOneLine, type DatasetFacts, type HubFacts } from '#functions/engine/catalogue/facts.ts'
import { atom, jsonFeed, tagUri, type Feed, type FeedEntry } from '#functions/engine/catalogue/feeds.ts'
import { v1 } from '#functions/v1/index.ts'
import type { Document } from './catalogue.server.ts'
import { dataset, hubFacts } from '#app/server/hub-facts/facts.server.ts'

/** Maximum number of records in a source's feed, the newest ones. */
const maxRecords = 50

/** A file of a source, by the last segment of its path; null for an unknown one. */
export async function sourceDocument(args: LoaderFunctionArgs): Promise<Document | null> {
  const facts = await dataset(args)
  const name = new URL(args.request.url).pathname.split('/').at(-1) ?? ''
  const self = `${facts.url}/${name}`
  switch (name) {
    case 'feed.atom':
      return { type: 'application/atom+xml; charset=utf-8', body: atom(await loadFeed(args, facts), self) }
    case 'feed.json':
      return {
        type: 'application/feed+json; charset=utf-8',
        body: jsonFeed(await loadFeed(args, facts), self),
      }
    case 'csv-metadata.json':
      return {
        type: 'application/csvm+json; charset=utf-8',
        body: csvMetadata(facts, await loadCsvColumns(args)),
      }
    case 'table-schema.json':
      return { type: 'application/json; charset=utf-8', body: tableSchemaText(await loadCsvColumns(args)) }
    default:
      return null
  }
}

/** The columns of the source's CSV. */
async function loadCsvColumns(args: LoaderFunctionArgs) {
  const { datapackage } = await load(args, { datapackage: v1.place.source['datapackage.json'] })
  return datapackage.resources.find(({ schema }) => schema !== undefined)?.schema?.fields ?? []
}

/** The feed of a source: its newest records if they have a time; else one entry for the current data version. */
async function loadFeed(args: LoaderFunctionArgs, facts: DatasetFacts): Promise<Feed> {
  const hub = await hubFacts(args)
  const [{ dataType, place }, entries] = await Promise.all([
    load(args, { dataType: v1.place.dataType.findById, place: v1.place.findById }),
    load(args, {
      data: {
        endpoint: v1.place.source.datum.find,
        options: { limit: String(maxRecords), count: 'none' },
      },
    }),
  ])
  const schema = dataType.schema
  const write = { locale: 'en', timeZone: place.timeZone }
  const records = (entries.data.results as Datum[]).map((datum) =>
    recordEntry(hub, facts, datum, schema, write),
  )
  return {
    id: tagUri(hub, 'source', facts.id),
    title: `${facts.title} · ${hub.name}`,
    description: toOneLine(facts.description),
    url: facts.url,
    language: hub.language,
    author: facts.attribution ?? hub.name,
    updatedAt: facts.updatedAt,
    entries: dataType.temporal === null ? [versionEntry(hub, facts)] : records,
  }
}

interface Datum {
  externalId: string
  createdAt: Date | string
  updatedAt: Date | string
  data: Record<string, unknown>
}

/** The entry of a record: its id includes key and time of change, so that a corrected record is new again. */
function recordEntry(
  hub: HubFacts,
  { id, url, title }: DatasetFacts,
  { externalId, data, ...datum }: Datum,
  schema: FieldSchema,
  write: { locale: string; timeZone: string },
): FeedEntry {
  const fields = Object.entries(schema).filter(
    ([key, { type }]) => data[key] !== undefined && data[key] !== null && isWritten.has(type),
  )
  const values = fields.map(([key, field]) => ({ field, text: formatValue(data[key], field, write) }))
  const name = values.find(({ field, text }) => field.type === 'text' && text !== '')?.text
  const updatedAt = new Date(datum.updatedAt).toISOString()
  return {
    id: tagUri(hub, 'source', id, 'record', externalId, updatedAt),
    title: toOneLine(name === undefined || name === externalId ? `${title}: ${externalId}` : name).slice(
      0,
      200,
    ),
    url: `${url}#data`,
    updatedAt,
    publishedAt: new Date(datum.createdAt).toISOString(),
    text: toOneLine(values.map(({ field, text }) => `${field.name}: ${text}`).join(' · ')).slice(0, 2000),
  }
}

const isWritten: ReadonlySet<string> = new Set(['text', 'number', 'boolean', 'date', 'array'])

function versionEntry(hub: HubFacts, { id, url, title, version, count, updatedAt }: DatasetFacts): FeedEntry {
  return {
    id: tagUri(hub, 'source', id, version),
    title: `${title}, version ${version}`,
    url,
    updatedAt,
    publishedAt: updatedAt,
    text: `${count.toLocaleString('en')} records.`,
  }
}
