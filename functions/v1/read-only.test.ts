import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { send } from './testing/ask.testing.ts'
import { bodyFor, queryFor } from './testing/bodies.testing.ts'
import { pickCrossSection } from './testing/figures.testing.ts'
import { fill, buildIdSets } from './testing/ids.testing.ts'
import { openProofWorld, type ProofWorld } from './testing/world.testing.ts'
import { routes, type Route } from '#functions/api/routes.ts'

let world: ProofWorld
beforeAll(async () => {
  world = await openProofWorld()
})
afterAll(() => world.close())

const all = routes(v1)

/** Sends a minimal request to an endpoint as an actor. */
async function ask(route: Route, name: string) {
  const path = `${fill(route, buildIdSets(world).closed)}${queryFor(route)}`
  const body = route.method === 'get' ? undefined : bodyFor(route)
  return send(world, world.asker(name), { method: route.method, path, body })
}

test('while the database is read-only, reads work and writes are rejected as temporary failures', async () => {
  const cells = pickCrossSection(all, 3).flatMap((route) =>
    ['super_admin', 'organization_admin'].map((name) => ({
      route,
      name,
      isRead: route.method === 'get',
      cell: `${route.name} as ${name}`,
    })),
  )
  const answers = new Map<string, number>()
  const wrong: string[] = []
  let rejectedCount = 0
  await world.database.makeReadOnly(true)
  for (const { route, name, isRead, cell } of cells) {
    const { status, headers, text } = await ask(route, name)
    answers.set(cell, status)
    if (isRead || status < 500) continue
    rejectedCount += 1
    const isRight = status === 503 && Number(headers.get('retry-after')) > 0 && text.includes('only be read')
    if (!isRight) wrong.push(`${cell}: ${status} ${text.slice(0, 200)}`)
  }
  await world.database.makeReadOnly(false)
  for (const { route, name, cell } of cells.filter(({ isRead }) => isRead)) {
    const { status } = await ask(route, name)
    if (answers.get(cell) !== status) wrong.push(`${cell}: ${answers.get(cell)}, but ${status} afterwards`)
  }
  expect(wrong).toEqual([])
  expect(rejectedCount).toBeGreaterThan(50)
}, 180_000)
