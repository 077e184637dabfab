import { afterAll, beforeAll, expect, test } from 'vitest'
import { settings } from '#db/worlds/world.ts'
import { toStoredSources } from '../check.ts'
import { openImporterFixture, origin, trees, type ImporterFixture } from './testing.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

/** A server on which the secret was replaced, and the one before removed too early. */
const withReplacedSecret = () =>
  bed.system({ settings: { ...settings, authSecret: 'the secret that came in its place, long enough' } })

test('an importer whose secrets cannot be decrypted is not run with empty ones, and says what to do', async () => {
  const requests: string[] = []
  bed.files.set('/guarded', () => {
    requests.push('once')
    return { status: 200, body: JSON.stringify(trees(3)) }
  })
  const id = await bed.importer({ retries: 3 })
  const source = {
    url: `${origin}/guarded`,
    parser: 'json' as const,
    headers: { authorization: 'Bearer abc' },
  }
  const { sources, secrets } = await toStoredSources(bed.system(), { id, secrets: null }, [source])
  await bed.system().db.updateTable('importer').set({ sources, secrets }).where('id', '=', id).execute()
  await bed.start(id)
  const ctx = withReplacedSecret()
  await bed.finish({}, ctx)
  expect(await bed.job(id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: expect.stringMatching(
      /cannot be read any more.*Type them again and save the importer\.$/,
    ) as string,
  })
  expect(requests).toEqual([])
  expect(ctx.reported).toEqual([])
  // The secret that was missing is there again.
  await bed.start(id)
  const { settings: fresh } = withReplacedSecret()
  await bed.finish({}, bed.system({ settings: { ...fresh, previousAuthSecret: settings.authSecret } }))
  expect(requests).toEqual(['once'])
})

test('a run that lost the address of its next page ends, and requests no other one', async () => {
  const pages: string[] = []
  for (const n of [0, 1, 2])
    bed.files.set(`/list?n=${n}`, () => {
      pages.push(String(n))
      const next = n < 2 ? `${origin}/list?n=${n + 1}` : null
      return { status: 200, body: JSON.stringify({ data: trees(5, n * 5), next }) }
    })
  const sources = JSON.stringify([
    {
      url: `${origin}/list?n=0`,
      parser: 'json',
      parserOptions: { selector: 'data.*' },
      pagination: { nextPageSelector: 'next' },
    },
  ])
  const id = await bed.importer({ sources })
  await bed.start(id)
  const { step } = await import('./step.ts')
  await step(bed.system(), bed.work({ budgetMs: 0 }))
  expect(pages).toEqual(['0', '1'].slice(0, pages.length))
  const before = pages.length
  await bed.due()
  await bed.finish({}, withReplacedSecret())
  expect(await bed.job(id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/Where the next page is .* Run the importer again\.$/) as string,
  })
  expect(pages).toHaveLength(before)
})
