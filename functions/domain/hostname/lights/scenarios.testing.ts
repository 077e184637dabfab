import { here, host, proofZone, ours, proof, token, type Scenario } from './scenario.testing.ts'
import { servedScenarios } from './scenarios-served.testing.ts'
import type { Zone } from './zone.testing.ts'
import type { Light } from '#functions/shapes/domain.ts'

const cname = `CNAME ${host} oakton.hubs.test`
const txt = `TXT _commonplace.${host} ${proof}`

const address = (
  what: string,
  zone: Zone,
  cause: Light['cause'],
  says: RegExp,
  rest: Partial<Scenario> = {},
): Scenario => ({
  ...{
    what,
    zone: { ...ours, ...proofZone, ...zone },
    light: 'address',
    state: 'bad',
    cause,
    says,
    paste: cname,
  },
  ...rest,
})
const ownership = (
  what: string,
  zone: Zone,
  cause: Light['cause'],
  says: RegExp,
  rest: Partial<Scenario> = {},
): Scenario => ({
  ...{ what, zone: { ...ours, ...here, ...zone }, light: 'ownership', state: 'bad', cause, says, paste: txt },
  ...rest,
})
export const scenarios: Scenario[] = [
  // The proof.
  ownership('no TXT record at all', {}, 'proofMissing', /no TXT record at _commonplace\.data\.city\.org yet/),
  ownership(
    'a TXT record of another organization',
    { [`_commonplace.${host}`]: [['TXT', '"commonplace-verify=ffff"']] },
    'proofOther',
    /another organization.*Add yours beside it/,
  ),
  ownership(
    'the token without its beginning',
    { [`_commonplace.${host}`]: [['TXT', `"${token}"`]] },
    'proofBare',
    /starts with commonplace-verify=/,
    { remove: `TXT _commonplace.${host} ${token}` },
  ),
  ownership(
    'the record at the host itself',
    {
      [host]: [
        ['TXT', `"${proof}"`],
        ['A', '151.101.1.10'],
      ],
    },
    'proofAtHost',
    /its name must be _commonplace\.data\.city\.org/,
    { remove: `TXT ${host} ${proof}` },
  ),
  ownership(
    'a provider that adds the zone to a full name',
    { [`_commonplace.${host}.city.org`]: [['TXT', `"${proof}"`]] },
    'proofDoubled',
    /adds city\.org by itself/,
  ),
  ownership(
    'the record below www',
    { [`_commonplace.www.${host}`]: [['TXT', `"${proof}"`]] },
    'proofAtAlias',
    /stands below www\.data\.city\.org/,
  ),
  ownership(
    'a wildcard CNAME at the name of the proof',
    { '*.data.city.org': [['CNAME', 'parking.example.']], 'parking.example': [['A', '151.101.9.9']] },
    'proofAlias',
    /CNAME to parking\.example/,
  ),
  ownership(
    'an old answer that is repeated for a day',
    { [`_commonplace.${host}`]: [['TXT', '"commonplace-verify=0000"', 86400]] },
    'proofOther',
    /repeat the old answer for up to 24 hours/,
  ),
  ownership(
    'name servers that fail (SERVFAIL)',
    {},
    'servfail',
    /answer with a failure \(SERVFAIL\).*registrar/,
    { ill: { [`_commonplace.${host}`]: 'servfail' } },
  ),
  ownership('signatures that do not fit (DNSSEC bogus)', {}, 'dnssec', /DNSSEC.*Remove the DS record/, {
    ill: { [`_commonplace.${host}`]: 'bogus' },
  }),
  ownership('a resolver that does not answer', {}, 'resolver', /could not be asked.*Check again/, {
    ill: { [`_commonplace.${host}`]: 'down' },
    state: 'unknown',
    paste: undefined,
  }),
  ownership(
    'quotes pasted into the value',
    { [`_commonplace.${host}`]: [['TXT', `"\\"${proof}\\""`]] },
    null,
    /was found/,
    { state: 'good', paste: undefined },
  ),
  ownership(
    'a value in several strings',
    { [`_commonplace.${host}`]: [['TXT', `"${proof.slice(0, 20)}" "${proof.slice(20)}"`]] },
    null,
    /was found/,
    { state: 'good', paste: undefined },
  ),
  ownership(
    'a value in capitals',
    { [`_commonplace.${host}`]: [['TXT', `" ${proof.toUpperCase()} "`]] },
    null,
    /was found/,
    { state: 'good', paste: undefined },
  ),
  ownership(
    'two organizations that verify at once',
    {
      [`_commonplace.${host}`]: [
        ['TXT', '"commonplace-verify=ffff"'],
        ['TXT', `"${proof}"`],
      ],
    },
    null,
    /was found/,
    { state: 'good', paste: undefined },
  ),
  ownership(
    'a CNAME that carries the token',
    { [`_commonplace.${host}`]: [['CNAME', `${token}.verify.hubs.test.`]] },
    null,
    /was found/,
    { state: 'good', paste: undefined },
  ),
  // The addresses of the host.
  address(
    'a name without an address (NODATA)',
    { 'city.org': [['A', '151.101.9.9']], '_commonplace.data.city.org': [] },
    'noAddress',
    /without an address.*CNAME to oakton\.hubs\.test/,
  ),
  { ...address('no such name at all (NXDOMAIN)', {}, 'noName', /no data\.city\.org in DNS yet/), zone: ours },
  address(
    'a CNAME to what does not exist any more',
    { [host]: [['CNAME', 'gone.cloud.example.']] },
    'dangling',
    /gone\.cloud\.example, which does not exist any more/,
    { remove: `CNAME ${host} gone.cloud.example` },
  ),
  address(
    'a CNAME that leads back to itself',
    { [host]: [['CNAME', 'a.city.org.']], 'a.city.org': [['CNAME', `${host}.`]] },
    'loop',
    /leads back to itself/,
  ),
  address(
    'a CNAME to the host of another place',
    { [host]: [['CNAME', 'elmsford.hubs.test.']] },
    'otherPlace',
    /elmsford\.hubs\.test, the host of another hub/,
    { remove: `CNAME ${host} elmsford.hubs.test` },
  ),
  address(
    'the two CNAMEs mistaken for each other',
    { [host]: [['CNAME', `${token}.verify.hubs.test.`]] },
    'verifyTarget',
    /belongs to _commonplace\.data\.city\.org/,
  ),
  address(
    'a proxied record',
    {
      [host]: [
        ['A', '104.21.7.7'],
        ['AAAA', '2606:4700:3030::1'],
      ],
    },
    'proxied',
    /DNS only/,
  ),
  address(
    'an AAAA record left from the old server',
    {
      [host]: [
        ['A', '151.101.1.10'],
        ['AAAA', '2600:9000:1::1'],
      ],
    },
    'staleAaaa',
    /AAAA record 2600:9000:1::1 leads elsewhere/,
    { remove: `AAAA ${host} 2600:9000:1::1` },
  ),
  address(
    'an A record left from the old server',
    {
      [host]: [
        ['A', '151.101.9.9'],
        ['AAAA', '2a04:4e42:0::10'],
      ],
    },
    'staleA',
    /A record 151\.101\.9\.9 leads elsewhere/,
    { remove: `A ${host} 151.101.9.9` },
  ),
  address(
    'two A records, one of the old server',
    {
      [host]: [
        ['A', '151.101.1.10'],
        ['A', '151.101.9.9'],
      ],
    },
    'mixed',
    /and to 151\.101\.9\.9 in turns/,
    { remove: `A ${host} 151.101.9.9` },
  ),
  address(
    'a wildcard that answers for it',
    { '*.city.org': [['A', '151.101.9.9']], 'city.org': [['A', '151.101.9.9']] },
    'wildcard',
    /wildcard record \(\*\.city\.org\)/,
    { zone: { ...ours, '*.city.org': [['A', '151.101.9.9']], 'city.org': [['A', '151.101.9.9']] } },
  ),
  address(
    'an address of a private network',
    { [host]: [['A', '10.1.2.3']] },
    'private',
    /10\.1\.2\.3, which only your own network/,
  ),
  address(
    'an address of the visitor’s own machine',
    {
      [host]: [
        ['A', '127.0.0.1'],
        ['AAAA', '::1'],
      ],
    },
    'loopback',
    /each visitor's own machine/,
  ),
  address(
    'the old server, repeated for a day',
    { [host]: [['A', '151.101.9.9', 86400]] },
    'elsewhere',
    /leads to 151\.101\.9\.9.*24 hours/,
    { remove: `A ${host} 151.101.9.9` },
  ),
  address(
    'another service',
    { [host]: [['CNAME', 'city.github.io.']], 'city.github.io': [['A', '185.199.108.153']] },
    'elsewhere',
    /leads to city\.github\.io/,
    { remove: `CNAME ${host} city.github.io` },
  ),
  address(
    'only www leads here',
    { 'www.city.org': [['CNAME', 'oakton.hubs.test.']], 'city.org': [['A', '151.101.9.9']] },
    'wwwOnly',
    /Only www\.city\.org leads here/,
    { host: 'city.org', paste: 'A city.org 151.101.1.10' },
  ),
  address(
    'only the apex leads here',
    { 'www.city.org': [['A', '151.101.9.9']], 'city.org': [['A', '151.101.1.10']] },
    'apexOnly',
    /Only city\.org leads here/,
    { host: 'www.city.org', paste: 'CNAME www.city.org oakton.hubs.test' },
  ),
  address(
    'an apex without www beside it',
    {
      'city.org': [
        ['A', '151.101.1.10'],
        ['AAAA', '2a04:4e42::10'],
      ],
    },
    'aliasMissing',
    /www\.city\.org does not/,
    { host: 'city.org', state: 'good', paste: 'CNAME www.city.org oakton.hubs.test' },
  ),
  address(
    'an apex that is elsewhere',
    { 'city.org': [['A', '151.101.9.9']] },
    'elsewhere',
    /ALIAS \(also called ANAME or flattened CNAME\)/,
    { host: 'city.org', paste: 'ALIAS city.org oakton.hubs.test' },
  ),
  address(
    'a flattened apex',
    { 'city.org': [['A', '151.101.1.10']], 'www.city.org': [['CNAME', 'city.org.']] },
    null,
    /leads here/,
    { host: 'city.org', state: 'good', paste: undefined },
  ),
  address(
    'a name in another script',
    { 'xn--bcher-kva.org': [['A', '151.101.9.9']] },
    'elsewhere',
    /xn--bcher-kva\.org leads to/,
    { host: 'xn--bcher-kva.org', paste: 'ALIAS xn--bcher-kva.org oakton.hubs.test' },
  ),
  address('signatures that do not fit (DNSSEC bogus) at the host', here, 'dnssec', /Remove the DS record/, {
    ill: { [host]: 'bogus' },
  }),
  ...servedScenarios,
]
