import type { PlaceAnswer } from './find.ts'
import { placeKey } from './name-key.ts'

/** An area of a set; `names` and `code`: what it is called by; null: it has no code. */
export interface NamedArea {
  names: readonly string[]
  code: string | null
  /** Longitude and latitude of a point inside. */
  point: [number, number]
}

/** The areas of a boundary set as places. */
export interface NamedAreas {
  /** The name of the set. */
  title: string
  areas: readonly NamedArea[]
}

/** What texts are compared with. */
export const areaKeys = ['name', 'code'] as const
export type AreaKey = (typeof areaKeys)[number]

/** Finds the point of an area by its name or code; without `by` by both. */
export type FindArea = (text: string, by?: AreaKey | null) => PlaceAnswer

/** Candidates that a sentence names. */
const maxNamed = 4

/**
 * Returns a function from the name or code of an area to a point in it. Names are compared like those of other places;
 * codes as texts, with the same letter case first. Digits without a zero in front may have lost some in a spreadsheet, so
 * "7" is also the code "007"; where that could be several areas, "7" and "007" among them, it is ambiguous. Several areas
 * are ambiguous too where one has the text as its name and another as its code.
 */
export function createAreaFinder({ title, areas }: NamedAreas): FindArea {
  const [names, digitNames] = [new Index(), new Index()]
  const [codes, codesInLowerCase, digitCodes] = [new Index(), new Index(), new Index()]
  areas.forEach((area, i) => {
    for (const name of area.names) {
      names.add(placeKey(name), i)
      digitNames.add(toPlainDigits(name), i)
    }
    const code = area.code?.trim() ?? ''
    codes.add(code, i)
    codesInLowerCase.add(code.toLowerCase(), i)
    digitCodes.add(toPlainDigits(code), i)
  })
  const findMatches = (text: string, by: AreaKey | null | undefined) => {
    const short = toPlainDigits(text) === text ? text : ''
    const exact = codes.get(text)
    const byCode = [
      ...(exact.length > 0 ? exact : codesInLowerCase.get(text.toLowerCase())),
      ...digitCodes.get(short),
    ]
    const byName = [...names.get(placeKey(text)), ...digitNames.get(short)]
    return [...new Set([...(by === 'name' ? [] : byCode), ...(by === 'code' ? [] : byName)])]
  }
  return (value, by) => {
    const text = value.trim()
    const matches = findMatches(text, by).map((i) => areas[i] as NamedArea)
    const [first] = matches
    if (!first) return { kind: 'unknown', message: `No area “${text}” of “${title}” is known.` }
    if (matches.length === 1) return { point: first.point }
    const descriptions = matches.slice(0, maxNamed).map(describeArea).join('; ')
    const others = matches.length > maxNamed ? `; and ${matches.length - maxNamed} more` : ''
    const message = `“${text}” may be ${matches.length} areas of “${title}”: ${descriptions}${others}.`
    return { kind: 'ambiguous', message }
  }
}

/** Areas by a key, in their order. A list is made only for a key of several, as there are 50,000 areas. */
class Index {
  private readonly areas = new Map<string, number | number[]>()

  /** An empty key is none. */
  add(key: string, area: number): void {
    if (key === '') return
    const before = this.areas.get(key)
    if (before === undefined) this.areas.set(key, area)
    else if (typeof before !== 'number') before.push(area)
    else if (before !== area) this.areas.set(key, [before, area])
  }

  get(key: string): readonly number[] {
    const entry = this.areas.get(key)
    return entry === undefined ? [] : typeof entry === 'number' ? [entry] : entry
  }
}

/** Digits without zeros in front; '' for any other text. */
const toPlainDigits = (text: string) =>
  /^\d+$/.test(text.trim()) ? text.trim().replace(/^0+(?=\d)/, '') : ''

/** The name and code of an area, which distinguish it from others of the same name. */
function describeArea({ names: [name], code }: NamedArea): string {
  if (name === undefined) return `“${code}”`
  return code === null || code === name ? `“${name}”` : `“${name}” (${code})`
}
