/** Kept answers that were given and not counted yet: what they were about, and how often. */
interface Hits {
  placeId: string
  dataTypeId: string
  count: number
}

const handOverMs = 10_000

let hits = new Map<string, Hits>()
let takenAt = 0

/** Notes a kept answer that was given; says whether it is time to count what was noted. Only memory is touched. */
export function noteHit({ placeId, dataTypeId }: Omit<Hits, 'count'>, now: number): boolean {
  const name = `${placeId} ${dataTypeId}`
  const known = hits.get(name)
  if (known) known.count += 1
  else hits.set(name, { placeId, dataTypeId, count: 1 })
  if (takenAt === 0) takenAt = now
  return now - takenAt >= handOverMs
}

/** Gives what was noted, once. */
export function takeHits(now: number): Hits[] {
  const counts = [...hits.values()]
  hits = new Map()
  takenAt = now
  return counts
}
