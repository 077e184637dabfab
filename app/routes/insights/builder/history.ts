/** An undo history. `tag` and `at` determine whether the next change is merged into the same step. */
export interface History<T> {
  past: T[]
  now: T
  future: T[]
  tag: string
  at: number
}

/** Maximum number of steps. */
const depth = 200
/** Changes of one input within so many milliseconds are one step. */
const pause = 1000

/** A new history. */
export function startHistory<T>(now: T): History<T> {
  return { past: [], now, future: [], tag: '', at: 0 }
}

/** Adds a change. Those of the same input (`tag`) in quick succession are merged. */
export function pushChange<T>(history: History<T>, next: T, tag: string, at: number): History<T> {
  const isSameStep = tag !== '' && tag === history.tag && at - history.at < pause
  const past = isSameStep ? history.past : [...history.past, history.now].slice(-depth)
  return { past, now: next, future: [], tag, at }
}

/** Undoes a step; unchanged if there is none. */
export function undoChange<T>(history: History<T>): History<T> {
  const before = history.past.at(-1)
  if (before === undefined) return history
  const { past, now, future } = history
  return { past: past.slice(0, -1), now: before, future: [now, ...future], tag: '', at: 0 }
}

/** Redoes a step; unchanged if there is none. */
export function redoChange<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.now], now: next, future, tag: '', at: 0 }
}
