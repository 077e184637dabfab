import { endpoint } from '#functions/api/endpoint.ts'
import * as domains from '#functions/domain/hostname/domains.ts'
import { DomainOptions, Domains, Verified, VerifyDomain } from '#functions/shapes/domain.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** A place's own domains. The id of one is its name. */
export const domain = {
  verify: endpoint({
    allow: 'place.domain',
    data: VerifyDomain,
    returns: Verified,
    summary: 'Ask DNS whether a host is the place’s, and serve its hub there if so',
    run: domains.verify,
  }),
  find: endpoint({ allow: 'place.domain', options: DomainOptions, returns: Domains, run: domains.find }),
  deleteById: endpoint({
    allow: 'place.domain',
    returns: Deleted,
    summary: 'Give a host up',
    run: domains.deleteById,
  }),
}
