import { expect, test } from 'vitest'
import { isolatedPoints, splitAtGaps } from './gaps.ts'
import { samples } from './samples.testing.ts'
import { chartSpec } from './spec.ts'
import { chartSvg } from './svg.ts'

const month = (n: number) => ({ x: Date.UTC(2020, n, 1) })

test('a missing bucket begins a new segment; without a bucket there are no gaps', () => {
  const points = [0, 1, 2, 4, 6, 7].map(month)
  expect(splitAtGaps(points, 'month').map(({ part }) => part)).toEqual([0, 0, 0, 1, 2, 2])
  expect(isolatedPoints(splitAtGaps(points, 'month')).map(({ x }) => new Date(x).getUTCMonth())).toEqual([4])
  expect(splitAtGaps(points, undefined).every(({ part }) => part === 0)).toBe(true)
  expect(splitAtGaps([0, 1, 2].map(month), 'year').every(({ part }) => part === 0)).toBe(true)
})

test('a clock change is no gap, but a missing hour beside it is', () => {
  const hour = 3_600_000
  const getLastPart = (xs: number[], bucket: 'day' | 'hour') =>
    splitAtGaps(
      xs.map((x) => ({ x: x * hour })),
      bucket,
    ).at(-1)?.part
  expect(getLastPart([0, 24, 49], 'day')).toBe(0)
  expect(getLastPart([0, 24, 72], 'day')).toBe(1)
  expect(getLastPart([0, 1, 2, 4], 'hour')).toBe(1)
  // Weekly readings in buckets of days do not have six missing days each.
  expect(getLastPart([0, 168, 336, 504], 'day')).toBe(0)
})

test.each(['line', 'area'] as const)('a %s does not cross a gap', async (type) => {
  const { rows, ...rest } = samples.line
  const countPathSegments = async (months: number[], to = '2012-06-30') => {
    const svg = await chartSvg(
      chartSpec({
        ...rest,
        output: { ...rest.output, coverage: { alias: 'month', from: '2012-01-01', to, precision: 'day' } },
        visualization: { type },
        rows: months.map((n) => ({ ...rows[0], month: `2012-0${n}-01`, t: n })),
      })!,
      { id: 'c', title: '', description: '' },
    )
    // The number of segments in the path of the line itself.
    const strokes = [
      ...svg.matchAll(
        /<path[^>]*\bd="(M[^"]*)"[^>]*stroke-width="2.25"|<path[^>]*stroke-width="2.25"[^>]*\bd="(M[^"]*)"/g,
      ),
    ]
    return strokes
      .map(([, one, other]) => one ?? other ?? '')
      .join('')
      .match(/M/g)?.length
  }
  expect(await countPathSegments([1, 2, 3, 4, 5, 6])).toBe(1)
  expect(await countPathSegments([1, 2, 5, 6])).toBe(2)
  // The segment to the last, partial month is a path of its own; none crosses a gap to it.
  expect(await countPathSegments([1, 2, 5, 6], '2012-06-15')).toBe(3)
  expect(await countPathSegments([1, 2, 3, 4, 6], '2012-06-15')).toBe(1)
})
