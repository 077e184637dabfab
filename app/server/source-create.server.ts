import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { parseMappingForm } from '#app/components/importer/mapping-form.ts'
import {
  parserNamed,
  parserOfUrl,
  buildImporterSource,
  tryBetter,
  type Reading,
} from '#app/components/importer/parser-guess.ts'
import { submittedReadSettings } from '#app/components/importer/submitted-read-settings.ts'
import { toTrialResult, type Guess, type TrialResult } from '#app/components/importer/trial.ts'
import { applyFormChanges, matchedTo, markSearchableTexts } from '#app/components/importer/type-form.ts'
import { call } from '#functions/api/call.ts'
import { usableAmong } from '#functions/domain/data-type/visibility.ts'
import { toReadableFailure } from './failure-words.server.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { v1 } from '#functions/v1/index.ts'
import { createAndStartImporter, modeFor } from './importer-make.server.ts'
import { withSources, type SourcesOutcome } from './importer-sources.server.ts'
import type { RefusalWithValues } from './form-values.server.ts'
import { handleForm, load, toErrorResponse, type Refusal } from './load.server.ts'
import { requirePermission } from './require-permission.server.ts'
import { hasPermission } from './session.server.ts'

/** Maximum number of data types that are offered, with their fields. */
const maxTypes = 500

/** The screen that creates a source: with a preview of the URL in its query, else with the choice of ways. */
export async function createSourceScreen(args: LoaderFunctionArgs) {
  const { placeId } = await requirePermission(args, 'source.create', '/sources')
  const { searchParams } = new URL(args.request.url)
  const url = searchParams.get('url')?.trim() ?? ''
  const parser = parserNamed(searchParams.get('parser')) ?? parserOfUrl(url)
  const at = submittedReadSettings(searchParams, parser)
  const typeId = searchParams.get('dataType')?.slice(0, 63) ?? ''
  const [{ dataTypes }, namedType, trial] = await Promise.all([
    load(args, { dataTypes: { endpoint: v1.place.dataType.find, options: { limit: maxTypes } } }),
    // A data type of the catalogue need not be in use in the place; its first source changes that.
    typeId
      ? load(args, { found: { endpoint: v1.dataType.find, options: { filters: { id: typeId }, limit: 1 } } })
      : null,
    url ? tryAddress(args, placeId, url, { parser, ...at }) : null,
  ])
  const offers = offerTypes(dataTypes.results, namedType?.found.results[0])
  // Some are visible but unusable here: of another place of the person, or of a source that kept its data type.
  const usable = await usableAmong(
    args.context.ctx,
    placeId,
    offers.map(({ id }) => id),
  )
  const offer = offers.find(({ id }) => id === typeId && usable.has(id))
  return {
    placeId,
    dataTypes: offers.filter(({ id }) => usable.has(id)),
    wantedTypeId: offer?.id ?? null,
    mayMakeType: hasPermission(args.context.ctx, 'dataType.create'),
    address: url ? { url, parser, ...at, ...trial?.reading } : null,
    /** An address that requires more than a URL. */
    remote: searchParams.get('remote') ?? '',
    trial: trial?.tried ?? null,
  }
}

/** The data types of the place, and the requested one. */
function offerTypes(placeTypes: readonly OfferedType[], offer: OfferedType | undefined) {
  const isThere = offer === undefined || placeTypes.some(({ id }) => id === offer.id)
  return (isThere ? placeTypes : [offer, ...placeTypes]).map(({ id, name, schema }) => ({
    ...{ id, name },
    schema: schema as FieldSchema,
  }))
}

interface OfferedType {
  id: string
  name: string
  schema: object
}

/** The outcome of a trial read. */
export type Trial = { ok: true; trialResult: TrialResult } | { ok: false; message: string; issues: Issue[] }

