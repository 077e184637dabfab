import type { Position } from 'geojson'

interface Segment {
  arc: number
  ax: number
  ay: number
  bx: number
  by: number
  west: number
  east: number
}

/**
 * The numbers of the arcs that cross, touch or overlap themselves or another, except at common end points. Arcs of one
 * point, which are collapsed rings, meet nothing.
 */
export function arcsThatMeet(arcs: readonly Position[][]): number[] {
  const segments = splitIntoSegments(arcs)
  segments.sort((p, q) => p.west - q.west)
  const meeting = new Set<number>()
  segments.forEach((one, i) => {
    for (let j = i + 1; j < segments.length; j++) {
      const other = segments[j] as Segment
      if (other.west > one.east) break
      if (meeting.has(one.arc) && meeting.has(other.arc)) continue
      if (!doIntersect(one, other)) continue
      meeting.add(one.arc)
      meeting.add(other.arc)
    }
  })
  return [...meeting]
}

function splitIntoSegments(arcs: readonly Position[][]): Segment[] {
  return arcs.flatMap((arc, number) => {
    const segments: Segment[] = []
    for (let i = 1; i < arc.length; i++) {
      const [ax = 0, ay = 0] = arc[i - 1] as Position
      const [bx = 0, by = 0] = arc[i] as Position
      if (ax === bx && ay === by) continue
      segments.push({ arc: number, ax, ay, bx, by, west: Math.min(ax, bx), east: Math.max(ax, bx) })
    }
    return segments
  })
}

function doIntersect(p: Segment, q: Segment): boolean {
  if (Math.max(p.ay, p.by) < Math.min(q.ay, q.by) || Math.max(q.ay, q.by) < Math.min(p.ay, p.by)) return false
  const shared = [
    [p.ax, p.ay],
    [p.bx, p.by],
  ].filter(([x, y]) => (x === q.ax && y === q.ay) || (x === q.bx && y === q.by)).length
  if (shared === 2) return true
  const [s1, s2] = [side(p, q.ax, q.ay), side(p, q.bx, q.by)]
  const [s3, s4] = [side(q, p.ax, p.ay), side(q, p.bx, p.by)]
  // With one common end they meet again only where one overlaps the other, in the same direction.
  if (shared === 1) return s1 === 0 && s2 === 0 && overlap(p, q)
  if (s1 === 0 && s2 === 0) return overlap(p, q)
  return s1 * s2 <= 0 && s3 * s4 <= 0
}

/** The side of a segment that a point is on, as a sign; 0 on its line. */
function side({ ax, ay, bx, by }: Segment, x: number, y: number): number {
  return Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax))
}

/** Whether two segments of one line have more than a point in common. */
function overlap(p: Segment, q: Segment): boolean {
  const isFlat = Math.abs(p.bx - p.ax) >= Math.abs(p.by - p.ay)
  const [a, b, c, d] = isFlat ? [p.ax, p.bx, q.ax, q.bx] : [p.ay, p.by, q.ay, q.by]
  return Math.min(Math.max(a, b), Math.max(c, d)) > Math.max(Math.min(a, b), Math.min(c, d))
}
