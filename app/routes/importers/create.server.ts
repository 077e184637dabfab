import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { parseMappingForm } from '#app/components/importer/mapping-form.ts'
import {
  parserNamed,
  parserOfName,
  parserOfUrl,
  buildImporterSource,
  takesOption,
  type Reading,
} from '#app/components/importer/parser-guess.ts'
import type { FormErrors } from '#app/components/form/issues.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { fillTemplate, openFills, type Template } from './template-form.ts'
import { submittedReadSettings } from '#app/components/importer/submitted-read-settings.ts'
import { toTrialResult, type TrialResult } from '#app/components/importer/trial.ts'
import { matchedTo } from '#app/components/importer/type-form.ts'
import { call } from '#functions/api/call.ts'
import { toReadableFailure } from '#app/server/failure-words.server.ts'
import { broughtFields, type FieldSchema } from '#functions/shapes/field.ts'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'
import { v1 } from '#functions/v1/index.ts'
import { createAndStartImporter, modeFor } from '#app/server/importer-make.server.ts'
import { withSources, type SourcesOutcome } from '#app/server/importer-sources.server.ts'
import { listOwnSets } from '#app/server/own-sets.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load, toErrorResponse } from '#app/server/load.server.ts'
import { withClonedRequest, formValuesIn, tryReading, type Trial } from '#app/server/source-create.server.ts'
import { requirePermissionIn } from '#app/server/require-permission.server.ts'
import { guard } from '#app/server/session.server.ts'

/** The steps of creating an importer: source, reading options, mapping of fields. */
export type Step = 'source' | 'read' | 'fields'

/** The screen that creates an importer. Choices before the mapping are kept in the URL. */
export async function createImporterScreen(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { searchParams } = new URL(args.request.url)
  const [{ source, templates }] = await Promise.all([
    load(args, {
      source: { endpoint: v1.source.findById, options: { includes: [{ resource: 'dataType' }] } },
      templates: v1.source.importer.templates,
    }),
  ])
  await requirePermissionIn(args, 'importer.create', source.placeId, `/sources/${source.id}`)
  const schema = broughtFields(source.dataType?.schema ?? {})
  const all = templates
  const template = all.find(({ id }) => id === searchParams.get('template')) ?? null
  const { sources, readingOptions, firstTrial } = await inspectSources(args, searchParams, template)
  const about = {
    source: { id: source.id, name: source.name, dataType: source.dataType?.name ?? source.dataTypeId },
    schema,
    templates: all,
    template,
    /** A URL that requires more than a URL. */
    remote: searchParams.get('remote') ?? '',
    /** The typed URL. */
    address: getTypedAddress(searchParams),
    /** The typed values of a template's placeholders. */
    fillValues: template ? openFills(template).map((_, i) => searchParams.get(`fill.${i}`) ?? '') : [],
    errors: null as FormErrors | null,
  }
  const nothing = { sources, readingOptions, trial: null, mapping: {} as Mapping, sets: [] }
  if (!sources.length) return { ...about, ...nothing, step: 'source' as Step }
  const requestedStep: Step = searchParams.get('step') === 'fields' ? 'fields' : 'read'
  if (requestedStep === 'read') {
    const trial = firstTrial ?? (await attempt(args, { sources }))
    const errors = checkAddress(trial, template, sources.length)
    if (errors) return { ...about, ...nothing, errors, step: 'source' as Step }
    return { ...about, ...nothing, trial, step: requestedStep }
  }
  const [{ trial, mapping }, sets] = await Promise.all([
    proposeFields(args, schema, { sources }),
    listOwnSets(args, source.placeId),
  ])
  if (!trial.ok) return { ...about, ...nothing, trial, step: 'read' as Step }
  return { ...about, ...nothing, trial, mapping, sets, step: requestedStep }
}

function getTypedAddress(searchParams: URLSearchParams): string {
  const urls = searchParams.getAll('url').filter((url) => !url.startsWith('file:'))
  return urls.join('\n') || (searchParams.get('address') ?? '')
}

/** The issues of the typed source, by the names of its inputs; null if the failure is about something else. */
function checkAddress(trial: Trial, template: Template | null, count: number): FormErrors | null {
  if (trial.ok || !trial.issues.length) return null
  const fills = template ? openFills(template).map(({ path }) => path.join('.')) : []
  const issues = trial.issues.map((issue): Issue | null => {
    const { path, message } = issue
    const fill = fills.indexOf(path.join('.'))
    if (fill >= 0) return { ...issue, path: [`fill.${fill}`] }
    const [list, n, name] = path
    if (template || list !== 'sources' || typeof n !== 'number' || name !== 'url') return null
    return { ...issue, path: ['url'], message: count > 1 ? `Address ${n + 1}: ${message}` : message }
  })
  const formIssues = issues.filter((issue) => issue !== null)
  return formIssues.length === issues.length
    ? { ok: false, message: trial.message, issues: formIssues }
    : null
}

/** Proposes mappings for the first rows of sources by a trial. `id`: the importer whose stored secrets apply. */
export async function proposeFields(
  args: LoaderFunctionArgs,
  schema: FieldSchema,
  trialRequest: { sources: readonly object[]; id?: string },
): Promise<{ trial: Trial; mapping: Mapping }> {
  const trial = await attempt(args, trialRequest)
  if (!trial.ok) return { trial, mapping: {} }
  const { columns } = trial.trialResult.guess
  const mapping = matchedTo(schema, trial.trialResult.guess)
  const isAny = Object.keys(mapping).length > 0
  return { trial: isAny ? await attempt(args, { ...trialRequest, mapping, columns }) : trial, mapping }
}

