import type { Position } from 'geojson'

/** A geometry parsed from WKT, whose positions are not validated yet. */
interface WrittenShape {
  type: string
  coordinates: unknown
}

const header =
  /^(?:SRID\s*=\s*(\d+)\s*;\s*)?(POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION)\s*(Z|M|ZM)?(?:\s+(EMPTY)$|\s*(?=\())/i

/** The list depth of positions, and the GeoJSON type. */
const kinds: Record<string, [depth: number, type: string]> = {
  POINT: [0, 'Point'],
  LINESTRING: [1, 'LineString'],
  POLYGON: [2, 'Polygon'],
  MULTILINESTRING: [2, 'MultiLineString'],
  MULTIPOLYGON: [3, 'MultiPolygon'],
}

/** Whether a trimmed text looks like WKT. */
export function looksLikeWkt(text: string): boolean {
  // Checking the end first avoids the pattern for most texts.
  return (text.endsWith(')') || text.length < 40) && /^[a-z]/i.test(text) && header.test(text)
}

/**
 * Parses a trimmed text as well-known text (OGC 06-103r4, 7.2), with or without `SRID=4326;`, in any case; null for an
 * empty geometry; a sentence where it is invalid. The library for it takes 1.4 s for a line of 20,000 positions
 * (quadratic), and supports neither SRID nor lower case; this one is linear.
 */
export function readWkt(text: string): WrittenShape | string | null {
  const match = header.exec(text)
  if (!match) return 'Neither well-known text nor GeoJSON.'
  const [{ length: start }, srid, name = '', dimensions = '', empty] = match
  if (srid !== undefined && srid !== '4326') return `Not in longitude and latitude but in the system ${srid}.`
  if (dimensions.toUpperCase().includes('M'))
    return 'Has measures at its positions, which a shape here cannot keep.'
  const kind = kinds[name.toUpperCase()]
  if (!kind) return `A ${name.toUpperCase()}, which is no type of a field.`
  if (empty !== undefined) return null
  const scan = new Scan(text, start)
  const [depth, type] = kind
  const coordinates = depth === 0 ? scan.only() : scan.list(depth)
  return scan.isBroken || !scan.isAtEnd()
    ? `Not well-known text from character ${scan.at + 1} on.`
    : { type, coordinates }
}

const number = /\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/iy

/** Reads along a text; the first fault ends it. Depth is at most that of a MultiPolygon. */
class Scan {
  isBroken = false

  constructor(
    readonly text: string,
    public at: number,
  ) {}

  /** `( … )` with a number of levels of lists; the innermost has positions. */
  list(depth: number): unknown[] {
    const items: unknown[] = []
    this.need('(')
    do items.push(depth === 1 ? this.position() : this.list(depth - 1))
    while (!this.isBroken && this.accept(','))
    this.need(')')
    return items
  }

  /** The one position of a point. */
  only(): Position {
    this.need('(')
    const position = this.position()
    this.need(')')
    return position
  }

  isAtEnd(): boolean {
    this.blanks()
    return this.at === this.text.length
  }

  private position(): Position {
    const parts: number[] = []
    while (parts.length < 4) {
      number.lastIndex = this.at
      const match = number.exec(this.text)
      // Two numbers need a blank between them: 1.5.2 is not 1.5 and .2.
      if (!match || (parts.length > 0 && match[0] === match[1])) break
      this.at = number.lastIndex
      parts.push(Number(match[1]))
    }
    if (parts.length < 2 || parts.length > 3) this.isBroken = true
    return parts
  }

  private blanks(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1
  }

  private accept(mark: string): boolean {
    this.blanks()
    if (this.text[this.at] !== mark) return false
    this.at += 1
    return true
  }

  private need(mark: string): void {
    if (!this.isBroken && !this.accept(mark)) this.isBroken = true
  }
}
