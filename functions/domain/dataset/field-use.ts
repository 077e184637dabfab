import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { isPlainObject } from '#functions/shapes/fields/plain.ts'

/** How a query uses a field: compared for equality, compared with a range, or first in the order. */
export type Use = 'equality' | 'range' | 'order'

interface Count {
  dataTypeId: string
  field: string
  kind: Use
  /** yyyy-mm-dd, UTC. */
  day: string
  asked: number
}

const kinds: Record<string, Use> = {
  $eq: 'equality',
  $in: 'equality',
  $any: 'equality',
  $gt: 'range',
  $gte: 'range',
  $lt: 'range',
  $lte: 'range',
  $between: 'range',
}

/**
 * Most distinct counters in memory; while the database is unavailable, new ones beyond this are not counted.
 */
const maxKept = 10_000

/** Counted by this isolate and not written yet. Holds no person and no place. */
let pendingCounts = new Map<string, Count>()

/** Counts how a query uses the fields of a data type, each use once. Only touches memory. */
export function countUse(now: Date, dataTypeId: string, schema: FieldSchema, question: unknown): void {
  const day = now.toISOString().slice(0, 10)
  for (const use of usesIn(question, schema)) {
    const [kind = '', field = ''] = use.split(' ')
    add({ dataTypeId, field, kind: kind as Use, day, asked: 1 })
  }
}

/**
 * Writes the counters in one statement and returns the sum of the uses written. Must run as the system actor.
 * Rethrows database errors, after keeping the counts for the next call.
 */
export async function flushUse(db: Db): Promise<number> {
  const pending = [...pendingCounts.values()]
  pendingCounts = new Map()
  if (pending.length === 0) return 0
  const column = (name: keyof Count) => pending.map((count) => count[name])
  try {
    // In the order of the key, so that two isolates that write at once wait for each other instead of
    // deadlocking.
    await sql`
      insert into field_use as d (data_type_id, field, kind, day, asked)
      select u.data_type_id, u.field, u.kind, u.day, u.asked
      from unnest(${column('dataTypeId')}::text[], ${column('field')}::text[], ${column('kind')}::text[],
        ${column('day')}::date[], ${column('asked')}::bigint[]) as u (data_type_id, field, kind, day, asked)
      join data_type on data_type.id = u.data_type_id
      order by u.data_type_id, u.field, u.kind, u.day
      on conflict (data_type_id, field, kind, day) do update set asked = d.asked + excluded.asked`.execute(
      db.withoutPlugins(),
    )
    return pending.reduce((sum, { asked: uses }) => sum + uses, 0)
  } catch (error) {
    pending.forEach(add)
    throw error
  }
}

function add(count: Count): void {
  const key = `${count.dataTypeId} ${count.field} ${count.kind} ${count.day}`
  const before = pendingCounts.get(key)
  if (before) before.asked += count.asked
  else if (pendingCounts.size < maxKept) pendingCounts.set(key, { ...count })
}

/**
 * The uses in a query as sent, each as `kind field`: fields compared with values (not with each other or
 * through functions, which no index of a field answers) and the first field of the order. Unknown fields are
 * ignored.
 */
function usesIn(question: unknown, schema: FieldSchema): Set<string> {
  const uses = new Set<string>()
  if (!isPlainObject(question)) return uses
  const addUse = (kind: Use | undefined, field: string) => void (kind && uses.add(`${kind} ${field}`))
  const waiting: { value: unknown; path: string }[] = [question.filters, question.where].map((value) => ({
    value,
    path: '',
  }))
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    const { value, path } = step
    const field = fieldAt(path, schema)
    if (Array.isArray(value) && !field) for (const each of value) waiting.push({ value: each, path })
    else if (field && !isPlainObject(value)) addUse('equality', field)
    if (!isPlainObject(value) || 'function' in value || 'field' in value) continue
    for (const [key, part] of Object.entries(value)) {
      if (key === '$and' || key === '$or') waiting.push(...parts(part, path))
      else if (!key.startsWith('$')) waiting.push({ value: part, path: path ? `${path}.${key}` : key })
      else if (field && !isPlainObject(part))
        addUse(Object.hasOwn(kinds, key) ? kinds[key] : undefined, field)
    }
  }
  const [first] = Array.isArray(question.orderings) ? (question.orderings as unknown[]) : []
  const orderField =
    isPlainObject(first) && isPlainObject(first.value) ? fieldAt(first.value.field, schema) : null
  if (orderField) addUse('order', orderField)
  return uses
}

const parts = (list: unknown, path: string) =>
  Array.isArray(list) ? list.map((value: unknown) => ({ value, path })) : []

function fieldAt(path: unknown, schema: FieldSchema): string | null {
  if (typeof path !== 'string' || !path.startsWith('data.')) return null
  const key = path.slice('data.'.length)
  return Object.hasOwn(schema, key) ? key : null
}
