import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected } from './ledger.testing.ts'
import { step } from './step.ts'
import { toCsv, good, hashRows, openImporterFixture, trees, type ImporterFixture } from './testing.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { flaky } from '#functions/engine/import/fetch/testing.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

const old = good(trees(1200, 0, 9))
const first = trees(6000)
// Of the same length, with other heights and other records: a mix of both files would be noticed.
const second = trees(6000, 3000, 5)

test.each([
  ['with an ETag and ranges', true, true],
  ['with an ETag', true, false],
  ['with nothing to tell it by', false, false],
])(
  'when a file is replaced while it is read, %s: the old records stay until one of the files is imported completely',
  async (name, hasTag, takesRanges) => {
    let requestCount = 0
    // Broken off again and again; from its second answer on it is the other file.
    const body = () => Buffer.from(toCsv((requestCount += 1) > 1 ? second : first))
    const origin = `https://turning-${name.replaceAll(/\W/g, '').toLowerCase()}.example.org`
    await bed.net.serve(
      origin,
      flaky({
        ...{ file: body, cuts: [40_000, 60_000, 50_000, 70_000], takesRanges },
        ...(hasTag && { etag: () => `"v${requestCount > 1 ? 2 : 1}"` }),
      }),
    )
    const sources = JSON.stringify([{ url: `${origin}/trees.csv`, parser: 'csv' }])
    const id = await bed.importer({ mode: 'replace', sources, retries: 5 })
    await ingest(bed.system(), id, old)
    const before = await bed.readStored(id)
    await bed.start(id)
    let steps = 0
    for (;;) {
      await bed.due()
      const isMore = await step(bed.system(), bed.work({ budgetMs: 0, batchRows: 500 }))
      const { status } = await bed.job(id)
      if (status === 'succeeded' || !isMore) break
      // Until the commit, readers see only the old records.
      expect(await bed.readStored(id)).toEqual(before)
      expect((steps += 1)).toBeLessThan(300)
    }
    expect(await bed.job(id)).toMatchObject({ status: 'succeeded', error: null })
    expect(requestCount).toBeGreaterThan(1)
    expect(steps).toBeGreaterThan(5)
    const after = await bed.readStored(id)
    expect(after.hash).toBe(await hashRows(expected('replace', old, second).rows))
    expect(after.version).toBe(before.version + 1)
    expect(await bed.staged()).toBe(0)
  },
)
