import type { NameFaults, Web, Zone } from './zone.testing.ts'
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
export const proofZone = { [`_commonplace.${host}`]: [['TXT', `"${proof}"`]] } satisfies Zone
export const here = { [host]: [['CNAME', 'oakton.hubs.test.']] } satisfies Zone

/** A situation while an organization sets up a host, and the check that must report it. */
export interface Scenario {
  what: string
  host?: string
  zone: Zone
  ill?: NameFaults
  web?: Web
  light: Light['name']
  state: Light['state']
  cause: Light['cause']
  /** A pattern that the suggested fix must match. */
  says: RegExp
  /** The record to set, and the one to remove: `TYPE name value`. */
  paste?: string
  remove?: string
}