/** Reads a URL on trial, detecting format within an archive, rows and header if not given. */
function tryAddress(args: LoaderFunctionArgs, placeId: string, url: string, reading: Reading) {
  return tryReading(reading, async ({ parser, ...at }) => {
    try {
      const data = { sources: [buildImporterSource(url, parser, at)] }
      const answer = await call(v1.place.source.test, args.context.ctx, { params: { placeId }, data })
      return { ok: true, trialResult: toTrialResult(answer) }
    } catch (error) {
      const { kind, message, issues } = toReadableFailure(error)
      if (kind === 'broken' || kind === 'notFound') throw toErrorResponse(error, args)
      return { ok: false, message, issues }
    }
  })
}

/** Retries a trial read if format, rows or header seem to be others than expected; the best one, and how it read. */
export const tryReading = (reading: Reading, attempt: (reading: Reading) => Promise<Trial>) =>
  tryBetter(reading, attempt, (trial) => (trial.ok ? trial.trialResult : null))

/** A source whose file is still to be uploaded. */
export interface AwaitedSource {
  sourceId: string
  isKeyed: boolean
  /** JSON; the form submits them again. */
  mapping: string
  columns: string
}

/** `result` null: only a trial read. */
interface NewSourceDone {
  ok: true
  intent: string
  result: AwaitedSource | null
}

/** The result of the screen's action; for a form with sources also the trial read. */
type NewSourceOutcome = SourcesOutcome<NewSourceDone> & { trialResult?: TrialResult | undefined }

/**
 * The action of the screen: `empty` creates a source, `make` one with an importer, `attach` the importer of its uploaded file, `look`
 * tries an address that requires more than a URL.
 */
export async function createSource(args: ActionFunctionArgs): Promise<NewSourceOutcome> {
  const form = await args.request.clone().formData()
  const formValues = formValuesIn(form)
  const addFormValues = (outcome: Outcome): NewSourceDone | RefusalWithValues =>
    outcome.ok ? outcome : { ...outcome, formValues: { ...formValues, ...outcome.made } }
  if (!form.has('source')) return addFormValues(await doneBy(args, form, formValues))
  let trial: TrialResult | undefined
  const testSources = async (sources: unknown) => {
    const { intent = '' } = formValues
    const test = await handleForm(withClonedRequest(args), {
      [intent]: { endpoint: v1.place.source.test, data: () => ({ sources }) },
    })
    if (test.ok) trial = toTrialResult(test.result)
    return test.ok ? { ...test, result: null } : test
  }
  const outcome = await withSources(form, async (sources) => {
    if (formValues.intent !== 'make') return addFormValues(await testSources(sources))
    const creation = await make(args, form, { ...formValues, url: '' }, sources)
    // After a failure the screen shows the same rows again.
    if (!creation.ok) await testSources(sources)
    return addFormValues(creation)
  })
  return { ...outcome, trialResult: trial }
}

type Outcome = NewSourceDone | (Refusal & { made?: Record<string, string> })

async function doneBy(
  args: ActionFunctionArgs,
  form: FormData,
  formValues: Record<string, string>,
): Promise<Outcome> {
  if (formValues.intent === 'make') return make(args, form, formValues)
  if (formValues.intent === 'attach') {
    const { sourceId = '', fileId = '', mapping = '{}', columns = '{}' } = formValues
    const data = {
      ...{ name: formValues.name, sources: [readSource(formValues, `file:${fileId}`)] },
      ...{
        mapping: parseJsonObject(mapping),
        columns: parseJsonObject(columns),
        mode: modeFor(formValues.isKeyed === 'true'),
      },
    }
    return createAndStartImporter(args, { sourceId, intent: 'attach', data })
  }
  const { placeId } = args.context.ctx
  return handleForm(withClonedRequest(args), {
    empty: {
      endpoint: v1.source.create,
      data: () => ({
        name: formValues.name,
        dataTypeId: formValues.dataTypeId,
        placeId,
        visibility: 'place',
      }),
      then: ({ id }: { id: string }) => `/sources/${id}`,
    },
  })
}

