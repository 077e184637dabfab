import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load } from '#app/server/load.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { parseJsonObject } from '#app/server/source-create.server.ts'
import type { CustomField, CustomValues } from '#functions/shapes/custom-field.ts'
import { bulkOffer, maxChanged } from './bulk-offer.ts'
import { customName } from './custom-form.ts'
import { v1 } from '#functions/v1/index.ts'

/** The members that can be set for many sources. Empty inputs leave each source unchanged. */
export const bulkFields = ['licence', 'cadence', 'topic', 'contact'] as const
export type BulkField = (typeof bulkFields)[number]

interface EditedSource extends Record<BulkField | 'licenceUrl', string | null> {
  id: string
  name: string
  version: number
  customFields: CustomValues
}

/** A changed value. `field`: a built-in one, or `customFields.` and the key of a custom one. */
interface PlannedRow {
  field: string
  now: string | null
  then: string
  /** It can be changed, but not removed again, as it is required. */
  isKept?: true
}

/** The changes of one source, and how to revert them. */
export interface PlannedChange {
  id: string
  name: string
  version: number
  rows: PlannedRow[]
  data: Record<string, unknown>
  before: Record<string, unknown>
}

/** The effect of the URL's values on its sources: those that have all of them already are left out. */
export function planBulkChanges(
  search: URLSearchParams,
  sources: readonly EditedSource[],
  customFields: readonly CustomField[],
): PlannedChange[] {
  const ids = new Set(search.getAll('id'))
  const wantedChanges = bulkFields.flatMap((field) => {
    const then = search.get(field)?.trim()
    return then ? [{ field, then }] : []
  })
  return sources
    .filter(({ id }) => ids.has(id))
    .map((source) => {
      const rows = wantedChanges
        .map(({ field, then }) => ({ field, now: source[field], then }))
        .filter(({ now, then }) => now !== then)
      const own = planCustomFieldChanges(search, source, customFields)
      const hasLicence = rows.some(({ field }) => field === 'licence')
      return {
        ...{
          id: source.id,
          name: source.name,
          version: source.version,
          rows: [...rows, ...own.map(({ key: _key, ...row }) => row)],
        },
        // Listed licences have their own URL, so the previous one must not be kept.
        data: {
          ...Object.fromEntries(rows.map(({ field, then }) => [field, then])),
          ...(hasLicence && { licenceUrl: null }),
          ...(own.length > 0 && {
            customFields: Object.fromEntries(own.map(({ key, then }) => [key, then])),
          }),
        },
        before: {
          ...Object.fromEntries(rows.map(({ field, now }) => [field, now])),
          ...(hasLicence && { licenceUrl: source.licenceUrl }),
          ...(own.length > 0 && {
            customFields: Object.fromEntries(
              own.flatMap(({ key, now, isKept }) => (isKept ? [] : [[key, now]])),
            ),
          }),
        },
      }
    })
    .filter(({ rows }) => rows.length > 0)
}

/** The changes of a source's custom field values. */
function planCustomFieldChanges(
  search: URLSearchParams,
  source: EditedSource,
  customFields: readonly CustomField[],
): (PlannedRow & { key: string })[] {
  return customFields.flatMap(({ key, required }) => {
    const field = customName(key)
    const then = search.get(field)?.trim()
    const value = source.customFields[key]
    const now = value === undefined ? null : String(value)
    if (!then || now === then) return []
    return [{ key, field, now, then, ...(required && now === null && { isKept: true as const }) }]
  })
}

/** The sources that the URL names, by name, wherever they stand in the list; and the custom fields of the place. */
async function loadSelectedSources(args: LoaderFunctionArgs | ActionFunctionArgs, ids: readonly string[]) {
  const { own } = await load(args, { own: v1.place.source.customFields })
  if (ids.length === 0) return { chosen: [], customFields: own.fields }
  const { sources } = await load(args, {
    sources: {
      endpoint: v1.place.source.find,
      options: {
        filters: { id: { $in: ids } },
        orderings: [{ value: { field: 'name' }, direction: 'asc' }],
        limit: maxChanged,
      },
    },
  })
  return { chosen: sources.results, customFields: own.fields }
}

