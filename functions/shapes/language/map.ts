import type { Plural } from '../plural.ts'

/** What the regions of a set are. */
export type RegionKind = 'state' | 'county' | 'country' | 'region'

/** What a map says of what it draws, and of what it does not, in one language. Counts come in with their nouns. */
export interface MapWords {
  records: Plural
  points: Plural
  circles: Plural
  /** Each record has a mark of its own. */
  single: (records: string) => string
  gathered: (records: string, circles: string) => string
  /** Said where areas and lines are drawn as circles. */
  manyShapes: string
  unplaced: Plural
  /** They have a place, and the picture does not reach there. */
  outside: Plural
  /** Records that a picture of several sources has not. */
  unshown: Plural
  /** Values of the column of regions that name none; `names` lists some of them, `more`: how many it leaves out. */
  unmatched: (values: {
    n: number
    total: number
    set: RegionKind
    names: string
    more: number
    writeCount: (count: number) => string
  }) => string
  /** Records of no region, where the answer has them; `amount`: what the measure is of them, '' where that is no number. */
  nameless: (set: RegionKind, amount: string) => string
  /** Regions were found by where records lie; `origin`: where the outlines of the set come from, '' where nobody said so. */
  located: (set: string, origin: string) => string
  repeated: Plural
  unplacedRows: Plural
  outsidePoints: Plural
  /** Regions that have a value and for which the picture has no room. */
  hidden: (values: {
    n: number
    names: string
    more: number
    writeCount: (count: number) => string
  }) => string
  /** Why a map is blank, and what to do. */
  blank: Record<'borders' | 'numbers' | 'places', string> & { names: (set: RegionKind) => string }
  /** Both formatted. */
  live: (part: string, total: string) => string
  /** A measure divided by the area of its region, by so many km² (`n` with the space behind it, '' for one), and what that area is. */
  perArea: (measure: string, n: string) => string
  /** A measure divided by a number of its region (`of`: what that is called), by so many of them as above. */
  perAttribute: (measure: string, n: string, of: string) => string
  /** Regions with a value and without anything it could be divided by. */
  undivided: Plural
  areas: string
  /** What the columns of points that are counted by region are called. */
  byRegion: Record<'region' | 'points', string>
  /** Parts of the United States that lie far from the others. */
  farParts: Record<'alaska' | 'hawaii' | 'puertoRico' | 'marianas' | 'samoa', string>
  /** What stands between the items of a list. */
  comma: string
}
