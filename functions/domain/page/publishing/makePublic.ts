import type { HiddenPart } from './hiddenParts.ts'
import { record } from '#functions/domain/activity/activity.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import { updateRow } from '#functions/domain/noun/rows.ts'
import { isAllowed, noSubject } from '#functions/domain/access/allowed.ts'
import { grantsOf } from '#functions/domain/access/grants.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Tx } from '#db/schema.ts'

/** Of what the actor may change the visibility in a place; `who` names the roles that may change both. */
export interface ShowingRights {
  insight: boolean
  source: boolean
  who: string[]
}

const operations = { insight: 'insight.update', source: 'source.update' } as const

/** What the actor may make public in a place, and the names of the roles of places that may. Asked before a transaction. */
export async function showingRights(ctx: Context, placeId: string): Promise<ShowingRights> {
  const grants = await grantsOf(ctx)
  const roles = await ctx.db
    .selectFrom('role')
    .select(['id', 'name'])
    .where('scope', '=', 'place')
    .orderBy('name')
    .execute()
  const may = (type: HiddenPart['type']) =>
    isAllowed(ctx.actor, operations[type], { ...noSubject, placeId }, grants)
  const mayBoth = (id: string) => Object.values(operations).every((each) => grants.get(id)?.has(each))
  return {
    insight: may('insight'),
    source: may('source'),
    who: roles.filter(({ id }) => mayBoth(id)).map(({ name }) => name),
  }
}

/** Why the actor cannot make something public; null: it can. */
export function whyNotPublic(parts: readonly HiddenPart[], rights: ShowingRights): string | null {
  if (parts.some(({ name }) => name === null))
    return 'Something on the page is not there any more, or you may not see it: take its part off, or publish without it.'
  const refused = (['insight', 'source'] as const).filter(
    (type) => !rights[type] && parts.some((part) => part.type === type),
  )
  if (!refused.length) return null
  const may = rights.who.length ? ` These roles may: ${rights.who.join(', ')}.` : ''
  return `Your role may not change ${refused.map((type) => `${type}s`).join(' and ')}.${may}`
}

/**
 * Makes what a page shows public, with a line of the audit log for each, in the transaction that publishes the page. Failure
 * `forbidden` where the actor may not, `invalid` where something is not there, `conflict` where it was changed meanwhile.
 */
export async function makePublic(
  tx: Tx,
  ctx: Context,
  placeId: string,
  parts: readonly HiddenPart[],
  rights: ShowingRights,
): Promise<void> {
  const why = whyNotPublic(parts, rights)
  if (why !== null)
    throw new Failure(parts.some(({ name }) => name === null) ? 'invalid' : 'forbidden', { say: why })
  for (const { type, id, name, version } of parts) {
    if (name === null || version === null) continue
    // What was deleted meanwhile has another version
    await updateRow(tx, ctx, type, { id, version }, { visibility: 'public' })
    await record(tx, ctx, { verb: 'updated', type, id, name, placeId })
    await emit(tx, { kind: type, placeId, payload: { id } })
  }
}
