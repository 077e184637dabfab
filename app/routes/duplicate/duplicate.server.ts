import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { handleFormKeepingValues, type RefusalWithValues } from '#app/server/form-values.server.ts'
import { load, toErrorResponse } from '#app/server/load.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { call, type CallInput } from '#functions/api/call.ts'
import type { Endpoint } from '#functions/api/endpoint.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { toReadableFailure } from '#app/server/failure-words.server.ts'
import { Failure } from '#functions/errors.ts'
import { NewCollection } from '#functions/shapes/collection.ts'
import { NewImporter } from '#functions/shapes/importer.ts'
import { NewInsight } from '#functions/shapes/insight.ts'
import { NewPage } from '#functions/shapes/page.ts'
import { NewSource } from '#functions/shapes/source.ts'
import { v1 } from '#functions/v1/index.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** What is copied of a thing: the body of the new one, and its contents. */
interface Original {
  name: string
  data: object
  parts?: (id: string) => ({ endpoint: Endpoint } & CallInput)[]
}

interface CopyRules {
  allow: OperationName
  /** A sentence about what is copied and what is not. */
  says: string
  /** The member with its name. */
  nameKey: 'name' | 'title'
  read(args: Args, id: string): Promise<Original>
  create: Endpoint
  params?: Record<string, string>
  remove: Endpoint
  param: string
  to(id: string): string
  list: string
}

/** The members of a row that a new one may have, so that new members of a schema are copied automatically. */
function buildCopyBody(row: object, shape: { entries: object }, changes: object): object {
  const allowedKeys = new Set(Object.keys(shape.entries))
  const entries = Object.entries(row).filter(
    ([key]) => allowedKeys.has(key) && key !== 'id' && key !== 'placeId',
  )
  return { ...Object.fromEntries(entries), ...changes }
}
const closed = { visibility: 'private' as const }
const all = { limit: 1000 }

const { collection, page } = v1.place

const insight: CopyRules = {
  ...{ allow: 'insight.create', nameKey: 'name', create: v1.insight.create, remove: v1.insight.deleteById },
  ...{ param: 'insightId', to: (id) => `/insights/${id}/modify`, list: '/collections/inventory' },
  says: 'The copy asks the same and is drawn alike. It is private, and in no collection and on no page.',
  async read(args, id) {
    const params = { insightId: id }
    const { row } = await load(args, { row: { endpoint: v1.place.insight.findById, params } })
    return { name: row.name, data: buildCopyBody(row, NewInsight, { ...closed, placeId: row.placeId }) }
  },
}

const collectionRules: CopyRules = {
  ...{ allow: 'collection.create', nameKey: 'name', create: collection.create, param: 'collectionId' },
  ...{ remove: collection.deleteById, to: (id) => `/collections/${id}`, list: '/collections' },
  says: 'The copy is private, and has the same insights and texts in the same order. The insights themselves are not copied.',
  async read(args, id) {
    const params = { collectionId: id }
    const { row, insights, texts } = await load(args, {
      row: { endpoint: collection.findById, params },
      insights: { endpoint: collection.insight.find, params, options: all },
      texts: { endpoint: collection.text.find, params, options: all },
    })
    const parts = (collectionId: string) => [
      ...insights.results.map(({ id: insightId, position, notes }) => ({
        endpoint: collection.insight.updateById,
        params: { placeId: row.placeId, collectionId, insightId },
        data: { position, notes },
      })),
      ...texts.results.map(({ title, html, position }) => ({
        endpoint: collection.text.create,
        params: { placeId: row.placeId, collectionId },
        data: { title, html, position },
      })),
    ]
    return { name: row.name, data: buildCopyBody(row, NewCollection, closed), parts }
  },
}

const pageRules: CopyRules = {
  ...{ allow: 'page.create', nameKey: 'title', create: page.create, remove: page.deleteById },
  ...{ param: 'pageId', to: (id) => `/duplicate/pages/${id}?made`, list: '/pages' },
  says: 'The copy is a draft, and private. It has the same blocks; earlier versions stay with the original.',
  async read(args, id) {
    const params = { pageId: id }
    const { row, contents } = await load(args, {
      row: { endpoint: page.findById, params },
      contents: { endpoint: page.content.find, params, options: all },
    })
    const parts = (pageId: string) =>
      [...contents.results]
        .sort((a, b) => a.position - b.position)
        .map(({ kind, settings }) => ({
          endpoint: page.content.create,
          params: { placeId: row.placeId, pageId },
          data: { kind, settings },
        }))
    return { name: row.title, data: buildCopyBody(row, NewPage, { ...closed, publish: 'draft' }), parts }
  },
}

