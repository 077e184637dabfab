import type { Context } from '#functions/context.ts'
import { setSsoSubject } from '#functions/domain/identity/sso/place-provider.ts'
import { parseMailDomain } from '#functions/shapes/domain.ts'
import type { Tx } from '#db/schema.ts'

/** The role of people who join by the domain of their address. */
export const roleByAddress = 'viewer'

/**
 * The places that the actor may join by the domain of their confirmed address, by name: those that have proved the
 * domain in DNS, have enabled this, and do not have the actor as a member yet. Subdomains of a proved domain do not
 * count.
 */
export async function placesOpenTo(tx: Tx, { actor }: Pick<Context, 'actor'>) {
  const { user, memberships } = actor
  if (!user?.verified) return []
  const domain = parseMailDomain(user.email)
  if (domain === null) return []
  // Row-level security shows a proved domain only to a transaction that names it.
  await setSsoSubject(tx, domain)
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
  await setSsoSubject(tx, '')
  return places.filter(({ id }) => !memberships.some(({ placeId }) => placeId === id))
}
