import { expect, test } from 'vitest'
import type { FigureReporter } from '../figures-proof.ts'
import { reportPlaces } from './figures.ts'

/** What is said of a run: its lines, and the figures that are missed. */
function reported(of: Parameters<typeof reportPlaces>[1]) {
  const lines: string[] = []
  const missed: string[] = []
  const reporter: FigureReporter = {
    log: (line) => void lines.push(line.trim()),
    most: (figure, measured, bound) => void (measured > bound && missed.push(figure)),
    least: (figure, measured, bound) => void (measured < bound && missed.push(figure)),
  }
  reportPlaces(reporter, of)
  return { lines, missed }
}

const whole = { pictures: 240, live: 120, faults: 0 }

test('a whole run has all pictures of three browsers, a run of some hubs has at least one', () => {
  expect(reported({ counts: whole, only: '', missing: [] }).missed).toEqual([])
  expect(reported({ counts: { ...whole, live: 95, pictures: 191 }, only: '', missing: [] }).missed).toEqual([
    'pictures of the maps of hubs, still and live',
    'of them of maps that live',
  ])
  expect(
    reported({ counts: { ...whole, live: 1, pictures: 2 }, only: 'look-fiji', missing: [] }).missed,
  ).toEqual([])
  expect(reported({ counts: {}, only: 'look-fiji', missing: [] }).missed).toHaveLength(3)
})

test('a browser that is not installed is said, and is a missed figure', () => {
  const counts = { ...whole, pictures: 128, live: 64 }
  const { lines, missed } = reported({ counts, only: '', missing: ['Not walked in webkit'] })
  expect(lines).toEqual(['Not walked in webkit'])
  expect(missed).toContain('browsers that were not looked at')
})
