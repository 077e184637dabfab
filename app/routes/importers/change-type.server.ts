import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { redirect } from '@remix-run/cloudflare'
import type { ShownPreview } from './diff.tsx'
import type { ShownReject } from './rejects-table.tsx'
import { isColumnType } from '#app/components/importer/type-form.ts'
import { handleForm, load, toErrorResponse } from '#app/server/load.server.ts'
import { withClonedRequest } from '#app/server/source-create.server.ts'
import { typeRights } from '#app/server/type-screen.server.ts'
import { call } from '#functions/api/call.ts'
import { asFailure, Failure } from '#functions/errors.ts'
import type { FieldType } from '#functions/shapes/field.ts'
import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { v1 } from '#functions/v1/index.ts'

/** The version of a data type, and by field the type that its values fit better than its own. */
export interface TypeOffer {
  version: number
  types: Record<string, FieldType>
}

/** A field, and the type that its values fit better than its own. */
interface BetterType {
  field: string
  type: string
}

/** The types that a dry run's report suggests: the type that values look like, text for values that do not fit. */
export const listBetterTypes = ({ type }: ShownPreview): BetterType[] =>
  type.fields.flatMap(({ change, field, proposed }) => {
    const better = change === 'other' ? proposed : change === 'refused' ? 'text' : null
    return better ? [{ field, type: better }] : []
  })

/** Text for the fields of rows that a failed run refused. */
export const textFor = (rejects: readonly ShownReject[]): BetterType[] =>
  [...new Set(rejects.flatMap(({ field }) => field ?? []))].map((field) => ({ field, type: 'text' }))

/**
 * Which of these fields of the source's data type can be given the other type by one button. Null for none, if the
 * person may not change the data type, or if the organization has other sources of it, whose records would be
 * converted: there the screen of the data type shows what happens.
 */
export async function typeOffer(
  args: LoaderFunctionArgs,
  dataTypeId: string,
  betterTypes: readonly BetterType[],
): Promise<TypeOffer | null> {
  if (betterTypes.length === 0) return null
  const { dataType, sources } = await load(args, {
    dataType: { endpoint: v1.dataType.findById, params: { dataTypeId } },
    sources: { endpoint: v1.place.source.find, options: { filters: { dataTypeId }, limit: 1 } },
  })
  if (sources.meta.total !== 1 || !typeRights(args, dataType).mayModify) return null
  const types = betterTypes.flatMap(({ field, type }): [string, FieldType][] => {
    const current = getOwnProperty(dataType.schema, field)?.type
    const isOffered = current && type !== current && isColumnType(type) && isColumnType(current)
    return isOffered ? [[field, type]] : []
  })
  return types.length ? { version: dataType.version, types: Object.fromEntries(types) } : null
}

/**
 * Changes the type of one field as the form says, and starts another dry run, to which it redirects. Stays on the page
 * where the change is refused, or where the dry run cannot start.
 */
export async function changeType(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  const [field, type] = [String(form.get('field') ?? ''), String(form.get('type') ?? '')]
  const { source } = await load(args, {
    source: { endpoint: v1.source.findById, options: { includes: [{ resource: 'dataType' }] } },
  })
  const { id, schema = {}, temporal = null } = source.dataType ?? {}
  const current = getOwnProperty(schema, field)
  if (!current || !isColumnType(type))
    throw toErrorResponse(
      new Failure('invalid', { message: 'This form asks for something that is not offered.' }),
      args,
    )
  const outcome = await handleForm(withClonedRequest(args), {
    changeType: {
      endpoint: v1.dataType.schema,
      params: { dataTypeId: id ?? '' },
      data: () => ({
        schema: { ...schema, [field]: { name: current.name, type } },
        ...(temporal?.primary === field && type !== 'date' ? { temporal: null } : {}),
        version: Number(form.get('version')),
      }),
    },
  })
  return outcome.ok ? repeatDryRun(args, outcome) : outcome
}

/**
 * Reads a word of a column as a missing value, as the form says, and starts another dry run, to which it redirects.
 * Stays on the page where the change is refused, or where the dry run cannot start.
 */
export async function readAsMissing(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  const [path, word] = [String(form.get('path') ?? ''), String(form.get('word') ?? '')]
  const { importer } = await load(args, { importer: v1.source.importer.findById })
  const reading = getOwnProperty(importer.columns, path) ?? {}
  const missing = [...new Set([...(reading.missing ?? []), word.toLowerCase()])]
  const outcome = await handleForm(withClonedRequest(args), {
    readAsMissing: {
      endpoint: v1.source.importer.updateById,
      data: () => ({
        columns: { ...importer.columns, [path]: { ...reading, missing } },
        version: importer.version,
      }),
    },
  })
  return outcome.ok ? repeatDryRun(args, outcome) : outcome
}

/** Starts another dry run of the importer and redirects to it; gives the outcome where it cannot start. */
async function repeatDryRun<Outcome>(args: ActionFunctionArgs, outcome: Outcome): Promise<Outcome> {
  const { sourceId = '', importerId = '' } = args.params
  const { ctx } = args.context
  const job = await call(v1.source.importer.run, ctx, {
    params: { sourceId, importerId },
    options: { dryRun: true },
  }).catch((error: unknown) => {
    const failure = asFailure(error)
    if (failure.kind === 'broken') ctx.report(error, { during: 'repeatDryRun' })
    return null
  })
  if (!job) return outcome
  throw redirect(`/sources/${sourceId}/importers/${importerId}/${job.id}`, { headers: ctx.responseHeaders })
}
