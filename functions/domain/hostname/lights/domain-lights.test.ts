import { expect, test } from 'vitest'
import { asker, buildClaim, checkLights } from './index.ts'
import { token } from './scenario.testing.ts'
import { scenarios } from './scenarios.testing.ts'
import { looking, network } from './zone.testing.ts'
import type { HostState } from '#functions/platform/hosts/port.ts'
import { Light, type PastedRecord } from '#functions/shapes/domain.ts'
import * as v from 'valibot'

const active: HostState = { certificate: 'active', reason: null, records: [], expiresAt: null }
const formatRecords = (records: PastedRecord[]) =>
  records.map(({ type, name, value }) => `${type} ${name} ${value}`)

async function lightsIn(
  scenario: Pick<(typeof scenarios)[number], 'zone' | 'ill' | 'web' | 'host'>,
  certificate: HostState | null = active,
) {
  const { zone, ill = {}, web = {}, host = 'data.city.org' } = scenario
  const { fetch, lookups } = network(zone, { ill, web })
  const ctx = looking(fetch)
  const claim = buildClaim(ctx, { placeId: 'oakton', host, token })
  const lights = await checkLights(ctx, asker(ctx), claim, certificate)
  for (const each of lights) v.parse(Light, each)
  expect(lights.map(({ name }) => name)).toEqual(['ownership', 'address', 'caa', 'certificate', 'content'])
  return { lights, lookups }
}

test.each(scenarios)('$light: $what', async (scenario) => {
  const { lights, lookups } = await lightsIn(scenario)
  const light = lights.find(({ name }) => name === scenario.light)
  expect(light).toMatchObject({ state: scenario.state, cause: scenario.cause })
  expect(light?.says).toMatch(scenario.says)
  if (scenario.paste === undefined)
    expect(light?.state === 'bad' && light.name !== 'caa' && light.name !== 'content').toBe(false)
  else expect(formatRecords(light?.paste ?? [])).toContain(scenario.paste)
  if (scenario.remove !== undefined) expect(formatRecords(light?.remove ?? [])).toContain(scenario.remove)
  // Every red light has a text with advice, and the number of requests is bounded.
  for (const each of lights) if (each.state === 'bad') expect(each.says.length).toBeGreaterThan(30)
  expect(lookups.length).toBeLessThan(30)
})

test('at least thirty kinds of failure are distinguished by light and message', () => {
  const failing = scenarios.filter(({ state }) => state !== 'good')
  expect(failing.length).toBeGreaterThanOrEqual(30)
  expect(new Set(scenarios.map(({ what }) => what)).size).toBe(scenarios.length)
})

test.each([
  ['waits for the proof', null, 'waiting', 'proofFirst'],
  ['is made', { ...active, certificate: 'pending', reason: 'Being made.' }, 'waiting', 'certificatePending'],
  [
    'failed',
    { ...active, certificate: 'failed', reason: 'A CAA record forbids it.' },
    'bad',
    'certificateFailed',
  ],
  ['ends in nine days', { ...active, expiresAt: new Date('2026-11-30T13:00:00Z') }, 'bad', 'certificateEnds'],
  ['holds', { ...active, expiresAt: new Date('2027-01-30') }, 'good', null],
] as const)('certificate: %s', async (_what, state, light, cause) => {
  const { lights } = await lightsIn({ zone: {} }, state && { ...state, records: [] })
  expect(lights[3]).toMatchObject({ name: 'certificate', state: light, cause })
})
