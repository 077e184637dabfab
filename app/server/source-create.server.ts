import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { mappingIn } from '#app/components/importer/mapping-form.ts'
import {
  betterReadAt,
  parserNamed,
  parserOfUrl,
  sourceOf,
  type ReadAt,
} from '#app/components/importer/parser-guess.ts'
import { sentReadAt } from '#app/components/importer/sent-read-at.ts'
import { triedOf, type Guess, type TrialResult } from '#app/components/importer/tried.ts'
import { chosenIn, matchedTo, searchedIn } from '#app/components/importer/type-form.ts'
import { call } from '#functions/api/call.ts'
import { usableAmong } from '#functions/domain/dataType/visibility.ts'
import { failureInWords } from './failure-words.server.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { ParserName } from '#functions/shapes/parser/index.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { v1 } from '#functions/v1/index.ts'
import { madeImporter, modeFor } from './importer-make.server.ts'
import { withSources, type SourcesOutcome } from './importer-sources.server.ts'
import type { KeptRefusal } from './keeping.server.ts'
import { act, load, responseOf, type Refusal } from './load.server.ts'
import { requireMay } from './require-may.server.ts'
import { may } from './session.server.ts'

/** So many data types are offered, with their fields. */
const mostTypes = 500

/** The screen that makes a source: of what its address names, tried at once, else with the ways there are. */
export async function createSourceScreen(args: LoaderFunctionArgs) {
  const { placeId } = await requireMay(args, 'source.create', '/sources')
  const { searchParams } = new URL(args.request.url)
  const url = searchParams.get('url')?.trim() ?? ''
  const parser = parserNamed(searchParams.get('parser')) ?? parserOfUrl(url)
  const at = sentReadAt(searchParams, parser)
  const typeId = searchParams.get('dataType')?.slice(0, 63) ?? ''
  const [{ dataTypes }, namedType, trial] = await Promise.all([
    load(args, { dataTypes: { endpoint: v1.place.dataType.find, options: { limit: mostTypes } } }),
    // One of the catalogue need not be of the place yet: its first source makes it so.
    typeId
      ? load(args, { found: { endpoint: v1.dataType.find, options: { filters: { id: typeId }, limit: 1 } } })
      : null,
    url ? tryAddress(args, placeId, { url, parser, ...at }) : null,
  ])
  const offers = offerTypes(dataTypes.results, namedType?.found.results[0])
  // Some are seen here only: of another place of the person's, or of a source that has kept its data type.
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
    mayMakeType: may(args.context.ctx, 'dataType.create'),
    address: url ? { url, parser, ...at, ...trial?.at } : null,
    /** An address that asks for more than an address says. */
    remote: searchParams.get('remote') ?? '',
    trial: trial?.trial ?? null,
  }
}

/** The data types of the place, and the one that was asked for. */
function offerTypes(ofPlace: readonly OfferedType[], offer: OfferedType | undefined) {
  const isThere = offer === undefined || ofPlace.some(({ id }) => id === offer.id)
  return (isThere ? ofPlace : [offer, ...ofPlace]).map(({ id, name, schema }) => ({
    ...{ id, name },
    schema: schema as FieldSchema,
  }))
}

interface OfferedType {
  id: string
  name: string
  schema: object
}

/** What trying gave, or why it could not be tried. */
export type Trial = { ok: true; tried: TrialResult } | { ok: false; message: string; issues: Issue[] }

/** What trying a source gave where it was read. */
interface TriedAt {
  trial: Trial
  at: ReadAt
}

/** What is at an address, read where its rows and its header seem to be when nobody said where; `at`: where that was. */
async function tryAddress(
  args: LoaderFunctionArgs,
  placeId: string,
  { url, parser, ...where }: { url: string; parser: ParserName } & ReadAt,
): Promise<TriedAt> {
  return readBetter(where, async (at) => {
    try {
      const data = { sources: [sourceOf(url, parser, at)] }
      const answer = await call(v1.place.source.test, args.context.ctx, { params: { placeId }, data })
      return { trial: { ok: true, tried: triedOf(answer) }, at }
    } catch (error) {
      const { kind, message, issues } = failureInWords(error)
      if (kind === 'broken' || kind === 'notFound') throw responseOf(error, args)
      return { trial: { ok: false, message, issues }, at }
    }
  })
}

/** Tries a source once more where its rows or its header seem to be elsewhere than where they were looked for; gives the better of the two. */
export async function readBetter(at: ReadAt, attempt: (at: ReadAt) => Promise<TriedAt>): Promise<TriedAt> {
  const first = await attempt(at)
  if (!first.trial.ok) return first
  const better = betterReadAt(at, first.trial.tried)
  if (better === null) return first
  const next = await attempt(better)
  return next.trial.ok && next.trial.tried.rows.length > 0 ? next : first
}

/** A source that its file is still to be uploaded for. */
export interface AwaitedSource {
  sourceId: string
  isKeyed: boolean
  /** JSON, as the form sends them back. */
  mapping: string
  columns: string
}

