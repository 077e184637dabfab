import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Failure } from '#functions/errors.ts'
import { maxUseIds } from '#functions/shapes/use.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load, toErrorResponse } from '#app/server/load.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { parseJsonObject } from '#app/server/source-create.server.ts'
import { loadUses } from '#app/server/uses.server.ts'
import {
  getActionEndpoints,
  bulkEndpoints,
  getRequiredOperation,
  type BulkEndpoints,
} from '#app/server/bulk-endpoints.server.ts'
import { addObstacles, type ReadRow } from './obstacles.server.ts'
import { bulkNouns, type BulkAction, type BulkNoun } from '#app/components/list/bulk-actions.ts'
import { changing, hides, planBulkAction } from './plan.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

interface ManySelection {
  noun: BulkNoun
  ways: BulkEndpoints
  action: BulkAction
  ids: string[]
  tags: string
}

/** The selection in the URL: noun, action, and rows, at most 200. */
function parseSelection(args: Args): ManySelection {
  const noun = bulkNouns.find((each) => each === args.params.noun)
  if (!noun) throw toErrorResponse(new Failure('notFound'), args)
  const { searchParams } = new URL(args.request.url)
  const ways = bulkEndpoints[noun]
  const actionName = searchParams.get('do')
  const action = actionName === null ? ways.actions[0] : ways.actions.find((each) => each === actionName)
  // An unknown action must not fall back to another one.
  if (!action) throw toErrorResponse(new Failure('notFound'), args)
  const ids = [...new Set(searchParams.getAll('id'))].slice(0, maxUseIds)
  return { noun, ways, action, ids, tags: searchParams.get('tags') ?? '' }
}

/** The selected rows that are visible to the person, by name, with the effect of the action on each. */
async function loadPlans(args: Args, { noun, ways, action, ids, tags }: ManySelection) {
  if (ids.length === 0) return []
  const { rows } = await load(args, {
    rows: {
      endpoint: ways.find,
      options: {
        filters: { id: { $in: ids } },
        orderings: [{ value: { field: ways.name }, direction: 'asc' }],
        limit: maxUseIds,
        ...(noun === 'pages' && { includes: [{ resource: 'contents', limit: 100 }] }),
      },
    },
  })
  const read = (rows as { results: ReadRow[] }).results
  return planBulkAction(action, await addObstacles(args, noun, action, read), tags)
}

/** The preview of a bulk action: what changes, what cannot and why, and current uses. */
export async function bulkActionScreen(args: LoaderFunctionArgs) {
  const selection = parseSelection(args)
  const { noun, ways, action, ids, tags } = selection
  await requirePermission(args, getRequiredOperation(ways, action), ways.list)
  const plans = await loadPlans(args, selection)
  const changingIds = changing(plans).map(({ id }) => id)
  const uses = hides(action) && ways.used ? await loadUses(args, ways.used, changingIds) : {}
  return {
    ...{ noun, action, tags, list: ways.list, plans, uses },
    missing: ids.length - plans.length,
    isCut: new URL(args.request.url).searchParams.getAll('id').length > maxUseIds,
  }
}

interface Step {
  id: string
  version: number
  data: Record<string, unknown>
}

/**
 * Applies or reverts the previewed action, one call per row with the previewed version, so that no concurrent change is lost. Failures
 * do not stop the others.
 */
export async function runBulkAction(args: ActionFunctionArgs) {
  const selection = parseSelection(args)
  const { ways, action } = selection
  await requirePermission(args, getRequiredOperation(ways, action), ways.list)
  const form = await args.request.clone().formData()
  const isUndone = form.get('intent') === 'undo'
  const changingPlans = isUndone ? [] : changing(await loadPlans(args, selection))
  const marks = marksIn(form.get('shown'))
  const plans = changingPlans.filter(({ id, mark }) => marks[id] === mark)
  const changedPlans = changingPlans.filter(({ id, mark }) => marks[id] !== mark)
  const undone = stepsIn(form.get('steps'))
  // Changes between preview and action are rejected by version.
  const forward = plans.map(({ id, version, data }) => ({ id, version, data: data ?? {} }))
  const endpoints = getActionEndpoints(ways, action)
  const toRequests = (steps: readonly Step[], isUndo = false) =>
    steps.map(({ id, version, data }) => ({
      params: { [ways.param]: id },
      // A delete has no body; a restore needs no version, as nobody changes deleted rows.
      ...(action === 'delete'
        ? { data: undefined, ...(!isUndo && { version }) }
        : { data: { ...data, version } }),
    }))
  const outcome = await handleFormKeepingValues(args, {
    apply: { endpoint: endpoints.apply, each: toRequests(forward), goesOn: true },
    undo: { endpoint: endpoints.undo, each: toRequests(undone, true), goesOn: true },
  })
  if (!outcome.ok) return outcome
  const { intent, result: attempts } = outcome
  const names = isUndone ? undone.map(({ id, name }) => name || id) : plans.map(({ name }) => name)
  const notDone = attempts.flatMap((attempt, i) =>
    attempt.ok ? [] : [{ name: names[i] ?? '', message: attempt.message }],
  )
  const failures = [...changedPlans.map(({ name }) => ({ name, message: changedSince })), ...notDone]
  const undo = attempts.flatMap((attempt, i) => {
    const plan = plans[i]
    const version = attempt.ok ? (attempt.result as { version?: number }).version : undefined
    return plan && attempt.ok
      ? [{ id: plan.id, name: plan.name, version: version ?? 0, data: plan.before }]
      : []
  })
  return {
    ...{ ok: true as const, intent, refused: failures },
    done: attempts.length - notDone.length,
    undo: undo.length ? JSON.stringify(undo) : null,
  }
}

const changedSince = 'It was changed since it was shown here. Look at it, and choose it again.'

function marksIn(text: unknown): Record<string, unknown> {
  const value: unknown = typeof text === 'string' ? parseJsonObject(text) : null
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
}

/** Parses the steps to revert from a form; the endpoints validate them like any change. */
function stepsIn(text: unknown): (Step & { name: string })[] {
  const value: unknown = typeof text === 'string' ? parseJsonObject(text) : null
  return Array.isArray(value) ? value.filter(isStep).slice(0, maxUseIds) : []
}

function isStep(value: unknown): value is Step & { name: string } {
  if (value === null || typeof value !== 'object') return false
  const { id, name, data } = value as Partial<Step & { name: string }>
  return typeof id === 'string' && typeof name === 'string' && data !== null && typeof data === 'object'
}