/** The ids of the chosen sources in the URL, each once; no more than can be changed at once. */
const idsIn = ({ searchParams }: URL) => [...new Set(searchParams.getAll('id'))].slice(0, maxChanged)

/**
 * A page of the place's sources to choose from, always with those that the URL names, and the preview of the URL's values for the
 * named ones. `missing`: how many named sources are not there. `isCut`: more are named than can be changed at once.
 */
export async function bulkScreen(args: LoaderFunctionArgs) {
  await requirePermission(args, 'source.update', '/sources')
  const url = new URL(args.request.url)
  const { searchParams } = url
  const ids = idsIn(url)
  const { query, options } = await listRequest(args, bulkOffer)
  const [{ chosen: chosenSources, customFields }, { sources }] = await Promise.all([
    loadSelectedSources(args, ids),
    load(args, { sources: { endpoint: v1.place.source.find, options } }),
  ])
  const names = [...bulkFields, ...customFields.map(({ key }) => customName(key))]
  return {
    list: { query, total: sources.meta.total },
    visibleCount: sources.results.length,
    chosen: chosenSources.map(pickIdAndName),
    others: sources.results.filter(({ id }) => !ids.includes(id)).map(pickIdAndName),
    missing: ids.length - chosenSources.length,
    isCut: new Set(searchParams.getAll('id')).size > maxChanged,
    customFields,
    values: Object.fromEntries(names.map((field) => [field, searchParams.get(field) ?? ''])),
    plannedChanges: planBulkChanges(searchParams, chosenSources, customFields),
    hasCriteria: names.some((field) => searchParams.get(field)?.trim()),
  }
}

const pickIdAndName = ({ id, name }: EditedSource) => ({ id, name })

interface Step {
  id: string
  version: number
  data: Record<string, unknown>
}

/** Applies or reverts the previewed changes, each source with the previewed version, so that no concurrent change is lost. */
export async function runBulkEdit(args: ActionFunctionArgs) {
  const endpoint = v1.place.source.updateById
  const url = new URL(args.request.url)
  const { chosen: chosenSources, customFields } = await loadSelectedSources(args, idsIn(url))
  const plannedChanges = planBulkChanges(url.searchParams, chosenSources, customFields)
  const toRequests = (steps: readonly Step[]) =>
    steps.map(({ id, version, data }) => ({ params: { sourceId: id }, data: { ...data, version } }))
  const outcome = await handleFormKeepingValues(args, ({ shown: versionsJson = '', steps = '' }) => ({
    apply: {
      endpoint,
      each: toRequests(
        plannedChanges.map((change) => ({ ...change, version: versionsIn(versionsJson)[change.id] ?? 0 })),
      ),
    },
    undo: { endpoint, each: toRequests(stepsIn(steps)) },
  }))
  if (!outcome.ok || outcome.intent !== 'apply') return { ...outcome, undo: null }
  const versions = new Map(outcome.result.map(({ id, version }) => [id, version]))
  const undo = plannedChanges.map(({ id, before }) => ({ id, version: versions.get(id) ?? 0, data: before }))
  return { ...outcome, result: outcome.result.length, undo: JSON.stringify(undo) }
}

function versionsIn(text: string): Record<string, number> {
  const value: unknown = parseJsonObject(text)
  return value !== null && typeof value === 'object' ? (value as Record<string, number>) : {}
}

/** Parses the changes to revert from a form; the endpoint validates them like any change. */
function stepsIn(text: string): Step[] {
  const value: unknown = parseJsonObject(text)
  return Array.isArray(value) ? value.filter(isStep).slice(0, maxChanged) : []
}

function isStep(value: unknown): value is Step {
  if (value === null || typeof value !== 'object') return false
  const { id, data } = value as Partial<Step>
  return typeof id === 'string' && data !== null && typeof data === 'object'
}
