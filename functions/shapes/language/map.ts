import type { Plural } from '../plural.ts'

/** What a region of a set is. */
export type RegionKind = 'state' | 'county' | 'country' | 'region'

/** The texts of maps in one language: what is drawn and what is left out. Counts come with their nouns. */
export interface MapTexts {
  records: Plural
  points: Plural
  circles: Plural
  /** Each record has its own mark. */
  single: (records: string) => string
  gathered: (records: string, circles: string) => string
  /** Shown if areas and lines are drawn as circles. */
  manyShapes: string
  unplaced: Plural
  /** They have a place outside the extent of the picture. */
  outside: Plural
  /** Records missing in a picture of several sources. */
  unshown: Plural
  /**
   * Values of the region column that match no region; `names` lists some of them, `more` is how many are not
   * listed.
   */
  unmatched: (values: {
    n: number
    total: number
    set: RegionKind
    names: string
    more: number
    writeCount: (count: number) => string
  }) => string
  /**
   * Records without a region, if the answer has any; `amount` is their value of the measure, '' if it is not
   * a number.
   */
  nameless: (set: RegionKind, amount: string) => string
  /**
   * Regions were found by the coordinates of records; `origin` is the source of the geometries of the set, ''
   * if unknown.
   */
  located: (set: string, origin: string) => string
  repeated: Plural
  unplacedRows: Plural
  outsidePoints: Plural
  /** Regions with a value that are outside the extent of the picture. */
  hidden: (values: {
    n: number
    names: string
    more: number
    writeCount: (count: number) => string
  }) => string
  /** Why a map is blank, and what to do about it. */
  blank: Record<'borders' | 'numbers' | 'places', string> & { names: (set: RegionKind) => string }
  /** Both are formatted. */
  live: (part: string, total: string) => string
  /**
   * A measure divided by the area of its region in units of `n` km² (`n` with a space after it, '' for one);
   * `areas` says which area that is.
   */
  perArea: (measure: string, n: string) => string
  /** A measure divided by an attribute of its region (`of` is its name), in units of `n` as above. */
  perAttribute: (measure: string, n: string, of: string) => string
  /** Regions with a value but without a divisor. */
  undivided: Plural
  areas: string
  /** The length of a bar that holds in the middle of a picture; of a picture of the whole earth. */
  scale: { middle: (length: string) => string; areasOnly: string }
  /** The column names of points counted by region. */
  byRegion: Record<'region' | 'points', string>
  /** Parts of the United States that are far from the others. */
  farParts: Record<'alaska' | 'hawaii' | 'puertoRico' | 'marianas' | 'samoa', string>
  /** The separator of list items. */
  comma: string
}
