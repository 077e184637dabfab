import { here, host, proofZone, ours, type Scenario } from './scenario.testing.ts'
import type { Web, Zone } from './zone.testing.ts'
import type { Light } from '#functions/shapes/domain.ts'

const caa = `CAA city.org 0 issue "letsencrypt.org"`
const hub: Web = { [host]: { status: 200, body: 'oakton' } }

const authority = (
  what: string,
  zone: Zone,
  cause: Light['cause'],
  says: RegExp,
  rest: Partial<Scenario> = {},
): Scenario => ({
  ...{
    what,
    zone: { ...ours, ...proofZone, ...here, ...zone },
    light: 'caa',
    state: 'bad',
    cause,
    says,
    paste: caa,
  },
  ...rest,
})
const content = (
  what: string,
  web: Web,
  cause: Light['cause'],
  state: Light['state'],
  says: RegExp,
): Scenario => ({
  ...{ what, zone: { ...ours, ...proofZone, ...here }, web, light: 'content', state, cause, says },
})

/** Certificate authorities, and the served content. */
export const servedScenarios: Scenario[] = [
  // Certificate authorities.
  authority(
    'CAA for another authority',
    { 'city.org': [['CAA', '0 issue "digicert.com"']] },
    'caaBlocks',
    /only digicert\.com issue/,
  ),
  authority(
    'CAA in bytes, as some resolvers write it',
    { 'city.org': [['CAA', '\\# 19 00 05 69 73 73 75 65 64 69 67 69 63 65 72 74 2e 63 6f 6d']] },
    'caaBlocks',
    /only digicert\.com issue/,
  ),
  authority(
    'CAA that forbids all',
    { 'city.org': [['CAA', '0 issue ";"']] },
    'caaForbidsAll',
    /forbids every certificate/,
    { remove: 'CAA city.org 0 issue ";"' },
  ),
  authority(
    'CAA for one account',
    { 'city.org': [['CAA', '0 issue "letsencrypt.org; accounturi=https://acme.example/1"']] },
    'caaRestricted',
    /one account/,
  ),
  authority(
    'a critical CAA that no one knows',
    {
      'city.org': [
        ['CAA', '128 tbs "unknown"'],
        ['CAA', '0 issue "letsencrypt.org"'],
      ],
    },
    'caaCritical',
    /marked critical/,
    { remove: 'CAA city.org 128 tbs "unknown"' },
  ),
  authority('no answer to the question for CAA', {}, 'caaUnanswered', /issues nothing/, {
    ill: { 'city.org': 'servfail' },
    paste: undefined,
  }),
  authority(
    'CAA for ours among others',
    {
      'city.org': [
        ['CAA', '0 issue "digicert.com"'],
        ['CAA', '0 issue "pki.goog; cansignhttpexchanges=yes"'],
      ],
    },
    null,
    /let our certificate authorities/,
    { state: 'good', paste: undefined },
  ),
  authority(
    'CAA that only says where to report',
    { 'city.org': [['CAA', '0 iodef "mailto:a@city.org"']] },
    null,
    /let every authority/,
    { state: 'good', paste: undefined },
  ),
  // The served content.
  content('the hub', hub, null, 'good', /hub answers/),
  content(
    'the hub of another place',
    { [host]: { status: 200, body: 'elmsford' } },
    'otherPlace',
    'bad',
    /Another hub answers/,
  ),
  content(
    'a page of someone else',
    { [host]: { status: 200, body: '<h1>Parked</h1>' } },
    'otherServer',
    'bad',
    /Something else/,
  ),
  content(
    'a redirect of the provider',
    { [host]: { status: 301, location: 'https://city.org/' } },
    'redirects',
    'bad',
    /redirects to https:\/\/city\.org/,
  ),
  content(
    'a closed hub',
    { [host]: { status: 302, location: 'https://app.test/explore' } },
    'hubClosed',
    'waiting',
    /Open it/,
  ),
  content(
    'a certificate that is not there yet',
    { [host]: { status: 525 } },
    'notYet',
    'waiting',
    /some minutes/,
  ),
  content('no one who answers', {}, 'unreachable', 'bad', /No one answers/),
]
