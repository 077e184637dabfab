import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { keyIn } from '#app/components/form/key-form.ts'
import { recordHref } from './records/records-query.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { SourceChanges } from '#functions/shapes/source.ts'
import { customValuesIn } from './custom-form.ts'
import { metadataIn } from './metadata-form.ts'
import { v1 } from '#functions/v1/index.ts'
import { handleFormKeepingValues, textOrNull, versionIn } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { parseJsonObject } from '#app/server/source-create.server.ts'

/** The actions of a source's settings. */
export function changeSource(args: ActionFunctionArgs) {
  const endpoint = v1.source.updateById
  const nothing = () => undefined
  return handleFormKeepingValues(args, ({ id = '' }) => ({
    save: {
      endpoint,
      // Every setting: one that is missing here would be lost, so the compiler asks for it.
      data: (form): Record<keyof SourceChanges, unknown> => ({
        name: form.get('name'),
        notes: form.get('notes'),
        visibility: form.get('visibility'),
        attribution: textOrNull(form, 'attribution'),
        attributionUrl: textOrNull(form, 'attributionUrl'),
        ...metadataIn(form),
        customFields: customValuesIn(form),
        version: versionIn(form),
      }),
    },
    publish: { endpoint, data: (form) => ({ visibility: 'public', version: versionIn(form) }) },
    unpublish: { endpoint, data: (form) => ({ visibility: 'place', version: versionIn(form) }) },
    wipe: { endpoint: v1.source.wipe, data: nothing },
    delete: { endpoint: v1.source.deleteById, data: nothing, then: () => '/sources?deleted=true' },
    makeKey: { endpoint: v1.source.key.create, data: keyIn },
    revokeKey: { endpoint: v1.source.key.deleteById, params: { keyId: id }, data: nothing },
  }))
}

/** The actions on the record in the URL, or on a new one. */
export async function changeRecords(args: ActionFunctionArgs) {
  const { sourceId = '' } = args.params
  const { search, searchParams } = new URL(args.request.url)
  const params = { datumId: searchParams.get('record') ?? '' }
  const { datum } = v1.source
  const then = () => `/sources/${sourceId}${recordHref(search, null)}`
  const schema = await schemaFor(args, sourceId)
  const record = (form: FormData) => parseJsonObject(String(form.get('record') ?? '{}'))
  return handleFormKeepingValues(args, {
    // A cleared input must remove the value: null does so.
    saveRecord: {
      ...{ endpoint: datum.updateById, params, then },
      data: (form) => ({
        ...Object.fromEntries(Object.keys(schema).map((key) => [key, null])),
        ...record(form),
      }),
    },
    addRecord: { endpoint: datum.create, data: record, then },
    deleteRecord: { endpoint: datum.deleteById, params, data: () => undefined, then },
  })
}

/** The fields of the source, needed only for changed records. */
async function schemaFor(args: ActionFunctionArgs, sourceId: string): Promise<FieldSchema> {
  const form = await args.request.clone().formData()
  if (form.get('intent') !== 'saveRecord') return {}
  const { source } = await load(args, {
    source: {
      endpoint: v1.source.findById,
      params: { sourceId },
      options: { includes: [{ resource: 'dataType' }] },
    },
  })
  return source.dataType?.schema ?? {}
}
