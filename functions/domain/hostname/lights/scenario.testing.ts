import type { Ill, Web, Zone } from './zone.testing.ts'
import type { Light } from '#functions/shapes/domain.ts'

export const token = '0123456789abcdef0123456789abcdef'
export const proof = `commonplace-verify=${token}`
export const ours: Zone = {
  'oakton.hubs.test': [
    ['A', '151.101.1.10'],
    ['AAAA', '2a04:4e42::10'],
  ],
  'elmsford.hubs.test': [['A', '151.101.1.10']],
}
export const host = 'data.city.org'
export const named = { [`_commonplace.${host}`]: [['TXT', `"${proof}"`]] } satisfies Zone
export const here = { [host]: [['CNAME', 'oakton.hubs.test.']] } satisfies Zone

/** Something that goes wrong when an organisation sets up a host, or does not: and which light must say what. */
export interface Scenario {
  what: string
  host?: string
  zone: Zone
  ill?: Ill
  web?: Web
  light: Light['name']
  state: Light['state']
  cause: Light['cause']
  /** Words that the fix must have. */
  says: RegExp
  /** The record to paste, and the one to take away: `TYPE name value`. */
  paste?: string
  remove?: string
}
