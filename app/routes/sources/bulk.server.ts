import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { requireMay } from '#app/server/require-may.server.ts'
import { jsonOf } from '#app/server/source-create.server.ts'
import type { CustomField, CustomValues } from '#functions/shapes/customField.ts'
import { customName } from './custom-form.ts'
import { v1 } from '#functions/v1/index.ts'

/** The most sources that are changed at once. */
const most = 100

/** What may be said of many sources at once. What is left empty stays with each as it is. */
export const bulkFields = ['licence', 'cadence', 'topic', 'contact'] as const
export type BulkField = (typeof bulkFields)[number]

interface EditedSource extends Record<BulkField | 'licenceUrl', string | null> {
  id: string
  name: string
  version: number
  customFields: CustomValues
}

/** How a value changes. `field`: one that every source has, or `customFields.` and the key of one that the organization has made. */
interface PlannedRow {
  field: string
  now: string | null
  then: string
  /** It can be changed again, and not be taken back to nothing: its organization requires it. */
  isKept?: true
}

/** What becomes of one source: which fields change, and what brings it back. */
export interface PlannedChange {
  id: string
  name: string
  version: number
  rows: PlannedRow[]
  data: Record<string, unknown>
  before: Record<string, unknown>
}

/** What the values of an address make of the sources it names: those that have all of it already are left out. */
export function plannedIn(
  search: URLSearchParams,
  sources: readonly EditedSource[],
  customFields: readonly CustomField[],
): PlannedChange[] {
  const ids = new Set(search.getAll('id'))
  const wanted = bulkFields.flatMap((field) => {
    const then = search.get(field)?.trim()
    return then ? [{ field, then }] : []
  })
  return sources
    .filter(({ id }) => ids.has(id))
    .map((source) => {
      const rows = wanted
        .map(({ field, then }) => ({ field, now: source[field], then }))
        .filter(({ now, then }) => now !== then)
      const own = ownRowsIn(search, source, customFields)
      const hasLicence = rows.some(({ field }) => field === 'licence')
      return {
        ...{
          id: source.id,
          name: source.name,
          version: source.version,
          rows: [...rows, ...own.map(({ key: _key, ...row }) => row)],
        },
        // Those on the list have an address of their own: another's does not belong to it.
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

/** How the values of a source in the fields of its organization change. */
function ownRowsIn(
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

const byName = [{ value: { field: 'name' }, direction: 'asc' }]

async function listed(args: LoaderFunctionArgs | ActionFunctionArgs) {
  return load(args, {
    sources: { endpoint: v1.place.source.find, options: { orderings: byName, limit: most } },
    own: v1.place.source.customFields,
  })
}

/** The sources of the place to choose from, and what the values of the address would make of those chosen. */
export async function bulkScreen(args: LoaderFunctionArgs) {
  await requireMay(args, 'source.update', '/sources')
  const { searchParams } = new URL(args.request.url)
  const { sources, own } = await listed(args)
  const names = [...bulkFields, ...own.fields.map(({ key }) => customName(key))]
  return {
    sources: sources.results.map(({ id, name }) => ({ id, name })),
    more: sources.meta.total - sources.results.length,
    chosen: searchParams.getAll('id'),
    customFields: own.fields,
    values: Object.fromEntries(names.map((field) => [field, searchParams.get(field) ?? ''])),
    planned: plannedIn(searchParams, sources.results, own.fields),
    isAsked: names.some((field) => searchParams.get(field)?.trim()),
  }
}

interface Step {
  id: string
  version: number
  data: Record<string, unknown>
}

/** Changes what was previewed, or takes it back; each source under the version that was shown, so that nobody's change in between is lost. */
export async function changeMany(args: ActionFunctionArgs) {
  const endpoint = v1.place.source.updateById
  const { sources, own } = await listed(args)
  const planned = plannedIn(new URL(args.request.url).searchParams, sources.results, own.fields)
  const each = (steps: readonly Step[]) =>
    steps.map(({ id, version, data }) => ({ params: { sourceId: id }, data: { ...data, version } }))
  const outcome = await actKeeping(args, ({ shown = '', steps = '' }) => ({
    apply: {
      endpoint,
      each: each(planned.map((change) => ({ ...change, version: versionsIn(shown)[change.id] ?? 0 }))),
    },
    undo: { endpoint, each: each(stepsIn(steps)) },
  }))
  if (!outcome.ok || outcome.intent !== 'apply') return { ...outcome, undo: null }
  const versions = new Map(outcome.result.map(({ id, version }) => [id, version]))
  const undo = planned.map(({ id, before }) => ({ id, version: versions.get(id) ?? 0, data: before }))
  return { ...outcome, result: outcome.result.length, undo: JSON.stringify(undo) }
}

function versionsIn(text: string): Record<string, number> {
  const value: unknown = jsonOf(text)
  return value !== null && typeof value === 'object' ? (value as Record<string, number>) : {}
}

/** What a form says is to be taken back; what it says is checked like any change, by the endpoint. */
function stepsIn(text: string): Step[] {
  const value: unknown = jsonOf(text)
  return Array.isArray(value) ? value.filter(isStep).slice(0, most) : []
}

function isStep(value: unknown): value is Step {
  if (value === null || typeof value !== 'object') return false
  const { id, data } = value as Partial<Step>
  return typeof id === 'string' && data !== null && typeof data === 'object'
}
