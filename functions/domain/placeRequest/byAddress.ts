import type { Context } from '#functions/context.ts'
import { sayWhichPlace } from '#functions/domain/identity/sso/place-provider.ts'
import { mailDomainOf } from '#functions/shapes/domain.ts'
import type { Tx } from '#db/schema.ts'

/** What someone becomes who comes in by the domain of their address. */
export const roleByAddress = 'viewer'

/**
 * The places that let the actor in by the domain of their confirmed address, by name: those that have proved in DNS that the domain is
 * theirs, want it so, and do not have the actor yet. A domain below a proved one is another.
 */
export async function placesOpenTo(tx: Tx, { actor }: Pick<Context, 'actor'>) {
  const { user, memberships } = actor
  if (!user?.verified) return []
  const domain = mailDomainOf(user.email)
  if (domain === null) return []
  // Row-level security shows proved domains to who says which one it is about.
  await sayWhichPlace(tx, domain)
  const places = await tx
    .selectFrom('mailDomain')
    .innerJoin('place', 'place.id', 'mailDomain.placeId')
    .select(['place.id', 'place.displayName'])
    .where('mailDomain.domain', '=', domain)
    .where('mailDomain.letsJoin', '=', true)
    .where('mailDomain.verifiedAt', 'is not', null)
    .where('place.deletedAt', 'is', null)
    .orderBy('place.displayName')
    .orderBy('place.id')
    .execute()
  await sayWhichPlace(tx, '')
  return places.filter(({ id }) => !memberships.some(({ placeId }) => placeId === id))
}
