import type { Random } from './random.testing.ts'

const junk: readonly unknown[] = [
  null,
  [],
  {},
  '',
  'junk',
  5,
  -1,
  1.5,
  true,
  '2017-02-30',
  '5',
  { field: 'data.nothing' },
  { field: 'data.name' },
  { field: 'data.tags' },
  { field: 5 },
  { function: 'nothing' },
  { function: 'count' },
  { function: 'now' },
  { function: 'add', arguments: [1] },
  { function: 'add', arguments: { 0: 1 } },
  { function: 'expand', arguments: [{ field: 'data.tags' }] },
  { function: 'expand', arguments: [{ field: 'data.spots' }] },
  'IST',
  'CET',
  { function: 'max', arguments: [{ field: 'data.cost' }] },
  { val: 1, field: 'id' },
  ['a', 'b'],
  { $gt: 1 },
  { $foo: 1 },
  { $not: { $or: [] } },
  { unit: 'E1' },
]
const keys = [
  '$foo',
  '$in',
  '$and',
  '$or',
  '$not',
  'id',
  'data',
  'data.name',
  'data.cost',
  '$overlap',
  'field',
  '$regexp',
  'val',
  '$adjacent',
  'function',
  'constructor',
]

interface Place {
  holder: Record<string, unknown> | unknown[]
  key: string | number
}

/** A query with one or two random changes: most of them must be rejected. */
export function mutated(question: Record<string, unknown>, random: Random): Record<string, unknown> {
  const copy = structuredClone(question)
  for (let i = 0; i <= random.below(2); i++) {
    const places = placesIn(copy)
    if (places.length === 0) return copy
    change(random.pick(places), random)
  }
  return copy
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each, key) => [{ holder: value, key }, ...placesIn(each)])
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])])
}

function change({ holder, key }: Place, random: Random): void {
  const replacement = structuredClone(random.pick(junk))
  if (Array.isArray(holder)) {
    if (random.chance(0.2)) holder.splice(Number(key), 1)
    else holder[Number(key)] = replacement
    return
  }
  if (random.chance(0.15)) delete holder[key]
  else if (random.chance(0.2)) {
    holder[random.pick(keys)] = holder[key]
    delete holder[key]
  } else holder[key] = replacement
}
