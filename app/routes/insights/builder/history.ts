/** What a person did, step by step. `tag` and `at` tell whether the next change belongs to the same step. */
export interface History<T> {
  past: T[]
  now: T
  future: T[]
  tag: string
  at: number
}

/** So many steps can be undone. */
const depth = 200
/** Changes of one input within so many milliseconds are one step. */
const pause = 1000

/** A history that begins. */
export function begun<T>(now: T): History<T> {
  return { past: [], now, future: [], tag: '', at: 0 }
}

/** After a change. Those of the same input (`tag`) shortly after each other are undone together. */
export function done<T>(history: History<T>, next: T, tag: string, at: number): History<T> {
  const isSameStep = tag !== '' && tag === history.tag && at - history.at < pause
  const past = isSameStep ? history.past : [...history.past, history.now].slice(-depth)
  return { past, now: next, future: [], tag, at }
}

/** One step back; the same when there is none. */
export function undone<T>(history: History<T>): History<T> {
  const before = history.past.at(-1)
  if (before === undefined) return history
  const { past, now, future } = history
  return { past: past.slice(0, -1), now: before, future: [now, ...future], tag: '', at: 0 }
}

/** One step forward again; the same when there is none. */
export function redone<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.now], now: next, future, tag: '', at: 0 }
}