/**
 * Creates a data type if a new one was chosen, a source, and an importer of its URL or of the `sources` in the form. The importer of a
 * file is created later. If a later step fails, `made` says what exists by then, so that it is not created twice.
 */
async function make(
  args: ActionFunctionArgs,
  form: FormData,
  formValues: Record<string, string>,
  typedSources: unknown = formValues.url ? [readSource(formValues, formValues.url)] : null,
): Promise<Outcome> {
  const { placeId } = args.context.ctx
  // The form returns the screen's guess: it is not trusted, as the endpoints validate what is created from it.
  const guess = parseJsonObject(formValues.guess ?? '{}') as unknown as Guess
  const choice = applyFormChanges(form, guess)
  const isNew = formValues.kind !== 'existing'
  let dataTypeId = isNew ? formValues.madeTypeId : formValues.dataTypeId
  if (isNew && !dataTypeId) {
    const { schema, temporal } = choice
    const data = {
      name: formValues.typeName,
      schema: markSearchableTexts(schema),
      temporal,
      ownerPlaceId: placeId,
    }
    const type = await handleForm(withClonedRequest(args), {
      make: { endpoint: v1.dataType.create, data: () => data },
    })
    if (!type.ok) return { ...type, issues: type.issues.map(toFormIssue) }
    dataTypeId = type.result.id
  }
  const newIds: Record<string, string> = isNew && dataTypeId ? { madeTypeId: dataTypeId } : {}
  const [keptId = '', sourceDataTypeId] = formValues.madeSourceId?.split(':') ?? []
  let sourceId = sourceDataTypeId === dataTypeId ? keptId : ''
  if (!sourceId) {
    const source = await handleForm(withClonedRequest(args), {
      make: {
        endpoint: v1.source.create,
        data: () => ({ name: formValues.name, dataTypeId, placeId, visibility: 'place' }),
      },
    })
    if (!source.ok) return { ...source, made: newIds }
    sourceId = source.result.id
  }
  const { mapping, columns } = isNew ? choice : await mappedTo(args, form, guess, dataTypeId ?? '')
  const isKeyed = guess.id !== null
  if (typedSources === null)
    return {
      ok: true,
      intent: 'make',
      result: { sourceId, isKeyed, mapping: JSON.stringify(mapping), columns: JSON.stringify(columns) },
    }
  const data = { name: formValues.name, sources: typedSources, mapping, columns, mode: modeFor(isKeyed) }
  const outcome = await createAndStartImporter(args, { sourceId, intent: 'make', data })
  return { ...outcome, made: { ...newIds, madeSourceId: `${sourceId}:${dataTypeId ?? ''}` } }
}

/** The mapping in the form, or without its inputs (which scripts add) the best match by names. */
async function mappedTo(args: ActionFunctionArgs, form: FormData, guess: Guess, dataTypeId: string) {
  if (form.has('target')) return parseMappingForm(form)
  const { dataType } = await load(args, {
    dataType: { endpoint: v1.dataType.findById, params: { dataTypeId } },
  })
  return { mapping: matchedTo(dataType.schema as FieldSchema, guess), columns: guess.columns }
}

function readSource(formValues: Record<string, string>, url: string) {
  return buildImporterSource(url, parserNamed(formValues.parser) ?? parserOfUrl(url), formValues)
}

/** Maps issues of the data type to the inputs of this form. */
function toFormIssue(issue: Issue): Issue {
  const [first, key, part] = issue.path
  if (first === 'name') return { ...issue, path: ['typeName'] }
  return first === 'schema' && part === 'name' ? { ...issue, path: ['f', key ?? '', 'name'] } : issue
}

/** A copy of the request: `handleForm` reads its form once per endpoint. */
export const withClonedRequest = (args: ActionFunctionArgs): ActionFunctionArgs => ({
  ...args,
  request: args.request.clone() as typeof args.request,
})

/** The text values of a form, the last one for each name. */
export function formValuesIn(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** JSON in a form; {} if invalid: the endpoint reports what is missing. */
export function parseJsonObject(text: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
