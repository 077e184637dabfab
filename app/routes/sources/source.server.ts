import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { ShownJob } from '#app/components/importer/job-words.ts'
import { sortableKeys } from '#app/routes/sources/records/records-query.ts'
import { findTabRedirect, sourceTabs, type SourceTab } from './source-tabs.ts'
import { computeCompleteness } from '#functions/shapes/completeness.ts'
import { isGeometryType } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { sourceFields } from '#app/server/field-facts.server.ts'
import { loadAnswerIfVisible } from '#app/server/figures/load-answer.server.ts'
import { showInsight } from '#app/server/figures/figure.server.ts'
import { load } from '#app/server/load.server.ts'
import { publicSourceUrls } from '#app/server/public-urls.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'
import { requirePermissionIn } from '#app/server/require-permission.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { suggestedChart, type ChartSource } from '#app/server/source-chart.server.ts'
import { recordOpened } from '#app/server/recent.server.ts'
import { loadUses } from '#app/server/uses.server.ts'
import { sourceMap } from '#app/server/source-map.server.ts'
import { sourceRecords } from './records.server.ts'

/** Loads what is above each tab of a source: its name, the person's permissions, and the tabs. */
export async function sourceHead(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { source, rights, tabs, hubUrl } = await sourceAbout(args)
  const { id, name, notes, visibility, count } = source
  if (source.placeId === args.context.ctx.placeId) recordOpened(args, 'source', id)
  return { source: { id, name, notes, visibility, count }, rights, tabs, hubUrl }
}

/** Loads the records of a source, with its first figure unless the URL has parameters. */
export async function recordsScreen(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { searchParams } = new URL(args.request.url)
  const moved = findTabRedirect(args.params.sourceId ?? '', searchParams)
  if (moved) throw redirect(moved)
  const { source, schema, rights, dataType, place, sortable, primary } = await sourceAbout(args)
  const charted: ChartSource = { id: source.id, dataTypeId: source.dataTypeId, schema, primary }
  // Readers who search records or open one see these first.
  const isWhole = [...searchParams.keys()].length === 0
  const [figure, records] = await Promise.all([
    isWhole ? loadFigure(args, charted, source, rights.mayChart) : null,
    sourceRecords(args, source.id, schema),
  ])
  return { source, schema, rights, dataType, place, sortable, figure, records }
}

/** Loads the statistics of its fields. */
export async function fieldsScreen(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { source, schema } = await sourceAbout(args)
  return { count: source.count, fields: await sourceFields(args, source.id, schema) }
}

/** Loads its map; null if none of its records has a position. */
export async function mapScreen(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { source, rights } = await sourceAbout(args)
  return { count: source.count, mayChart: rights.mayChart, map: await sourceMap(args, source) }
}

/** Loads its importers, each with its last run. */
export async function importersScreen(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { source, rights } = await sourceAbout(args)
  return {
    sourceId: source.id,
    mayImport: rights.mayImport,
    importers: await listImporters(args, source.id),
  }
}

/**
 * Loads its editable properties and its keys (null for those who may not see them). Requires permission to
 * update it.
 */
export async function settingsScreen(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { source, rights, isHub } = await sourceAbout(args)
  await requirePermissionIn(args, 'source.update', source.placeId, `/sources/${source.id}`)
  const { dataType } = source
  const { list } = await load(args, {
    list: { endpoint: v1.place.source.customFields, params: { placeId: source.placeId } },
  })
  const completeness = computeCompleteness(
    source,
    dataType?.schema
      ? { category: dataType.category ?? null, schema: dataType.schema, temporal: dataType.temporal ?? null }
      : null,
    list.fields,
  )
  return {
    source,
    rights,
    isHub,
    completeness,
    uses:
      source.placeId === args.context.ctx.placeId
        ? ((await loadUses(args, 'source', [source.id]))[source.id] ?? [])
        : [],
    customFields: list.fields,
    keys: rights.maySeeKeys ? await listKeys(args, source.id) : null,
  }
}

