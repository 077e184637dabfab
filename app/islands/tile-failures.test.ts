import { expect, test } from 'vitest'
import { TileFailures, retryDelays } from './tile-failures.ts'

type Request = { tile: { uses: number } }
const request = (uses = 1): Request => ({ tile: { uses } })
const fail = (failures: TileFailures<Request>, key: string, tileRequest: Request, times: number) =>
  Array.from({ length: times }, () => failures.add(key, tileRequest))

test('a tile is retried after each delay, and then given up', () => {
  const failures = new TileFailures<Request>()
  const tile = request()
  expect(fail(failures, 'a', tile, 2)).toEqual([...retryDelays])
  expect(failures.isIncomplete).toBe(false)
  expect(failures.add('a', tile)).toBe(undefined)
  expect(failures.isIncomplete).toBe(true)
  failures.remove('a')
  expect([failures.isIncomplete, failures.countAttempts('a')]).toEqual([false, 0])
})

test('a map stays incomplete while given up tiles are requested again, until they are loaded', () => {
  const failures = new TileFailures<Request>()
  const [a, b] = [request(), request()]
  fail(failures, 'a', a, 3)
  fail(failures, 'b', b, 3)
  expect(failures.restart()).toEqual([a, b])
  expect([failures.isIncomplete, failures.countAttempts('a')]).toEqual([true, 0])
  // A failure after the restart is the first of its own.
  expect(failures.add('a', a)).toBe(retryDelays[0])
  failures.remove('a')
  expect(failures.isIncomplete).toBe(true)
  failures.remove('b')
  expect(failures.isIncomplete).toBe(false)
})

test('larger tiles that stood in for a failed one leave no map incomplete once it has loaded', () => {
  const failures = new TileFailures<Request>()
  const [tile, larger] = [request(), request()]
  fail(failures, '8/41/89', tile, 2)
  fail(failures, '7/20/44', larger, 3)
  failures.remove('8/41/89')
  larger.tile.uses = 0
  failures.removeUnused()
  expect(failures.isIncomplete).toBe(false)
  expect(failures.restart()).toEqual([])
})

test('a tile of the view stays when others are no longer needed', () => {
  const failures = new TileFailures<Request>()
  fail(failures, 'a', request(2), 3)
  fail(failures, 'b', request(0), 3)
  failures.removeUnused()
  expect(failures.isIncomplete).toBe(true)
  expect(failures.restart()).toEqual([request(2)])
})

test('nothing is left to request once all are removed', () => {
  const failures = new TileFailures<Request>()
  fail(failures, 'a', request(), 2)
  fail(failures, 'b', request(), 3)
  failures.clear()
  expect([failures.countAttempts('a'), failures.isIncomplete, failures.restart()]).toEqual([0, false, []])
})
