import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { isObject } from '#app/components/builder/json.ts'
import type { BuilderField } from '#app/components/builder/values.ts'
import type { UnreadCounts } from '#app/components/observer/unread-alerts.tsx'
import type { WatchNow } from '#app/components/observer/watch-preview.tsx'
import { conditionIn } from '#app/components/observer/words.ts'
import { call } from '#functions/api/call.ts'
import { asFailure } from '#functions/errors.ts'
import { describeErrorBriefly } from './failure-words.server.ts'
import { v1 } from '#functions/v1/index.ts'
import { loadQueryLanguage } from './builder.server.ts'
import { textOrNull } from './form-values.server.ts'
import { load, toErrorResponse } from './load.server.ts'
import { requirePermission } from './require-permission.server.ts'
import { hasPermission } from './session.server.ts'
import { typeRights, typeWithSources } from './type-screen.server.ts'

/** The person's unread alerts in the place, by observer; null without permission to see observers. */
export async function countUnreadAlerts(args: LoaderFunctionArgs): Promise<UnreadCounts | null> {
  if (!args.context.ctx.placeId || !hasPermission(args.context.ctx, 'observer.read')) return null
  const { unread } = await load(args, { unread: v1.place.observer.unread })
  const ids = Object.keys(unread.byObserver)
  if (!ids.length) return { total: 0, observers: [] }
  const { found: page } = await load(args, {
    found: {
      endpoint: v1.place.observer.find,
      options: { filters: { id: { $in: ids.slice(0, 100) } }, limit: 100 },
    },
  })
  const observers = page.results.map(({ id, dataTypeId, name }) => ({
    ...{ id, dataTypeId, name },
    count: unread.byObserver[id] ?? 0,
  }))
  return { total: unread.total, observers }
}

/** The names for the description of an observer: fields of its data type, functions of the language. */
export async function observerNames(args: LoaderFunctionArgs, dataTypeId: string) {
  const { functions, fields } = await loadQueryLanguage(args, dataTypeId)
  return {
    functions: Object.fromEntries(Object.entries(functions).map(([key, { name }]) => [key, { name }])),
    fields: fields.map(({ field, name }: BuilderField) => ({ field, name })),
  }
}

/** The data for the form of an observer, with only those sources that everyone in the place may see. */
export async function observerForm(args: LoaderFunctionArgs) {
  const { dataTypeId = '', observerId } = args.params
  const { placeId } =
    observerId === undefined
      ? await requirePermission(args, 'observer.create', `/types/${dataTypeId}/observers`)
      : await requirePermission(args, 'observer.update', `/types/${dataTypeId}/observers/${observerId}`)
  const [{ dataType, sources }, language, { people, place }] = await Promise.all([
    typeWithSources(args),
    loadQueryLanguage(args, dataTypeId),
    load(args, {
      people: { endpoint: v1.place.user.find, options: { limit: 200 } },
      place: v1.place.findById,
    }),
  ])
  return {
    dataType: { id: dataType.id, name: dataType.name },
    rights: typeRights(args, dataType),
    data: {
      placeId,
      dataTypeId,
      sources: sources
        .filter(({ visibility }) => visibility !== 'private')
        .map(({ id, name }) => ({ id, name })),
    },
    language,
    people: people.results
      .filter(({ role }) => role !== null)
      .map(({ id, name, email = '' }) => ({ id, name, email })),
    timeZone: place.timeZone,
  }
}

/** Reads an observer from a form. Texts that are not JSON are passed on as they are, for the endpoint to reject. */
export function observerIn(form: FormData) {
  return {
    name: form.get('name'),
    notes: form.get('notes') ?? '',
    sourceId: textOrNull(form, 'sourceId'),
    filters: jsonIn(form, 'filters'),
    condition: jsonIn(form, 'condition'),
    schedule: form.get('schedule') || 'onData',
    cooldown: textOrNull(form, 'cooldown'),
    channels: [...(form.get('email') ? ['email'] : []), ...(form.get('webhook') ? ['webhook'] : [])],
    recipients: form.getAll('recipients'),
    webhookUrl: textOrNull(form, 'webhookUrl'),
    enabled: form.get('enabled') === 'yes',
  }
}

function jsonIn(form: FormData, name: string): unknown {
  const text = textOrNull(form, name)
  if (text === null) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** What the observer in a form would measure now; null for other intents. */
export async function watchedNow(args: ActionFunctionArgs): Promise<WatchNow | null> {
  const form = await args.request.clone().formData()
  if (form.get('intent') !== 'preview') return null
  const { placeId } = await requirePermission(args, 'observer.update')
  const { sourceId, filters, condition } = observerIn(form)
  if (!isObject(condition)) return { ok: false, message: 'The condition is not an object of JSON.' }
  const { operator, value: threshold } = conditionIn(condition)
  const aggregation = operator === 'each' ? { function: 'count' } : condition.aggregation
  const query = {
    aggregations: [{ alias: 'value', value: aggregation }],
    ...(filters === null ? {} : { filters }),
  }
  try {
    const data = { dataTypeId: args.params.dataTypeId ?? '', sourceId, query }
    const { results } = await call(v1.place.insight.test, args.context.ctx, { params: { placeId }, data })
    const value = results[0]?.value ?? null
    return { ok: true, value, holds: holdsNow(operator, value, threshold) }
  } catch (error) {
    const failure = asFailure(error)
    if (failure.kind !== 'invalid' && failure.kind !== 'unavailable') throw toErrorResponse(error, args)
    return { ok: false, message: describeErrorBriefly(failure) }
  }
}

/** Whether a condition holds now; null for conditions that do not depend on the current value alone. */
function holdsNow(operator: string, value: unknown, threshold: unknown): boolean | null {
  if (operator === 'each' || operator === 'change') return null
  if (typeof value !== 'number' || typeof threshold !== 'number') return false
  if (operator === 'gt') return value > threshold
  if (operator === 'gte') return value >= threshold
  if (operator === 'lt') return value < threshold
  if (operator === 'lte') return value <= threshold
  return value === threshold
}
