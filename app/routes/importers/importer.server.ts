import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { listQuery, toListFilter, type ListOffer } from '#app/components/list/list-query.ts'
import { parseMappingForm } from '#app/components/importer/mapping-form.ts'
import { uploadedName } from '#app/components/importer/remote-source.ts'
import { toFormSources } from './remote-shown.ts'
import type { ShownJob } from '#app/components/importer/job-words.ts'
import { findNextRun, scheduleIssue } from '#functions/engine/import/schedule.ts'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'
import { v1 } from '#functions/v1/index.ts'
import { broughtFields } from '#functions/shapes/field.ts'
import { changeByFile, findFileSource } from './replace.server.ts'
import { proposeFields, tryMapping, type MappingTrialOutcome, type MappingTrial } from './create.server.ts'
import { withSources, type SourcesOutcome } from '#app/server/importer-sources.server.ts'
import { listOwnSets } from '#app/server/own-sets.server.ts'
import { handleFormKeepingValues, versionIn } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'
import { withClonedRequest, formValuesIn, type Trial } from '#app/server/source-create.server.ts'
import { requirePermissionIn } from '#app/server/require-permission.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'

const shownRuns = 20
const shownTimes = 3

/** The list of an importer's runs. */
export const runsOffer: ListOffer = {
  sorts: { newest: { label: 'Newest first', field: 'queuedAt', direction: 'desc' } },
  filters: { kind: toListFilter(['run', 'dryRun', 'rollback']) },
  pageSize: shownRuns,
}

/** Actions shared by the screens of an importer and of a run: dry run, and stop. */
export function runActs({ params: { sourceId, importerId } }: ActionFunctionArgs) {
  const { importer } = v1.source
  const begin = {
    data: () => undefined,
    then: ({ id }: { id: string }) => `/sources/${sourceId}/importers/${importerId}/${id}`,
  }
  return {
    /** Actions that start another run, and redirect to it. */
    begin,
    acts: {
      dryRun: { endpoint: importer.run, options: { dryRun: true }, ...begin },
      stop: { endpoint: importer.stop, data: begin.data },
    },
  }
}

/** An importer: status, schedule and runs. */
export async function importerScreen(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { ctx } = args.context
  const query = listQuery(new URL(args.request.url), runsOffer)
  const { options } = query
  const [reading, { source, importer, jobs }] = await Promise.all([
    loadReaderSettings(args),
    load(args, {
      source: v1.source.findById,
      importer: { endpoint: v1.source.importer.findById, options: { includes: ['lastJob', 'files'] } },
      jobs: { endpoint: v1.source.importer.job.find, options },
    }),
  ])
  const { placeId } = source
  const mayChange = hasPermission(ctx, 'importer.update', placeId)
  return {
    source: { id: source.id, name: source.name },
    importer,
    addresses: (importer.sources as { url?: string; parser?: string }[]).map(({ url = '', parser = '' }) => ({
      url: url.startsWith('file:') ? uploadedName(url, importer.files) : url,
      parser,
    })),
    /** Whether it reads one uploaded file, which can be replaced. */
    isOfFile: findFileSource(importer) !== null,
    change: mayChange ? await changeByFile(args, importer) : null,
    timeZone: reading.timeZone,
    // Included without `attributes`, so it is complete.
    lastJob: (importer.lastJob ?? null) as ShownJob | null,
    jobs: jobs.results,
    total: jobs.meta.total,
    query,
    times: listNextTimes(importer.enabled ? importer.schedule : null, reading.timeZone, ctx.now()),
    now: ctx.now().toISOString(),
    mayRun: hasPermission(ctx, 'importer.run', placeId),
    mayChange,
    mayDelete: hasPermission(ctx, 'importer.delete', placeId),
  }
}

/** The next times of a schedule; [] without one, or if it never occurs. */
function listNextTimes(schedule: string | null, timeZone: string, now: Date): string[] {
  if (schedule === null || scheduleIssue(schedule) !== null) return []
  const times: string[] = []
  let after = now
  while (times.length < shownTimes) {
    const next = findNextRun(schedule, timeZone, after)
    if (!next) break
    times.push(next.toISOString())
    after = next
  }
  return times
}

