import { isAllowed, noSubject } from './allowed.ts'
import { loadGrants } from './grants.ts'
import { operations, type OperationName } from './operations.ts'
import type { Context } from '#functions/context.ts'

/** The most people that are named; the others are counted. */
const maxNames = 3

/**
 * A sentence that says who may do an operation: the roles that have it now, and in a place the people with such a role,
 * if the actor may see its people. Global roles are named only where no role of places has it. Null where no role
 * decides.
 */
export async function describeWhoMay(
  ctx: Context,
  operation: OperationName,
  placeId: string | null,
  does = describeOperation(operation),
): Promise<string | null> {
  const grants = await loadGrants(ctx)
  const all = await ctx.db
    .selectFrom('role')
    .select(['id', 'name', 'scope'])
    .orderBy('name', (order) => order.collate('natural_order'))
    .execute()
  const mayRoles = all.filter(({ id }) => grants.get(id)?.has(operation))
  const placeRoles = mayRoles.filter(({ scope }) => scope === 'place')
  const roles = placeRoles.length ? placeRoles : mayRoles
  if (!roles.length) return null
  const rule = `Only people with the role ${joinWithOr(roles.map(({ name }) => name))} may ${does}.`
  const seesPeople = isAllowed(ctx.actor, 'placeUser.read', { ...noSubject, placeId }, grants)
  if (placeId === null || !placeRoles.length || !seesPeople) return rule
  const ids = placeRoles.map(({ id }) => id)
  return `${rule} ${whomToAsk(await holders(ctx, placeId, ids))}`
}

/** The names of the people in a place who have one of these roles, ordered by name. */
async function holders({ db }: Context, placeId: string, roles: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('placeUser')
    .innerJoin('user', 'user.id', 'placeUser.userId')
    .select('user.name')
    .where('placeUser.placeId', '=', placeId)
    .where('placeUser.role', 'in', roles)
    .orderBy('user.name', (order) => order.collate('natural_order'))
    .execute()
  return rows.map(({ name }) => name)
}

function whomToAsk(names: string[]): string {
  if (!names.length) return 'Nobody here has such a role now.'
  const firstNames = names.slice(0, maxNames)
  const others = names.length - firstNames.length
  return `Ask ${joinWithOr(others ? [...firstNames, `one of ${others} more`] : firstNames)}.`
}

const list = new Intl.ListFormat('en', { type: 'disjunction' })
const joinWithOr = (names: string[]): string => list.format(names)

/** An operation as part of a sentence on screens, which call a place an organization: "change a page and its contents". */
function describeOperation(operation: OperationName): string {
  const [, sentence] = operations[operation]
  const text = sentence.replace(/\ba place\b/g, 'an organization').replace(/\bplace(?=s?\b)/g, 'organization')
  return text.charAt(0).toLowerCase() + text.slice(1)
}