function readIn(searchParams: URLSearchParams) {
  const url = searchParams.get('url') ?? ''
  const parser = parserNamed(searchParams.get('parser')) ?? parserOfUrl(url)
  return { url, parser, ...submittedReadSettings(searchParams, parser) }
}

/** The sources in a URL: a filled template, or each `url` with the common format and selector. */
function sourcesIn(
  searchParams: URLSearchParams,
  template: Template | null,
  { parser, ...at }: Reading = readIn(searchParams),
): object[] {
  if (template) {
    const texts = openFills(template).map((_, i) => searchParams.get(`fill.${i}`) ?? '')
    return texts.some((text) => text !== '') || (!texts.length && searchParams.has('use'))
      ? fillTemplate(template, texts)
      : []
  }
  const urls = searchParams.getAll('url').flatMap((text) => text.split(/\s+/))
  return urls.filter(Boolean).map((url) => buildImporterSource(url, parser, at))
}

/** The sources in a URL, read with detected options if not given; `firstTrial`: the trial. */
async function inspectSources(
  args: LoaderFunctionArgs,
  searchParams: URLSearchParams,
  template: Template | null,
) {
  const urlOptions = readIn(searchParams)
  const sources = sourcesIn(searchParams, template)
  const isSelectorOpen =
    urlOptions.selector === '' && takesOption(urlOptions.parser, 'selector') === 'required'
  // The mapping step gets format and header explicitly, so they are detected before.
  const isOpen = !template && (isSelectorOpen || searchParams.get('step') !== 'fields')
  if (!isOpen || !sources.length) return { sources, readingOptions: urlOptions, firstTrial: null }
  const { url, ...open } = urlOptions
  const { tried: firstTrial, reading } = await tryReading(open, (each) =>
    attempt(args, { sources: sourcesIn(searchParams, template, each) }),
  )
  return {
    sources: sourcesIn(searchParams, template, reading),
    readingOptions: { url, ...reading },
    firstTrial,
  }
}

async function attempt(args: LoaderFunctionArgs, data: object): Promise<Trial> {
  const { sourceId = '' } = args.params
  try {
    const answer = await call(v1.source.importer.test, args.context.ctx, {
      params: { sourceId },
      data: { name: 'Trial', ...data },
    })
    return { ok: true, trialResult: toTrialResult(answer) }
  } catch (error) {
    const { kind, message, issues } = toReadableFailure(error)
    if (kind === 'broken' || kind === 'notFound') throw toErrorResponse(error, args)
    return { ok: false, message, issues }
  }
}

/** The result of trying a mapping: its rows, and the mapping, for a page without scripts. */
export interface MappingTrial {
  trialResult: TrialResult
  mapping: Mapping
  columns: Record<string, object>
}
/** The only action of these forms that stays on the page after success. */
export type MappingTrialOutcome = { ok: true; intent: 'try'; result: MappingTrial }

/**
 * The actions of the mapping form, also for editing an importer: `try` shows the result. `id`: the importer whose stored secrets are
 * kept.
 */
export async function tryMapping(
  args: ActionFunctionArgs,
  form: FormData,
  id?: string,
): Promise<SourcesOutcome<MappingTrialOutcome>> {
  const { mapping, columns } = parseMappingForm(form)
  return withSources(form, async (sources) => {
    const outcome = await handleFormKeepingValues(withClonedRequest(args), () => ({
      try: {
        endpoint: v1.source.importer.test,
        data: () => ({ name: 'Trial', sources, mapping, columns, ...(id ? { id } : {}) }),
      },
    }))
    if (!outcome.ok) return outcome
    return { ...outcome, result: { trialResult: toTrialResult(outcome.result), mapping, columns } }
  })
}

/** The action of the screen: `upload` takes a file, `try` and `make` the mapping form, `plain` sources that require more than a URL. */
export async function createImporter(args: ActionFunctionArgs): Promise<SourcesOutcome<MappingTrialOutcome>> {
  const { sourceId = '' } = args.params
  const form = await args.request.clone().formData()
  const formValues = formValuesIn(form)
  const here = `/sources/${sourceId}/importers/create`
  if (formValues.intent === 'try') return tryMapping(args, form)
  if (formValues.intent === 'make')
    return withSources<never>(form, async (sources) => {
      const { mapping, columns } = parseMappingForm(form)
      const data = {
        name: formValues.name,
        sources,
        mapping,
        columns,
        mode: formValues.mode ?? modeFor(false),
      }
      const outcome = await createAndStartImporter(args, { sourceId, intent: 'make', data })
      return { ...outcome, formValues }
    })
  if (formValues.intent === 'plain')
    return withSources<never>(form, (sources) =>
      handleFormKeepingValues(withClonedRequest(args), () => ({
        plain: {
          endpoint: v1.source.importer.create,
          data: () => ({ name: formValues.name, sources }),
          then: ({ id }: { id: string }) => `/sources/${sourceId}/importers/${id}/modify`,
        },
      })),
    )
  return handleFormKeepingValues(withClonedRequest(args), () => ({
    upload: {
      endpoint: v1.source.file.create,
      data: () => ({ file: form.get('file') }),
      then: ({ id, name }: { id: string; name: string }) =>
        `${here}?${new URLSearchParams({ url: `file:${id}`, parser: parserOfName(name), named: name }).toString()}`,
    },
  }))
}