/** The screen that edits an importer, without its secrets. */
export async function modifyImporterScreen(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { ctx } = args.context
  const [reading, { source, importer }] = await Promise.all([
    loadReaderSettings(args),
    load(args, {
      source: { endpoint: v1.source.findById, options: { includes: [{ resource: 'dataType' }] } },
      importer: { endpoint: v1.source.importer.findById, options: { includes: 'files' } },
    }),
  ])
  await requirePermissionIn(
    args,
    'importer.update',
    source.placeId,
    `/sources/${source.id}/importers/${importer.id}`,
  )
  const { name, mode, schedule, timeoutSeconds, retries, notifyOnFailure, version } = importer
  const schema = broughtFields(source.dataType?.schema ?? {})
  const { id, sources } = importer
  // It was created from sources alone, without a mapping yet.
  const isNew = Object.keys(importer.mapping).length === 0
  const [{ trial, mapping }, sets] = await Promise.all([
    isNew ? proposeFields(args, schema, { sources, id }) : nothingProposed,
    listOwnSets(args, source.placeId),
  ])
  return {
    source: { id: source.id, name: source.name },
    schema,
    sets,
    proposal: trial?.ok
      ? ({
          trialResult: trial.trialResult,
          mapping,
          columns: trial.trialResult.guess.columns,
        } satisfies MappingTrial)
      : null,
    /** Why nothing could be proposed. */
    untried: trial && !trial.ok ? trial : undefined,
    importer: {
      ...{ id: importer.id, name, mode, schedule, timeoutSeconds, retries, notifyOnFailure, version },
      sources: toFormSources(importer.sources),
      files: importer.files,
      mapping: importer.mapping,
      columns: importer.columns,
    },
    timeZone: reading.timeZone,
    mayDelete: hasPermission(ctx, 'importer.delete', source.placeId),
  }
}

const nothingProposed: { trial: Trial | null; mapping: Mapping } = { trial: null, mapping: {} }

/** The action of that screen: `save`, `saveAndCheck` also starts a dry run, `try` shows the result of the mapping. */
export async function modifyImporter(args: ActionFunctionArgs): Promise<SourcesOutcome<MappingTrialOutcome>> {
  const { sourceId = '', importerId = '' } = args.params
  const at = `/sources/${sourceId}/importers/${importerId}`
  const form = await args.request.clone().formData()
  const { intent = '' } = formValuesIn(form)
  if (intent === 'try') return tryMapping(args, form, importerId)
  if (intent === 'delete')
    return handleFormKeepingValues(withClonedRequest(args), () => ({
      delete: {
        endpoint: v1.source.importer.deleteById,
        data: () => undefined,
        then: () => `/sources/${sourceId}/importers`,
      },
    }))
  const { mapping, columns } = parseMappingForm(form)
  const changes = {
    ...{ name: form.get('name'), mode: form.get('mode'), mapping, columns },
    schedule: form.has('isScheduled') ? form.get('schedule') : null,
    timeoutSeconds: Number(form.get('timeoutMinutes')) * 60,
    retries: Number(form.get('retries')),
    notifyOnFailure: form.has('notifyOnFailure'),
    version: versionIn(form),
  }
  const outcome = await withSources(form, (sources) => {
    const update = { endpoint: v1.source.importer.updateById, data: () => ({ ...changes, sources }) }
    return handleFormKeepingValues(withClonedRequest(args), () => ({
      save: { ...update, then: () => at },
      saveAndCheck: update,
    }))
  })
  if (!outcome.ok) return outcome
  return handleFormKeepingValues(withClonedRequest(args), () => ({
    saveAndCheck: {
      endpoint: v1.source.importer.run,
      options: { dryRun: true },
      data: () => undefined,
      then: ({ id }: { id: string }) => `${at}/${id}`,
    },
  }))
}