const sourceRules: CopyRules = {
  ...{ allow: 'source.create', nameKey: 'name', create: v1.place.source.create, param: 'sourceId' },
  ...{ remove: v1.place.source.deleteById, to: (id) => `/sources/${id}/settings`, list: '/sources' },
  says: 'The copy is private and says the same of itself. It has no records, importers or keys.',
  async read(args, id) {
    const { row } = await load(args, {
      row: { endpoint: v1.place.source.findById, params: { sourceId: id } },
    })
    return { name: row.name, data: buildCopyBody(row, NewSource, closed) }
  },
}

/** An importer of a source. Secrets are never returned, so a copy has none. */
const buildImporterRules = (sourceId: string): CopyRules => ({
  ...{ allow: 'importer.create', nameKey: 'name', create: v1.source.importer.create, params: { sourceId } },
  ...{ remove: v1.source.importer.deleteById, param: 'importerId', list: `/sources/${sourceId}/importers` },
  to: (id) => `/sources/${sourceId}/importers/${id}/modify`,
  says: 'The copy reads the same into the same source, and is switched off. Passwords and keys are not copied: give them again.',
  async read(args, importerId) {
    const params = { sourceId, importerId }
    const { row } = await load(args, { row: { endpoint: v1.source.importer.findById, params } })
    const sources = withoutSecrets(row.sources)
    return { name: row.name, data: buildCopyBody(row, NewImporter, { enabled: false, sources }) }
  },
})

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object') return value
  if ('secret' in value) return ''
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutSecrets(each)]))
}

const copyings: Record<string, CopyRules> = {
  insights: insight,
  collections: collectionRules,
  pages: pageRules,
  sources: sourceRules,
}

function getCopyRules(args: Args): { copying: CopyRules; id: string } {
  const { noun = '', id = '' } = args.params
  const sourceId = new URL(args.request.url).searchParams.get('source') ?? ''
  const copying = noun === 'importers' ? buildImporterRules(sourceId) : copyings[noun]
  if (!copying) throw toErrorResponse(new Failure('notFound'), args)
  return { copying, id }
}

/** What would be copied, and its name. A new page redirects to its editor, whose path includes the type. */
export async function duplicateScreen(args: LoaderFunctionArgs) {
  const { copying, id } = getCopyRules(args)
  await requirePermission(args, copying.allow, copying.list)
  if (new URL(args.request.url).searchParams.has('made')) {
    const { newPage } = await load(args, { newPage: { endpoint: page.findById, params: { pageId: id } } })
    throw redirect(`/pages/${newPage.type}/${newPage.id}/modify`)
  }
  const { name } = await copying.read(args, id)
  return { name, copyName: `Copy of ${name}`.slice(0, 200), says: copying.says, list: copying.list }
}

/** Creates the copy by the usual endpoints. If a part fails, everything is removed again. */
export async function duplicate(args: ActionFunctionArgs): Promise<RefusalWithValues> {
  const { copying, id } = getCopyRules(args)
  const { ctx } = args.context
  await requirePermission(args, copying.allow, copying.list)
  const { data, parts } = await copying.read(args, id)
  const outcome = await handleFormKeepingValues(args, {
    copy: {
      endpoint: copying.create,
      ...(copying.params && { params: copying.params }),
      data: (form) => ({ ...data, [copying.nameKey]: form.get('name') }),
    },
  })
  if (!outcome.ok) return outcome
  const copy = outcome.result as { id: string; placeId: string }
  try {
    for (const { endpoint, ...input } of parts?.(copy.id) ?? []) await call(endpoint, ctx, input)
  } catch (error) {
    const params = { ...copying.params, placeId: copy.placeId, [copying.param]: copy.id }
    await call(copying.remove, ctx, { params })
    const { message, status, issues } = toReadableFailure(error)
    const fullMessage = `A part of it could not be copied, so nothing was: ${message}`
    return { ok: false, intent: 'copy', message: fullMessage, status, issues, formValues: {} }
  }
  throw redirect(copying.to(copy.id), { headers: ctx.responseHeaders })
}
