/**
 * Minimises a failing query: removes and simplifies parts while it still fails. `fails` is called at most `tries` times.
 */
export async function shrunk<T>(input: T, fails: (smaller: T) => Promise<boolean>, tries = 300): Promise<T> {
  let [best, left] = [input, tries]
  for (let isSmaller = true; isSmaller && left > 0;) {
    isSmaller = false
    for (const candidate of smaller(best)) {
      if (left-- <= 0) break
      if (!(await fails(candidate as T))) continue
      best = candidate as T
      isSmaller = true
      break
    }
  }
  return best
}

/** Every query with one part removed, or with a call replaced by one of its arguments. */
function* smaller(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield value.filter((_, at) => at !== i)
    for (let i = 0; i < value.length; i++)
      for (const each of smaller(value[i])) yield value.map((other: unknown, at) => (at === i ? each : other))
    return
  }
  const entries = Object.entries(value)
  for (const [key] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== key))
  if ('arguments' in value && Array.isArray(value.arguments)) yield* value.arguments
  for (const [key, part] of entries)
    for (const each of smaller(part))
      yield Object.fromEntries(entries.map(([k, v]) => [k, k === key ? each : v]))
}
