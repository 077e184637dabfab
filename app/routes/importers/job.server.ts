import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { listBetterTypes, textFor, typeOffer } from './change-type.server.ts'
import type { ShownPreview } from './diff.tsx'
import { call } from '#functions/api/call.ts'
import { abandonedDays, isToBeDeleted } from '#functions/domain/importer/delete-abandoned.ts'
import { asFailure } from '#functions/errors.ts'
import { v1 } from '#functions/v1/index.ts'
import { callEndpoint, load, orNull, toErrorResponse } from '#app/server/load.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'

const shownRejects = 50
const shownLines = 500

/** A run of an importer: status, result of a dry run, rejected rows, log. */
export async function jobScreen(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { ctx } = args.context
  const { searchParams } = new URL(args.request.url)
  const next = searchParams.get('next')
  const reading = await loadReaderSettings(args)
  const { source, importer, job, rejects, logs } = await load(args, {
    source: { endpoint: v1.source.findById, options: { includes: [{ resource: 'dataType' }] } },
    importer: v1.source.importer.findById,
    job: v1.source.importer.job.findById,
    rejects: {
      endpoint: v1.source.importer.job.rejects,
      options: { limit: shownRejects, format: 'json', ...(next ? { next } : {}) },
    },
    logs: { endpoint: v1.source.importer.job.logs, options: { limit: shownLines } },
  })
  const isDone = job.kind === 'dryRun' && job.status === 'succeeded'
  const preview = isDone ? await findPreview(args) : null
  const isHeld = job.heldUntil !== null && new Date(job.heldUntil) > ctx.now()
  const schema = source.dataType?.schema ?? {}
  const betterTypes = preview
    ? listBetterTypes(preview)
    : job.kind === 'dryRun' && job.status === 'failed'
      ? textFor(listIn(rejects).results)
      : []
  return {
    source: { id: source.id, name: source.name },
    importer: { id: importer.id, name: importer.name, schedule: importer.schedule },
    job,
    starter: await findStarterName(args, source.placeId, job.createdBy),
    timeZone: reading.timeZone,
    rejects: listIn(rejects),
    logs: listIn(logs),
    preview,
    typeOffer: await typeOffer(args, source.dataTypeId, betterTypes),
    isLater: next !== null,
    names: Object.fromEntries(Object.entries(schema).map(([key, { name }]) => [key, name])),
    mayRun: hasPermission(ctx, 'importer.run', source.placeId),
    mayChange: hasPermission(ctx, 'importer.update', source.placeId),
    isHeld,
    /** Whether the source never had records and may be deleted by the person, so that an unreadable file need not leave it behind. */
    mayDiscard:
      source.dataVersion === 0 && source.count === 0 && hasPermission(ctx, 'source.delete', source.placeId),
    /** After how many days the source is deleted if no run of the importer brings records; null: it stays. */
    temporaryDays: source.count === 0 && (await isToBeDeleted(ctx, source.id)) ? abandonedDays : null,
    now: ctx.now().toISOString(),
  }
}

/** The name of the person who started a run; null if nobody did, or without permission. */
async function findStarterName(args: LoaderFunctionArgs, placeId: string, userId: string | null) {
  if (userId === null) return null
  const { user } = args.context.ctx.actor
  if (user?.id === userId) return user.name
  const params = { placeId }
  const options = { filters: { id: userId }, limit: 1 }
  const answer = callEndpoint(args, v1.place.user.find, { params, options })
  const people = await orNull(args, answer, ['forbidden', 'notFound'])
  return people?.results[0]?.name ?? null
}

/** The result of the dry run; null if it is no longer stored. */
async function findPreview(args: LoaderFunctionArgs): Promise<ShownPreview | null> {
  const { sourceId = '', importerId = '', jobId = '' } = args.params
  try {
    const params = { sourceId, importerId, jobId }
    return (await call(v1.source.importer.job.preview, args.context.ctx, { params })) as ShownPreview
  } catch (error) {
    if (asFailure(error).kind === 'conflict') return null
    throw toErrorResponse(error, args)
  }
}

interface ListPage<Row> {
  results: Row[]
  meta: { total?: number; next?: string }
}

/** Narrows the type of an endpoint that may also return a file; here it returns a list. */
function listIn<Answer>(answer: Answer): Extract<Answer, ListPage<unknown>> {
  return answer as Extract<Answer, ListPage<unknown>>
}