/** Loads what all screens of a source share, with the person's permissions. */
export async function sourceAbout(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const includes = [
    { resource: 'dataType' },
    { resource: 'place', attributes: ['id', 'displayName', 'isHub'] },
  ]
  const { source } = await load(args, { source: { endpoint: v1.source.findById, options: { includes } } })
  const { dataType, place, placeId } = source
  const schema = dataType?.schema ?? {}
  const rights = {
    mayUpdate: hasPermission(ctx, 'source.update', placeId),
    mayDelete: hasPermission(ctx, 'source.delete', placeId),
    mayWipe: hasPermission(ctx, 'source.wipe', placeId),
    mayAdd: hasPermission(ctx, 'datum.create', placeId),
    mayWrite: hasPermission(ctx, 'datum.update', placeId),
    mayRemove: hasPermission(ctx, 'datum.delete', placeId),
    mayImport: hasPermission(ctx, 'importer.create', placeId),
    mayCopy: hasPermission(ctx, 'source.create') && placeId === ctx.placeId,
    maySeeKeys: hasPermission(ctx, 'sourceKey.read', placeId),
    maySeeImports: hasPermission(ctx, 'importer.read', placeId),
    mayChart: hasPermission(ctx, 'insight.create') && placeId === ctx.placeId,
  }
  const hasShape = Object.values(schema).some(({ type }) => isGeometryType(type))
  const isOffered: Record<SourceTab, boolean> = {
    records: true,
    map: hasShape,
    fields: true,
    importers: rights.maySeeImports,
    export: true,
    settings: rights.mayUpdate,
  }
  const urls = await publicSourceUrls(args, place?.isHub && source.visibility === 'public' ? [source] : [])
  return {
    source,
    schema,
    rights,
    place: place?.displayName ?? placeId,
    isHub: place?.isHub ?? false,
    dataType: { id: source.dataTypeId, name: dataType?.name ?? source.dataTypeId },
    primary: dataType?.temporal?.primary ?? null,
    sortable: sortableKeys(schema),
    hubUrl: urls.get(source.id) ?? null,
    tabs: sourceTabs.filter((tab) => isOffered[tab]),
  }
}

/**
 * Loads the insights that use the source and draws the first; without any, a suggested chart if this person
 * may create it.
 */
async function loadFigure(
  args: LoaderFunctionArgs,
  charted: ChartSource,
  { placeId, count }: { placeId: string; count: number },
  mayChart: boolean,
) {
  const { insights } = await load(args, {
    insights: {
      endpoint: v1.insight.find,
      options: { filters: { placeId, sourceId: charted.id }, limit: 6 },
    },
  })
  const [first] = insights.results
  const insight = first ? await loadInsightView(args, first) : null
  const suggestion = !first && mayChart && count > 0 ? await suggestedChart(args, charted) : null
  return { insights: insights.results.map(({ id, name }) => ({ id, name })), insight, suggestion }
}

/** Draws an insight; null if it belongs to another organization. */
async function loadInsightView(args: LoaderFunctionArgs, insight: { id: string; placeId: string }) {
  const { ctx } = args.context
  if (insight.placeId !== ctx.placeId) return null
  const answered = await loadAnswerIfVisible(args, insight.id)
  return answered && showInsight(ctx, answered, await loadReaderSettings(args))
}

/** Loads the API keys that write records of the source. */
async function listKeys(args: LoaderFunctionArgs, sourceId: string) {
  const options = { limit: 200 }
  const { keys } = await load(args, { keys: { endpoint: v1.source.key.find, params: { sourceId }, options } })
  return keys.results
}

async function listImporters(args: LoaderFunctionArgs, sourceId: string) {
  const { importers } = await load(args, {
    importers: {
      endpoint: v1.source.importer.find,
      params: { sourceId },
      options: { includes: 'lastJob', orderings: [{ value: { field: 'name' } }], limit: 200 },
    },
  })
  return importers.results.map((importer) => {
    const { id, name, enabled, schedule, nextRunAt, failures, lastJob = null } = importer
    // Included without `attributes`, so it is complete.
    return { id, name, enabled, schedule, nextRunAt, failures, lastJob: lastJob as ShownJob | null }
  })
}
