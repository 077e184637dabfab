import { byNaturalOrder } from '#functions/domain/noun/natural-order.ts'
import type { HiddenPart } from './hidden-parts.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import { updateRow } from '#functions/domain/noun/rows.ts'
import { isAllowed, noSubject } from '#functions/domain/access/allowed.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Tx } from '#db/schema.ts'

/**
 * Whether the actor may make insights and sources of a place public; `who`: names of the roles that may do
 * both.
 */
export interface ShowingRights {
  insight: boolean
  source: boolean
  who: string[]
}

const operations = { insight: 'insight.update', source: 'source.update' } as const

/** The actor's rights to make things public in a place. Query it before a transaction. */
export async function showingRights(ctx: Context, placeId: string): Promise<ShowingRights> {
  const grants = await loadGrants(ctx)
  const roles = await ctx.db
    .selectFrom('role')
    .select(['id', 'name'])
    .where('scope', '=', 'place')
    .orderBy('name', byNaturalOrder)
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

/** Why the actor cannot make these parts public; null: they can. */
export function explainWhyNotPublic(parts: readonly HiddenPart[], rights: ShowingRights): string | null {
  if (parts.some(({ name }) => name === null))
    return 'Something on the page is not there any more, or you may not see it: take its part off, or publish without it.'
  const forbiddenTypes = (['insight', 'source'] as const).filter(
    (type) => !rights[type] && parts.some((part) => part.type === type),
  )
  if (!forbiddenTypes.length) return null
  const may = rights.who.length ? ` These roles may: ${rights.who.join(', ')}.` : ''
  return `Your role may not change ${forbiddenTypes.map((type) => `${type}s`).join(' and ')}.${may}`
}

/**
 * Makes the hidden parts of a page public, with an audit log line for each, in the transaction that publishes
 * the page. Failure `forbidden` where the actor may not, `invalid` where something does not exist, `conflict`
 * where it was changed meanwhile.
 */
export async function makePublic(
  tx: Tx,
  ctx: Context,
  placeId: string,
  parts: readonly HiddenPart[],
  rights: ShowingRights,
): Promise<void> {
  const why = explainWhyNotPublic(parts, rights)
  if (why !== null)
    throw new Failure(parts.some(({ name }) => name === null) ? 'invalid' : 'forbidden', { message: why })
  for (const { type, id, name, version } of parts) {
    if (name === null || version === null) continue
    // Fails with `conflict` for a row that was changed or deleted meanwhile, because its version differs.
    await updateRow(tx, ctx, type, { id, version }, { visibility: 'public' })
    await recordActivity(tx, ctx, { verb: 'updated', type, id, name, placeId })
    await emit(tx, { kind: type, placeId, payload: { id } })
  }
}
