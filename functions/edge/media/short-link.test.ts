import { expect, test } from 'vitest'
import { storeLink, pageCode } from '#functions/engine/address/short-link.ts'
import { followLink } from '#functions/edge/media/follow-link.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { writeSnapshot } from '#functions/edge/hub/snapshot.ts'

const hosts = { appHost: 'app.test', publicHost: 'hubs.test', scheme: 'https' as const }
const follow = async (hubs: R2Bucket, code: string) =>
  followLink(new Request(`https://oak.hubs.test/s/${code}`), hubs, hosts)

test('a page has one code, which redirects to it on its hub’s own host', async () => {
  const hubs = memoryBucket()
  const code = await pageCode(hubs, 'oak', '/es/map')
  expect(code).toMatch(/^[A-Za-z2-9]{8}$/)
  expect(await pageCode(hubs, 'oak', '/es/map')).toBe(code)
  expect(await pageCode(hubs, 'oak', '/map')).not.toBe(code)
  expect(await pageCode(hubs, 'elm', '/es/map')).not.toBe(code)
  await writeSnapshot(hubs, 'oak.hubs.test', {
    placeId: 'oak',
    isHub: true,
    canonicalHost: 'data.oak.test',
    manifest: 1,
    sources: {},
  })
  const answer = await follow(hubs, code)
  expect([answer?.status, answer?.headers.get('location')]).toEqual([302, 'https://data.oak.test/es/map'])
})

test('a code that is taken by another page is not overwritten', async () => {
  const [hubs, other] = [memoryBucket(), memoryBucket()]
  const code = await pageCode(other, 'oak', '/map')
  await storeLink(hubs, code, { placeId: 'elm', path: '/', onHub: true })
  const ownCode = await pageCode(hubs, 'oak', '/map')
  expect(ownCode).not.toBe(code)
  expect(await pageCode(hubs, 'oak', '/map')).toBe(ownCode)
})
