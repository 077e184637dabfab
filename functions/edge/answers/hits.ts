/** Cached answers that were served and not counted yet, with their subject and number. */
interface Hits {
  placeId: string
  dataTypeId: string
  count: number
}

const handOverMs = 10_000

let hits = new Map<string, Hits>()
let takenAt = 0

/** Counts a served cached answer in memory; true when it is time to store the counts. */
export function recordHit({ placeId, dataTypeId }: Omit<Hits, 'count'>, now: number): boolean {
  const name = `${placeId} ${dataTypeId}`
  const count = hits.get(name)
  if (count) count.count += 1
  else hits.set(name, { placeId, dataTypeId, count: 1 })
  if (takenAt === 0) takenAt = now
  return now - takenAt >= handOverMs
}

/** Returns the counts and resets them. */
export function drainHits(now: number): Hits[] {
  const counts = [...hits.values()]
  hits = new Map()
  takenAt = now
  return counts
}