/** Without a `result`: it was only looked. */
interface NewSourceDone {
  ok: true
  intent: string
  result: AwaitedSource | null
}

/** What the action of the screen gave; of a form with sources also what was found there. */
type NewSourceOutcome = SourcesOutcome<NewSourceDone> & { tried?: TrialResult | undefined }

/**
 * As the action of the screen: `empty` makes a source, `make` one with what fills it, `attach` what reads its uploaded
 * file, `look` shows what is at an address that asks for more.
 */
export async function createSource(args: ActionFunctionArgs): Promise<NewSourceOutcome> {
  const form = await args.request.clone().formData()
  const formValues = formValuesIn(form)
  const keepWords = (outcome: Outcome): NewSourceDone | KeptRefusal =>
    outcome.ok ? outcome : { ...outcome, formValues: { ...formValues, ...outcome.made } }
  if (!form.has('source')) return keepWords(await doneBy(args, form, formValues))
  let trial: TrialResult | undefined
  const look = async (sources: unknown) => {
    const { intent = '' } = formValues
    const test = await act(again(args), {
      [intent]: { endpoint: v1.place.source.test, data: () => ({ sources }) },
    })
    if (test.ok) trial = triedOf(test.result)
    return test.ok ? { ...test, result: null } : test
  }
  const outcome = await withSources(form, async (sources) => {
    if (formValues.intent !== 'make') return keepWords(await look(sources))
    const creation = await make(args, form, { ...formValues, url: '' }, sources)
    // Who is refused goes on from the same rows.
    if (!creation.ok) await look(sources)
    return keepWords(creation)
  })
  return { ...outcome, tried: trial }
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
      ...{ mapping: jsonOf(mapping), columns: jsonOf(columns), mode: modeFor(formValues.isKeyed === 'true') },
    }
    return madeImporter(args, { sourceId, intent: 'attach', data })
  }
  const { placeId } = args.context.ctx
  return act(again(args), {
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
 * A data type where a new one was chosen, a source of it, and what reads its address, or the `sources` that a form says. Of
 * a file it is read later. Where a later step is refused, `made` says what is there by now, so that it is not made twice.
 */
async function make(
  args: ActionFunctionArgs,
  form: FormData,
  formValues: Record<string, string>,
  typedSources: unknown = formValues.url ? [readSource(formValues, formValues.url)] : null,
): Promise<Outcome> {
  const { placeId } = args.context.ctx
  // The form brings back what its screen was given: nothing of it is trusted, the endpoints check what is made of it.
  const guess = jsonOf(formValues.guess ?? '{}') as unknown as Guess
  const choice = chosenIn(form, guess)
  const isNew = formValues.kind !== 'existing'
  let dataTypeId = isNew ? formValues.madeTypeId : formValues.dataTypeId
  if (isNew && !dataTypeId) {
    const { schema, temporal } = choice
    const data = { name: formValues.typeName, schema: searchedIn(schema), temporal, ownerPlaceId: placeId }
    const type = await act(again(args), { make: { endpoint: v1.dataType.create, data: () => data } })
    if (!type.ok) return { ...type, issues: type.issues.map(ofType) }
    dataTypeId = type.result.id
  }
  const newIds: Record<string, string> = isNew && dataTypeId ? { madeTypeId: dataTypeId } : {}
  const [keptId = '', madeOf] = formValues.madeSourceId?.split(':') ?? []
  let sourceId = madeOf === dataTypeId ? keptId : ''
  if (!sourceId) {
    const source = await act(again(args), {
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
  const outcome = await madeImporter(args, { sourceId, intent: 'make', data })
  return { ...outcome, made: { ...newIds, madeSourceId: `${sourceId}:${dataTypeId ?? ''}` } }
}

/** The mapping of the form, or without its inputs (scripts draw them) the one that fits by names. */
async function mappedTo(args: ActionFunctionArgs, form: FormData, guess: Guess, dataTypeId: string) {
  if (form.has('target')) return mappingIn(form)
  const { dataType } = await load(args, {
    dataType: { endpoint: v1.dataType.findById, params: { dataTypeId } },
  })
  return { mapping: matchedTo(dataType.schema as FieldSchema, guess), columns: guess.columns }
}

function readSource(formValues: Record<string, string>, url: string) {
  return sourceOf(url, parserNamed(formValues.parser) ?? parserOfUrl(url), formValues)
}

/** Issues of the data type at the inputs that this form has for it. */
function ofType(issue: Issue): Issue {
  const [first, key, part] = issue.path
  if (first === 'name') return { ...issue, path: ['typeName'] }
  return first === 'schema' && part === 'name' ? { ...issue, path: ['f', key ?? '', 'name'] } : issue
}

/** The same request once more: each endpoint is asked through `act`, which reads the form. */
export const again = (args: ActionFunctionArgs): ActionFunctionArgs => ({
  ...args,
  request: args.request.clone() as typeof args.request,
})

/** The texts of a form, each name once. */
export function formValuesIn(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** JSON of a form; {} for what is none: the endpoint says what is missing. */
export function jsonOf(text: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
